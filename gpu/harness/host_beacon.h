// A host thread that writes its clock into a word that the device can read, so
// that any block can relate the two clocks in the time of one read over the
// bus, whatever else the GPU is doing.
//
//   TILEBOUND_ASSIGN_OR_RETURN(auto word, DeviceArray<uint64_t>::Make(1,
//                              Where::kMapped));
//   HostBeacon beacon(word.host());
//   LaunchSampleClocks(word.data(), samples, 8, stream);   // clock_kernels.h
//   ...
//   samples = beacon.Fresh(samples);
#ifndef TILEBOUND_GPU_HARNESS_HOST_BEACON_H_
#define TILEBOUND_GPU_HARNESS_HOST_BEACON_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "gpu/harness/clock_sample.h"

namespace tilebound::gpu {

// Nanoseconds of the clock that the beacon shows: CLOCK_MONOTONIC_RAW, which
// nobody adjusts.
uint64_t HostNowNs();

// Which of the times that a thread wrote stood no longer than it should have,
// told from those times alone.
class WrittenTimes {
 public:
  explicit WrittenTimes(uint64_t slack_ns) : slack_ns_(slack_ns) {}

  // The next time, before it is written. Returns false if that comes late; then
  // the caller reads the clock again, since noting it took time too.
  bool Write(uint64_t now_ns);
  // Whether it was written and replaced in time. Times before the last two
  // only: those have not been replaced yet.
  bool Fresh(uint64_t host_ns) const { return stale_.count(host_ns) == 0; }

 private:
  const uint64_t slack_ns_;
  uint64_t before_last_ = 0;
  uint64_t last_ = 0;
  std::set<uint64_t> stale_;
};

class HostBeacon {
 public:
  // Writes `word` until it goes away; keeps one core busy.
  explicit HostBeacon(volatile uint64_t* word);
  ~HostBeacon();
  HostBeacon(const HostBeacon&) = delete;
  HostBeacon& operator=(const HostBeacon&) = delete;

  // The longest that a time may have stood in the word to be used: ten usual
  // steps of this machine, measured at the start.
  uint64_t slack_ns() const { return slack_ns_; }

  // The samples whose host time was at most slack_ns() old when it was
  // replaced. A time that stood longer, because the system took the thread off
  // its core, would make the host look behind without the bracket showing it. A
  // sample of the last moment is kept only once the word has moved on.
  std::vector<ClockSample> Fresh(const std::vector<ClockSample>& samples);

 private:
  void Run();

  volatile uint64_t* const word_;
  uint64_t slack_ns_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  WrittenTimes written_;
  std::thread thread_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_HOST_BEACON_H_
