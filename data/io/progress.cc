#include "data/io/progress.h"

#include <unistd.h>

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"

namespace tilebound {

std::string ProgressLine(const std::string& unit, uint64_t done, uint64_t total,
                         absl::Duration elapsed) {
  std::string line = total == 0
                         ? absl::StrCat(done, " ", unit)
                         : absl::StrFormat("%d/%d %s (%.0f %%)", done, total,
                                           unit, 100.0 * done / total);
  const double seconds = absl::ToDoubleSeconds(elapsed);
  if (done == 0 || seconds <= 0) return line;
  const double rate = done / seconds;
  absl::StrAppendFormat(&line, ", %.3g %s/s", rate, unit);
  if (total > done) {
    absl::StrAppendFormat(&line, ", %.0f s left", (total - done) / rate);
  }
  return line;
}

Progress::Progress(std::string unit, uint64_t total)
    : unit_(std::move(unit)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(absl::Now()),
      shown_(start_) {}

Progress::~Progress() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::Add(uint64_t done) {
  std::lock_guard<std::mutex> lock(mutex_);
  done_ += done;
  if (!terminal_) return;
  const absl::Time now = absl::Now();
  if (now - shown_ < absl::Milliseconds(200)) return;
  shown_ = now;
  std::fprintf(stderr, "\r\033[K%s",
               ProgressLine(unit_, done_, total_, now - start_).c_str());
  std::fflush(stderr);
}

}  // namespace tilebound
