// Checks a trace against its promises.
//
//   TILEBOUND_ASSIGN_OR_RETURN(TraceReader reader, TraceReader::Open(path));
//   CheckReport report = CheckTrace(reader, {});
//   if (report.verdict == Verdict::kViolation) {
//     std::cout << report.FirstRule() << ": " << report.rules[...]...
//   }
//
// One pass in file order (and a second, for the witnesses, if something is
// wrong). Memory: one bit a task; half a megabyte, 64 bytes an event and one
// bit an urgent tile for each thread; some hundred bytes a block. Nothing grows
// with the number of records. The report does not depend on the number of
// threads.
#ifndef TILEBOUND_ORACLE_CHECK_H_
#define TILEBOUND_ORACLE_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "data/trace/reader.h"
#include "oracle/expect.h"
#include "oracle/finding.h"
#include "oracle/handoff.h"

namespace tilebound::oracle {

// kUnknown: nothing that is there is wrong, but something is not there.
enum class Verdict { kOk, kViolation, kUnknown };
absl::string_view VerdictName(Verdict verdict);

struct CheckOptions {
  // 0 for as many as there are cores.
  int threads = 0;
  // Handoff bound; 0 for the header's.
  int64_t bound_ps = 0;
  std::vector<Expectation> expectations = {};
};

struct RuleReport {
  absl::string_view name;
  absl::string_view promise;
  uint64_t violations = 0;
  // The first FindingLog::kKept.
  std::vector<Finding> findings = {};
  // What could not be told because records are missing.
  uint64_t untold = 0;
};

struct CheckCounts {
  uint64_t records = 0;
  // Ends of tiles.
  uint64_t executions = 0;
  uint64_t events = 0;
  uint64_t observations = 0;
  uint64_t claims = 0;
  uint64_t urgent_tiles = 0;
  uint64_t abandons = 0;
  // Records declared lost.
  uint64_t dropped = 0;
  uint64_t blocks = 0;
  uint64_t chunks = 0;
};

struct CheckReport {
  std::string name;
  Verdict verdict = Verdict::kOk;
  pb::TraceHeader header;
  // Whether the options held a handoff bound.
  bool bound_given = false;
  // In the order of AllRules().
  std::vector<RuleReport> rules;
  // Why it cannot be told, if so.
  std::vector<std::string> unknown;
  CheckCounts counts;
  HandoffSummary handoff;
  uint64_t file_bytes = 0;
  double seconds = 0;
  int threads = 1;

  // The first rule that is violated; "" if none is.
  absl::string_view FirstRule() const;
  uint64_t violations() const;
};

CheckReport CheckTrace(const TraceReader& reader, const CheckOptions& options);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_CHECK_H_
