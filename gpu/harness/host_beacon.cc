#include "gpu/harness/host_beacon.h"

#include <time.h>

#include <algorithm>

namespace tilebound::gpu {
namespace {

// Four times the median step between two writes.
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
  return 4 * std::max<uint64_t>(1, steps[500]);
}

}  // namespace

uint64_t HostNowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<uint64_t>(now.tv_nsec);
}

HostBeacon::HostBeacon(volatile uint64_t* word)
    : word_(word), slack_ns_(MeasureSlackNs(word)) {
  thread_ = std::thread([this] { Run(); });
}

HostBeacon::~HostBeacon() {
  stop_ = true;
  thread_.join();
}

void HostBeacon::Run() {
  uint64_t before = *word_, last = *word_;
  while (!stop_.load(std::memory_order_relaxed)) {
    const uint64_t now = HostNowNs();
    if (now - last > slack_ns_) {
      // Either `last` stood until now, or it was itself written late and the
      // one before it stood too long. Listed before `now` can be seen.
      std::lock_guard<std::mutex> lock(mutex_);
      stale_.insert(before);
      stale_.insert(last);
    }
    *word_ = now;
    before = last;
    last = now;
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
    if (stale_.count(sample.host_ns) == 0) fresh.push_back(sample);
  }
  return fresh;
}

}  // namespace tilebound::gpu
