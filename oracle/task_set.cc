#include "oracle/task_set.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

namespace tilebound::oracle {
namespace {

// Bits are taken up to here whatever the file holds.
constexpr uint64_t kAlwaysDenseBytes = 1 << 20;

uint64_t WordCount(uint64_t tasks) { return (tasks + 63) / 64; }

}  // namespace

TaskSet::TaskSet(uint64_t tasks, uint64_t executions)
    : tasks_(tasks),
      sparse_(tasks / 8 > kAlwaysDenseBytes && tasks / 64 > executions) {
  if (sparse_) return;
  void* words = std::calloc(WordCount(tasks), sizeof(uint64_t));
  if (words == nullptr && tasks > 0) std::abort();
  words_.reset(static_cast<uint64_t*>(words));
}

Repeats TaskSet::Close() {
  Repeats repeats;
  std::sort(list_.begin(), list_.end());
  size_t kept = 0;
  for (const uint64_t task : list_) {
    if (kept > 0 && list_[kept - 1] == task) {
      repeats.Add(task);
    } else {
      list_[kept++] = task;
    }
  }
  list_.resize(kept);
  return repeats;
}

uint64_t TaskSet::AbsentCount() const {
  if (sparse_) return tasks_ - list_.size();
  uint64_t present = 0;
  for (uint64_t i = 0; i < WordCount(tasks_); ++i) {
    present += std::popcount(words_[i]);
  }
  return tasks_ - present;
}

std::vector<uint64_t> TaskSet::FirstAbsent(size_t most) const {
  std::vector<uint64_t> absent;
  if (sparse_) {
    uint64_t task = 0;
    size_t at = 0;
    for (; task < tasks_ && absent.size() < most; ++task) {
      if (at < list_.size() && list_[at] == task) {
        ++at;
      } else {
        absent.push_back(task);
      }
    }
    return absent;
  }
  for (uint64_t i = 0; i < WordCount(tasks_) && absent.size() < most; ++i) {
    uint64_t holes = ~words_[i];
    for (; holes != 0 && absent.size() < most; holes &= holes - 1) {
      const uint64_t task = i * 64 + std::countr_zero(holes);
      if (task < tasks_) absent.push_back(task);
    }
  }
  return absent;
}

uint64_t TaskSet::bytes() const {
  return sparse_ ? list_.capacity() * sizeof(uint64_t) : WordCount(tasks_) * 8;
}

TaskAdder::TaskAdder(TaskSet& set) : set_(set) {
  if (set.sparse_) return;
  // No more than the tasks need: most traces are small.
  const uint64_t pages = (set.tasks_ + kPageTasks - 1) / kPageTasks;
  numbers_.resize(std::bit_ceil(std::clamp<uint64_t>(pages, 1, kMostPages)));
  std::iota(numbers_.begin(), numbers_.end(), 0);
  words_.resize(numbers_.size() * kPageWords);
}

void TaskAdder::Bring(size_t place) {
  const uint64_t first = numbers_[place] * kPageWords;
  for (uint64_t i = 0; i < kPageWords; ++i) {
    const uint64_t bits = std::exchange(words_[place * kPageWords + i], 0);
    if (bits == 0) continue;
    const uint64_t before = std::atomic_ref(set_.words_[first + i])
                                .fetch_or(bits, std::memory_order_relaxed);
    for (uint64_t again = before & bits; again != 0; again &= again - 1) {
      repeats_.Add((first + i) * 64 + std::countr_zero(again));
    }
  }
}

void TaskAdder::Flush() {
  for (size_t place = 0; place < numbers_.size(); ++place) Bring(place);
  const std::lock_guard<std::mutex> lock(set_.mutex_);
  set_.list_.insert(set_.list_.end(), list_.begin(), list_.end());
  list_.clear();
}

}  // namespace tilebound::oracle
