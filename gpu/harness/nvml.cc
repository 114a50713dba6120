#include "gpu/harness/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tilebound::gpu {
namespace {

// The few entry points that are used, as NVIDIA's NVML API Reference declares
// them: 0 is success, a device is an opaque pointer.
using Device = void*;
constexpr int kClockSm = 1;
constexpr int kTemperatureGpu = 0;

constexpr uint64_t kApplicationClocks = 0x2;

const std::pair<uint64_t, const char*> kReasons[] = {
    {0x1, "idle"},
    {kApplicationClocks, "application clocks set"},
    {0x4, "power cap"},
    {0x8, "hardware slowdown"},
    {0x10, "sync boost"},
    {0x20, "thermal limit (software)"},
    {0x40, "thermal limit (hardware)"},
    {0x80, "power brake"},
    {0x100, "display clocks"}};

// A loaded library; closes it, after shutting it down, when it goes away.
class Library {
 public:
  explicit Library(const std::string& name)
      : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  ~Library() {
    if (handle_ == nullptr) return;
    if (started_) Call("nvmlShutdown");
    dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool loaded() const { return handle_ != nullptr; }
  void Started() { started_ = true; }

  // The status that the function returns, or -1 if there is none of that name.
  template <typename... Arguments>
  int Call(const char* name, Arguments... arguments) const {
    void* symbol = dlsym(handle_, name);
    if (symbol == nullptr) return -1;
    return reinterpret_cast<int (*)(Arguments...)>(symbol)(arguments...);
  }

 private:
  void* handle_;
  bool started_ = false;
};

}  // namespace

ClockReport ReadClockReport(const std::string& pci_bus_id,
                            const std::string& name) {
  ClockReport report;
  Library library(name);
  if (!library.loaded()) {
    report.error = absl::StrCat(name, ": not found");
    return report;
  }
  if (const int status = library.Call("nvmlInit_v2"); status != 0) {
    report.error = absl::StrCat(name, ": nvmlInit_v2 returned ", status);
    return report;
  }
  library.Started();
  Device device = nullptr;
  if (const int status = library.Call("nvmlDeviceGetHandleByPciBusId_v2",
                                      pci_bus_id.c_str(), &device);
      status != 0) {
    report.error =
        absl::StrCat(name, ": no device at ", pci_bus_id, " (", status, ")");
    return report;
  }
  char text[96] = {};
  if (library.Call("nvmlSystemGetDriverVersion", &text[0],
                   static_cast<unsigned int>(sizeof(text))) == 0) {
    report.driver = text;
  }
  if (library.Call("nvmlDeviceGetUUID", device, &text[0],
                   static_cast<unsigned int>(sizeof(text))) == 0) {
    report.uuid = text;
  }
  // Each figure is left 0 where this driver does not tell it.
  unsigned int number = 0;
  if (library.Call("nvmlDeviceGetClockInfo", device, kClockSm, &number) == 0) {
    report.sm_mhz = number;
  }
  if (library.Call("nvmlDeviceGetMaxClockInfo", device, kClockSm, &number) ==
      0) {
    report.max_sm_mhz = number;
  }
  if (library.Call("nvmlDeviceGetPowerUsage", device, &number) == 0) {
    report.power_watts = number / 1000.0;
  }
  if (library.Call("nvmlDeviceGetTemperature", device, kTemperatureGpu,
                   &number) == 0) {
    report.temperature_celsius = number;
  }
  unsigned long long reasons = 0;
  // The newer name first; the older one is gone from some drivers.
  if (library.Call("nvmlDeviceGetCurrentClocksEventReasons", device,
                   &reasons) == 0 ||
      library.Call("nvmlDeviceGetCurrentClocksThrottleReasons", device,
                   &reasons) == 0) {
    report.reasons = reasons;
  }
  return report;
}

std::string ThrottleNames(uint64_t reasons) {
  std::vector<std::string> names;
  for (const auto& [bit, name] : kReasons) {
    if (reasons & bit) names.push_back(name);
    reasons &= ~bit;
  }
  for (int bit = 0; bit < 64; ++bit) {
    if (reasons >> bit & 1) names.push_back(absl::StrCat("bit ", bit));
  }
  return names.empty() ? "nothing" : absl::StrJoin(names, ", ");
}

std::string DescribeClockHold(const ClockReport& before,
                              const ClockReport& after, double kernel_mhz) {
  const std::string kernel =
      absl::StrCat(std::lround(kernel_mhz), " MHz in the kernel");
  if (!before.error.empty() || !after.error.empty()) {
    return absl::StrCat("not known (",
                        before.error.empty() ? after.error : before.error,
                        "), ", kernel);
  }
  const uint64_t reasons = before.reasons | after.reasons;
  return absl::StrCat(
      reasons & kApplicationClocks ? "application clocks set" : "unlocked",
      " (", std::min(before.sm_mhz, after.sm_mhz), " to ",
      std::max(before.sm_mhz, after.sm_mhz), " of ", after.max_sm_mhz,
      " MHz by NVML, ", kernel, ", held down by ", ThrottleNames(reasons), ")");
}

}  // namespace tilebound::gpu
