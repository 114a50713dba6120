#include "oracle/task_set.h"

#include <algorithm>
#include <bit>

namespace tilebound::oracle {
namespace {

// Bits are taken up to here whatever the file holds.
constexpr uint64_t kAlwaysDenseBytes = 16 << 20;

uint64_t WordCount(uint64_t tasks) { return (tasks + 63) / 64; }

}  // namespace

TaskSet::TaskSet(uint64_t tasks, uint64_t executions, bool threads)
    : tasks_(tasks),
      threads_(threads),
      sparse_(tasks / 8 > kAlwaysDenseBytes && tasks / 64 > executions) {
  if (!sparse_) {
    words_ = std::make_unique<std::atomic<uint64_t>[]>(WordCount(tasks));
  }
}

bool TaskSet::InsertSparse(uint64_t task) {
  const std::lock_guard<std::mutex> lock(mutex_);
  list_.push_back(task);
  return true;
}

std::vector<uint64_t> TaskSet::Close() {
  std::vector<uint64_t> again;
  if (!sparse_) return again;
  std::sort(list_.begin(), list_.end());
  size_t kept = 0;
  for (const uint64_t task : list_) {
    if (kept > 0 && list_[kept - 1] == task) {
      again.push_back(task);
    } else {
      list_[kept++] = task;
    }
  }
  list_.resize(kept);
  return again;
}

uint64_t TaskSet::AbsentCount() const {
  if (sparse_) return tasks_ - list_.size();
  uint64_t present = 0;
  for (uint64_t i = 0; i < WordCount(tasks_); ++i) {
    present += std::popcount(words_[i].load(std::memory_order_relaxed));
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
    uint64_t holes = ~words_[i].load(std::memory_order_relaxed);
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

}  // namespace tilebound::oracle
