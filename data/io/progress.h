// One line on stderr that tells how far a long command is, only when stderr is
// a terminal.
//
//   Progress progress("cells", cells.size());
//   ... progress.Add(1); ...    // from any thread
//
// The line is erased when the Progress goes away.
#ifndef TILEBOUND_DATA_IO_PROGRESS_H_
#define TILEBOUND_DATA_IO_PROGRESS_H_

#include <cstdint>
#include <mutex>
#include <string>

#include "absl/time/time.h"

namespace tilebound {

class Progress {
 public:
  // `unit` is a plural noun. A total of 0 means that it is not known.
  Progress(std::string unit, uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Add(uint64_t done);

 private:
  const std::string unit_;
  const uint64_t total_;
  const bool terminal_;
  const absl::Time start_;
  std::mutex mutex_;
  absl::Time shown_;
  uint64_t done_ = 0;
};

// "12/24 cells (50 %), 3.1 cells/s, 4 s left"; the pieces that are not known
// are left out.
std::string ProgressLine(const std::string& unit, uint64_t done, uint64_t total,
                         absl::Duration elapsed);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_PROGRESS_H_
