#include "gpu/harness/gates.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kMostTickNs = 2000;

}  // namespace

void Gates::Check(GateResult result) {
  if (!status_.ok()) return;
  if (!result.passed) {
    status_ = absl::FailedPreconditionError(
        absl::StrCat("gate ", result.name, ": ", result.detail));
  }
  results_.push_back(std::move(result));
}

std::string Gates::Summary() const {
  std::vector<std::string> parts;
  for (const GateResult& result : results_) {
    parts.push_back(absl::StrCat(result.name, ": ", result.detail,
                                 result.passed ? "" : " (FAILED)"));
  }
  return absl::StrJoin(parts, "; ");
}

GateResult TimerTickGate(uint64_t tick_ns) {
  const bool passed = tick_ns > 0 && tick_ns <= kMostTickNs;
  return {"timer tick", passed,
          absl::StrCat(tick_ns, " ns",
                       passed ? "" : "; 1 to 2000 ns are accepted")};
}

GateResult ResidencyGate(uint32_t planned_blocks,
                         uint32_t planned_blocks_per_sm,
                         const std::vector<uint32_t>& blocks_on_sm) {
  uint64_t seen = 0;
  for (size_t sm = 0; sm < blocks_on_sm.size(); ++sm) {
    seen += blocks_on_sm[sm];
    if (blocks_on_sm[sm] > planned_blocks_per_sm) {
      return {"residency", false,
              absl::StrCat("SM ", sm, " ran ", blocks_on_sm[sm],
                           " blocks of a plan of ", planned_blocks_per_sm,
                           " per SM: some came after others, or the hardware "
                           "placed them unevenly")};
    }
  }
  if (seen != planned_blocks) {
    return {"residency", false,
            absl::StrCat(seen, " of ", planned_blocks, " blocks started")};
  }
  return {"residency", true,
          absl::StrCat(planned_blocks, " blocks, at most ",
                       planned_blocks_per_sm, " per SM")};
}

GateResult SpillGate(uint64_t local_bytes) {
  return {"spills", local_bytes == 0,
          absl::StrCat(local_bytes, " B of local memory a thread",
                       local_bytes == 0 ? "" : "; 0 is accepted")};
}

GateResult ReferenceGate(const std::string& what, uint64_t checked,
                         uint64_t corrupt) {
  const bool passed = checked > 0 && corrupt == 0;
  return {absl::StrCat(what, " outputs"), passed,
          checked == 0
              ? std::string("none was checked against float64")
              : absl::StrCat(corrupt, " of ", checked, " differ from float64")};
}

GateResult NanGate(uint64_t outputs, uint64_t nan_before, uint64_t nan_after) {
  if (nan_before != outputs) {
    return {"NaN fill", false,
            absl::StrCat("only ", nan_before, " of ", outputs,
                         " outputs were NaN before the launch")};
  }
  return {
      "NaN fill", nan_after == 0,
      absl::StrCat(nan_after, " of ", outputs, " outputs were never written")};
}

GateResult PoisonGate(uint64_t planted, uint64_t caught) {
  const bool passed = planted > 0 && caught == planted;
  return {"poison control", passed,
          planted == 0 ? std::string("nothing was planted")
                       : absl::StrCat(caught, " of ", planted, " were caught",
                                      passed ? "" : "; all are needed")};
}

std::string Anomalies::ToString() const {
  std::vector<std::string> parts;
  const auto add = [&parts](uint64_t count, const char* kind) {
    if (count > 0) parts.push_back(absl::StrCat(count, " ", kind));
  };
  add(unset, "unset");
  add(unclaimed, "unclaimed");
  add(incomplete, "incomplete");
  add(unobserved, "unobserved");
  add(out_of_order, "out of order");
  return parts.empty() ? "none" : absl::StrJoin(parts, ", ");
}

GateResult AnomalyGate(const Anomalies& anomalies, bool expired) {
  return {"anomalies", anomalies.total() == 0 && !expired,
          expired ? absl::StrCat("the deadline ended the run; ",
                                 anomalies.ToString())
                  : anomalies.ToString()};
}

}  // namespace tilebound::gpu
