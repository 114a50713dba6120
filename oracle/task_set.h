// Which tasks were executed: one bit a task, shared by the threads.
//
//   TaskSet done(header.tasks(), /*executions=*/n);
//   if (!done.Insert(17)) ...   // was there already
//   done.Close();
//   done.AbsentCount(), done.FirstAbsent(10)
//
// Where the header promises far more tasks than the file can hold, a list of
// those seen takes less room than the bits, and is used instead.
#ifndef TILEBOUND_ORACLE_TASK_SET_H_
#define TILEBOUND_ORACLE_TASK_SET_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tilebound::oracle {

class TaskSet {
 public:
  // `executions` is the most Insert() calls that there will be.
  TaskSet(uint64_t tasks, uint64_t executions, bool threads);

  // Adds task < tasks. False if it was there, where that is known at once (see
  // Close). From any thread.
  bool Insert(uint64_t task) {
    if (sparse_) return InsertSparse(task);
    const uint64_t bit = uint64_t{1} << (task & 63);
    std::atomic<uint64_t>& word = words_[task >> 6];
    if (!threads_) {
      const uint64_t before = word.load(std::memory_order_relaxed);
      word.store(before | bit, std::memory_order_relaxed);
      return (before & bit) == 0;
    }
    return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
  }

  // Ends the insertions. Returns the tasks that turn out only now to have been
  // inserted more than once, one entry for each insertion too many.
  std::vector<uint64_t> Close();

  // After Close().
  uint64_t AbsentCount() const;
  // The smallest absent tasks, `most` of them at most.
  std::vector<uint64_t> FirstAbsent(size_t most) const;

  // Bytes of memory held.
  uint64_t bytes() const;

 private:
  bool InsertSparse(uint64_t task);

  const uint64_t tasks_;
  const bool threads_;
  const bool sparse_;
  std::unique_ptr<std::atomic<uint64_t>[]> words_;
  std::mutex mutex_;
  std::vector<uint64_t> list_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_TASK_SET_H_
