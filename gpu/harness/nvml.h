// What the driver's management library says of the clock: how high it could go,
// what holds it down. Loaded at run time, so that a binary without it, or a
// container that hides it, loses this and nothing else. Nothing here sets
// anything.
//
//   const ClockReport report = ReadClockReport(facts.pci_bus_id);
//   if (!report.error.empty()) ...    // "libnvidia-ml.so.1: not found"
//   report.sm_mhz                     // 1980 at this moment
//   ThrottleNames(report.reasons)     // "power cap"
#ifndef TILEBOUND_GPU_HARNESS_NVML_H_
#define TILEBOUND_GPU_HARNESS_NVML_H_

#include <cstdint>
#include <string>

namespace tilebound::gpu {

struct ClockReport {
  // Empty if the library answered; else why not.
  std::string error = {};
  std::string driver = {};
  std::string uuid = {};
  uint32_t sm_mhz = 0;
  uint32_t max_sm_mhz = 0;
  // Bits of nvmlClocksEventReasons.
  uint64_t reasons = 0;
  double power_watts = 0;
  uint32_t temperature_celsius = 0;
};

// Of the GPU at a PCI address as cudaDeviceGetPCIBusId gives it. `library` is
// for tests.
ClockReport ReadClockReport(const std::string& pci_bus_id,
                            const std::string& library = "libnvidia-ml.so.1");

// "nothing", or the reasons in words, separated by ", "; a bit without a name
// is "bit N".
std::string ThrottleNames(uint64_t reasons);

// For Conditions.clock_hold: what the library's two readings, around a run, and
// the clock measured inside it say together: "unlocked (1965 to 1980 of 1980
// MHz by NVML, 1976 MHz in the kernel, held down by nothing)". The library does
// not tell whether somebody locked the clock; a setting of application clocks
// shows among the reasons, and is called "application clocks set". Where the
// library did not answer: "not known (...), 1976 MHz in the kernel".
std::string DescribeClockHold(const ClockReport& before,
                              const ClockReport& after, double kernel_mhz);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_NVML_H_
