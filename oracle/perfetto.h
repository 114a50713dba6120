// A trace as Perfetto (ui.perfetto.dev) opens it: a group for each SM, a track
// for each block, slices for tiles and urgent work, instants for sets,
// observations and claims, arrows from each set to its observations, and the
// violations that were found.
//
//   TILEBOUND_RETURN_IF_ERROR(WritePerfetto(reader, report, {},
//   "run.pftrace"));
//
// Slices nest even where the trace is faulty: what ends without a beginning
// becomes an instant, what never ends is closed at the block's last record.
#ifndef TILEBOUND_ORACLE_PERFETTO_H_
#define TILEBOUND_ORACLE_PERFETTO_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/trace/reader.h"
#include "oracle/check.h"

namespace tilebound::oracle {

// What to write of a long trace. A slice that reaches beyond is cut there.
struct PerfettoWindow {
  int64_t from_ps = std::numeric_limits<int64_t>::min();
  int64_t to_ps = std::numeric_limits<int64_t>::max();
};

// "FROM:TO" in microseconds; "" is the whole trace.
absl::StatusOr<PerfettoWindow> ParseWindow(absl::string_view text);

// Times are nanoseconds; what is before 0 is shown at 0.
absl::Status WritePerfetto(const TraceReader& reader, const CheckReport& report,
                           const PerfettoWindow& window,
                           const std::string& path);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_PERFETTO_H_
