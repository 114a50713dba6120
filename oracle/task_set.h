// Which tasks were executed: one bit a task, shared by the threads.
//
//   TaskSet done(header.tasks(), /*executions=*/n);
//   TaskAdder adder(done);        // one for each thread
//   adder.Add(17);
//   adder.Flush();
//   done.Close().least(), done.AbsentCount(), done.FirstAbsent(10)
//
// Where the header promises far more tasks than the file can hold, a list of
// those seen takes less room than the bits, and is used instead.
#ifndef TILEBOUND_ORACLE_TASK_SET_H_
#define TILEBOUND_ORACLE_TASK_SET_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace tilebound::oracle {

// Tasks that were added when they were there already: how many times in all,
// and the least of them. Neither depends on which thread came second.
class Repeats {
 public:
  // As many as a report shows.
  static constexpr size_t kKept = 10;

  void Add(uint64_t task) {
    ++count_;
    Keep(task);
  }
  void Absorb(const Repeats& other) {
    count_ += other.count_;
    for (const uint64_t task : other.least_) Keep(task);
  }
  uint64_t count() const { return count_; }
  const std::set<uint64_t>& least() const { return least_; }

 private:
  void Keep(uint64_t task) {
    least_.insert(task);
    if (least_.size() > kKept) least_.erase(std::prev(least_.end()));
  }

  uint64_t count_ = 0;
  std::set<uint64_t> least_;
};

class TaskSet {
 public:
  // `executions` is the most tasks that will be added.
  TaskSet(uint64_t tasks, uint64_t executions);

  // Ends the additions, after every adder's Flush(), and tells of the repeated
  // ones that no adder could.
  Repeats Close();

  // After Close().
  uint64_t AbsentCount() const;
  // The smallest absent tasks, `most` of them at most.
  std::vector<uint64_t> FirstAbsent(size_t most) const;

  // Bytes of memory held.
  uint64_t bytes() const;

 private:
  friend class TaskAdder;
  struct FreeMemory {
    void operator()(uint64_t* memory) const { std::free(memory); }
  };

  const uint64_t tasks_;
  const bool sparse_;
  // From calloc, whose pages are touched, and so made, by all threads.
  std::unique_ptr<uint64_t[], FreeMemory> words_;
  std::mutex mutex_;
  std::vector<uint64_t> list_;
};

// Adds one thread's tasks.
//
// Tasks are handed out one by one to all blocks, so that each thread has half
// of those of any cache line of the set. To write to it for each task would
// have the line go to and fro between the cores, which was a third of the time
// that checking took. So an adder gathers bits in pages of its own, four
// million tasks wide together, and brings a page to the set when its place is
// needed for another.
class TaskAdder {
 public:
  // The set must outlive the adder.
  explicit TaskAdder(TaskSet& set);

  // `task` is one of the set's.
  void Add(uint64_t task) {
    if (set_.sparse_) {
      list_.push_back(task);
      return;
    }
    const uint64_t page = task / kPageTasks;
    const size_t place = page & (numbers_.size() - 1);
    if (numbers_[place] != page) [[unlikely]] {
      Bring(place);
      numbers_[place] = page;
    }
    uint64_t& word = words_[place * kPageWords + task / 64 % kPageWords];
    const uint64_t bit = uint64_t{1} << (task % 64);
    if (word & bit) [[unlikely]] {
      repeats_.Add(task);
    }
    word |= bit;
  }

  // Brings everything to the set.
  void Flush();
  // Of what was brought so far: the tasks that were there already.
  Repeats& repeats() { return repeats_; }

 private:
  static constexpr uint64_t kPageTasks = 4096;
  static constexpr uint64_t kPageWords = kPageTasks / 64;
  static constexpr uint64_t kMostPages = 1024;

  void Bring(size_t place);

  TaskSet& set_;
  // Which page is at each place.
  std::vector<uint64_t> numbers_;
  std::vector<uint64_t> words_;
  std::vector<uint64_t> list_;
  Repeats repeats_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_TASK_SET_H_
