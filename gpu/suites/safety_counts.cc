#include "gpu/suites/safety_counts.h"

#include "absl/strings/str_cat.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gpu/harness/gates.h"

namespace tilebound::gpu {

void SafetyCounts::Add(const RunLog& log) {
  events += log.events;
  urgent += log.urgent_corrupt.size();
  background_corrupt += log.background_corrupt;
  anomalies += log.anomalies();
  for (const uint8_t wrong : log.urgent_corrupt) urgent_corrupt += wrong;
  for (const uint8_t wrong : log.restarted_corrupt) {
    restarted_corrupt += wrong;
  }
  for (const uint64_t task : log.restarted_task) {
    restarted += task != kNoTask;
  }
  // 1 + groups in flight; 0 where no tile was given up.
  for (const uint32_t groups : log.yield_groups) conflicts += groups > 1;
}

absl::Status CheckSafetyGates(const pb::CellKey& key,
                              const SafetyCounts& counts) {
  Gates gates;
  if (key.discipline() == pb::POISON) {
    gates.Check(PoisonGate(counts.urgent, counts.urgent_corrupt));
  } else if (key.discipline() == pb::DRAIN) {
    gates.Check(ReferenceGate("urgent", counts.urgent, counts.urgent_corrupt));
  }
  if (key.discipline() != pb::NAIVE) {
    // Between tiles nothing is given up; a folded site looks there too.
    const bool always = key.site() == pb::STAGE || key.site() == pb::ISSUE;
    if (always || counts.restarted > 0) {
      gates.Check(ReferenceGate("restarted", counts.restarted,
                                counts.restarted_corrupt));
    }
    gates.Check({.name = "background outputs",
                 .passed = counts.background_corrupt == 0,
                 .detail = absl::StrCat(counts.background_corrupt,
                                        " differ from float64")});
  }
  if (gates.status().ok()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(CanonicalText(key), ": ", gates.status().message()));
}

pb::Cell SafetyCell(const pb::CellKey& key, const SafetyCounts& counts) {
  pb::Cell cell;
  *cell.mutable_key() = key;
  const auto add = [&](const char* name, uint64_t value, uint64_t n) {
    *cell.add_metrics() = ScalarMetric(name, static_cast<double>(value), n);
  };
  if (key.discipline() == pb::POISON) {
    add("poison_caught", counts.urgent_corrupt, counts.urgent);
    // Abandoned tiles start over from clean copies: none of these is planted.
    add("corrupt", counts.restarted_corrupt + counts.background_corrupt,
        counts.restarted);
  } else {
    add("corrupt",
        counts.urgent_corrupt + counts.restarted_corrupt +
            counts.background_corrupt,
        counts.urgent + counts.restarted);
  }
  add("conflicts", counts.conflicts, counts.urgent);
  add("anomalies", counts.anomalies, counts.events);
  return cell;
}

}  // namespace tilebound::gpu
