// A library that answers as NVML does, with planted figures.
#include <cstring>

extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  static int only;
  *device = &only;
  return std::strcmp(bus, "0000:01:00.0") == 0 ? 0 : 6;
}
int nvmlSystemGetDriverVersion(char* text, unsigned int) {
  std::strcpy(text, "550.54.15");
  return 0;
}
int nvmlDeviceGetClockInfo(void*, int type, unsigned int* mhz) {
  *mhz = type == 1 ? 1200 : 0;
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned int* mhz) {
  *mhz = type == 1 ? 1695 : 0;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*,
                                              unsigned long long* reasons) {
  *reasons = 0x2 | 0x4;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned int* milliwatts) {
  *milliwatts = 149500;
  return 0;
}
// No nvmlDeviceGetTemperature and no nvmlDeviceGetUUID.
}
