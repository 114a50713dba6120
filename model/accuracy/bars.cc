#include "data/schema/metric.h"
#include "model/accuracy/bar.h"

namespace tilebound::model {
namespace {

using Rule = AccuracyBar::Rule;

bool OneTile(const pb::CellKey& key) { return key.period() == 1; }
bool UpToTwo(const pb::CellKey& key) { return key.period() <= 2; }
bool AtMost36(const pb::CellKey& key) { return key.blocks() <= 36; }
bool TwoAndMorePerSm(const pb::CellKey& key) { return key.blocks() >= 144; }
bool Boundary(const pb::CellKey& key) {
  return key.arm() == pb::COOPERATIVE && key.site() == pb::BOUNDARY;
}
bool Stage(const pb::CellKey& key) {
  return key.arm() == pb::COOPERATIVE && key.site() == pb::STAGE;
}
// The source calls the overhead of 72 blocks unsound: bistable placement.
bool SoundOverhead(const pb::CellKey& key) {
  return OneTile(key) && key.blocks() != 72;
}
// The fit reads the overheads of stage sites and sync_flag at K = 256.
bool TensorOverheadNotFitted(const pb::CellKey& key) {
  const bool fitted =
      key.k() == 256 && key.site() == pb::STAGE &&
      key.discipline() == pb::DRAIN &&
      (key.variant() == "pipelined_flag" || key.variant() == "sync_flag");
  return key.arm() == pb::COOPERATIVE && !fitted;
}
bool CooperativeOnA10(const pb::CellKey& key) {
  return key.arm() == pb::COOPERATIVE && key.kernel() == "sgemm64";
}
bool ReservedNotFitted(const pb::CellKey& key) {
  return key.arm() == pb::RESERVED &&
         !(key.reserve() == 8 && key.urgent_tiles() == 1);
}
bool OneOpenSlot(const pb::CellKey& key) { return key.blocks() == 287; }
bool OnePerSm(const pb::CellKey& key) { return key.blocks() == 72; }

AccuracyBar Mean(std::string name, std::string surface, std::string metric,
                 double q, double limit) {
  return {name, surface, metric, q, Rule::kMeanError, limit, 0, 0, nullptr};
}

AccuracyBar Each(std::string name, std::string surface, std::string metric,
                 double q, double quanta, double limit,
                 bool (*applies)(const pb::CellKey&)) {
  return {name, surface, metric, q, Rule::kWithin, limit, quanta, 0, applies};
}

AccuracyBar Points(std::string name, std::string surface, std::string metric,
                   double limit, bool (*applies)(const pb::CellKey&)) {
  return {name, surface, metric, 0, Rule::kPoints, limit, 0, 0, applies};
}

std::vector<AccuracyBar> MakeBars() {
  std::vector<AccuracyBar> bars;
  const auto add = [&](AccuracyBar bar) { bars.push_back(std::move(bar)); };
  // One build of the kernel, and another with the same parameters.
  add(Mean("A10, p50", "a10_reference", kLatency, 0.5, 2.5));
  add(Each("A10, p50 cell by cell", "a10_reference", kLatency, 0.5, 1, 5,
           nullptr));
  add(Mean("A10, p99", "a10_reference", kLatency, 0.99, 4));
  add({"A10, p99 cell by cell", "a10_reference", kLatency, 0.99, Rule::kWithin,
       6, 1, 20, nullptr});
  add(Mean("A10 first build, p50", "a10_first_build", kLatency, 0.5, 5));
  add(Mean("A10 first build, p99", "a10_first_build", kLatency, 0.99, 8));
  // Nothing of these was fitted.
  add(Each("A100 boundary, p50", "a100_sgemm64", kLatency, 0.5, 1, 6,
           Boundary));
  add(Each("A100 boundary, p99", "a100_sgemm64", kLatency, 0.99, 0, 10,
           Boundary));
  add(Each("A100 cp.async stage, p50", "a100_sgemm64_cpasync", kLatency, 0.5, 1,
           6, Stage));
  add(Each("A100 cp.async stage, p99", "a100_sgemm64_cpasync", kLatency, 0.99,
           0, 10, Stage));
  add(Each("A10 cp.async boundary, p50", "a10_sgemm64_cpasync", kLatency, 0.5,
           1, 6, Boundary));
  add(Each("A10 cp.async boundary, p99", "a10_sgemm64_cpasync", kLatency, 0.99,
           0, 10, Boundary));
  add(Each("A10 cp.async stage, p50", "a10_sgemm64_cpasync", kLatency, 0.5, 1,
           6, Stage));
  add(Each("A10 cp.async stage, p99", "a10_sgemm64_cpasync", kLatency, 0.99, 0,
           10, Stage));
  for (double q : {0.5, 0.99}) {
    const std::string p = q == 0.5 ? ", p50" : ", p99";
    add(Each("tensor core boundary" + p, "a10_tensor128", kLatency, q, 1, 5,
             Boundary));
    add(Each("tensor core stage" + p, "a10_tensor128", kLatency, q, 1, 5,
             Stage));
  }
  for (double q : {0.5, 0.9, 0.95, 0.99}) {
    add(Each("A100 quantile " + std::to_string(q).substr(0, 4),
             "a100_heldout_measured", kLatency, q, 1, 3, nullptr));
  }
  for (double q : {0.5, 0.9}) {
    add(Each("A10 quantile " + std::to_string(q).substr(0, 3),
             "a10_heldout_measured", kLatency, q, 0, 6, nullptr));
  }
  // How far apart the blocks observe.
  add(Mean("spread, p50", "a10_first_build", kSpread, 0.5, 6));
  add(Mean("spread, p95", "a10_first_build", kSpread, 0.95, 6));
  add(Mean("spread, p99", "a10_first_build", kSpread, 0.99, 10));
  add(Each("first observer, p50, P <= 2", "a10_first_build", kFirst, 0.5, 2, 0,
           UpToTwo));
  add(Points("setter last, up to 36 blocks", "a10_first_build", kSetterLast, 12,
             AtMost36));
  add({"setter last, 2 and more blocks per SM", "a10_first_build", kSetterLast,
       0, Rule::kAtMost, 1, 0, 0, TwoAndMorePerSm});
  // What being interruptible costs.
  add(Points("overhead, A10, P = 1", "a10_reference", kOverhead, 1.5,
             SoundOverhead));
  add(Points("overhead, cp.async boundary", "a10_sgemm64_cpasync", kOverhead,
             1.5, Boundary));
  add(Points("overhead, cp.async stage", "a10_sgemm64_cpasync", kOverhead, 1.5,
             Stage));
  add(Points("overhead, tensor core, not fitted", "a10_tensor128", kOverhead,
             1.5, TensorOverheadNotFitted));
  // Urgent work, end to end.
  add(Each("cooperative e2e, A10, p50", "a10_pareto", kE2e, 0.5, 0, 12,
           CooperativeOnA10));
  add(Each("cooperative e2e, A10, p99", "a10_pareto", kE2e, 0.99, 0, 20,
           CooperativeOnA10));
  add(Each("cooperative e2e, A100, p50", "a100_sgemm64", kE2e, 0.5, 0, 12,
           Boundary));
  add(Each("reserved e2e, p50, not fitted", "a10_pareto", kE2e, 0.5, 0, 10,
           ReservedNotFitted));
  add(Each("baseline, wait per queued task", "a10_baseline", "backlog_slope", 0,
           0, 5, nullptr));
  add(Each("baseline, one open slot", "a10_baseline", kWait, 0.5, 0, 10,
           OneOpenSlot));
  add(Each("baseline, one block per SM", "a10_baseline", kWait, 0.5, 0, 15,
           OnePerSm));
  return bars;
}

}  // namespace

const std::vector<AccuracyBar>& AccuracyBars() {
  static const auto* bars = new std::vector<AccuracyBar>(MakeBars());
  return *bars;
}

}  // namespace tilebound::model
