#include "gpu/harness/host_beacon.h"

#include <time.h>

#include <algorithm>

namespace tilebound::gpu {
namespace {

// Ten times the median step between two writes, and no less than a write takes
// that another core, or the bus, wants to read at the same time.
uint64_t MeasureSlackNs(volatile uint64_t* word) {
  std::vector<uint64_t> steps;
  uint64_t last = HostNowNs();
  for (int i = 0; i < 1001; ++i) {
    const uint64_t now = HostNowNs();
    *word = now;
    steps.push_back(now - last);
    last = now;
  }
  std::nth_element(steps.begin(), steps.begin() + 500, steps.end());
  return std::max<uint64_t>(500, 10 * steps[500]);
}

}  // namespace

uint64_t HostNowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<uint64_t>(now.tv_nsec);
}

bool WrittenTimes::Write(uint64_t now_ns) {
  const bool in_time = last_ == 0 || now_ns - last_ <= slack_ns_;
  if (!in_time) {
    // Either the last one stood until now, or it was itself written late and
    // the one before it stood too long.
    stale_.insert(before_last_);
    stale_.insert(last_);
  }
  before_last_ = last_;
  last_ = now_ns;
  return in_time;
}

HostBeacon::HostBeacon(volatile uint64_t* word)
    : word_(word), slack_ns_(MeasureSlackNs(word)), written_(slack_ns_) {
  // What the measurement wrote last would stand, and be judged by nobody, until
  // the thread gets a core.
  *word_ = 0;
  thread_ = std::thread([this] { Run(); });
}

HostBeacon::~HostBeacon() {
  stop_ = true;
  thread_.join();
}

void HostBeacon::Run() {
  while (!stop_.load(std::memory_order_relaxed)) {
    uint64_t now = HostNowNs();
    {
      // Nobody else wants it but Fresh().
      std::lock_guard<std::mutex> lock(mutex_);
      while (!written_.Write(now)) now = HostNowNs();
    }
    *word_ = now;
  }
}

std::vector<ClockSample> HostBeacon::Fresh(
    const std::vector<ClockSample>& samples) {
  // After two more times have been written, every earlier one has been judged.
  for (int turn = 0; turn < 2; ++turn) {
    const uint64_t seen = *word_;
    while (*word_ == seen) {
    }
  }
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<ClockSample> fresh;
  for (const ClockSample& sample : samples) {
    if (sample.host_ns != 0 && written_.Fresh(sample.host_ns)) {
      fresh.push_back(sample);
    }
  }
  return fresh;
}

}  // namespace tilebound::gpu
