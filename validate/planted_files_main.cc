// planted_files: writes planted surfaces for tests of the whole command.
//
//   planted_files FOLDER 24       measured, predicted and fair .binpb with
//                                 whole histograms and tile times by slot
//   planted_files FOLDER 100000   the same number of cells, quantiles only
#include <iostream>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "data/schema/file.h"
#include "data/schema/metric.h"
#include "validate/planted.h"

namespace tilebound::validate {
namespace {

// What a careless page would run, or be broken by.
constexpr char kHostileName[] =
    "m</script><script>window.hacked=1</script><img src=x "
    "onerror=hacked()>&\"'";

void MakeWhole(pb::Surface& surface, double factor, uint64_t seed) {
  PlantedRandom random(seed);
  for (pb::Cell& cell : *surface.mutable_cells()) {
    const double median =
        factor * (10 + 0.15 * cell.key().blocks()) * cell.key().period();
    *cell.mutable_metrics(0) = HistogramMetric(
        kLatency, LognormalHistogram(median, 0.08, 9900, random));
    cell.mutable_metrics(1)->set_scalar(factor * 6 / cell.key().period());
    for (uint32_t slot = 0; cell.key().period() == 1 && slot < 4; ++slot) {
      pb::Metric tile = ScalarMetric(kTileTime, 0, 1000);
      *tile.mutable_quantiles() = pb::Quantiles();
      tile.mutable_quantiles()->add_q(0.5);
      tile.mutable_quantiles()->add_value(factor * (16 + 10 * slot));
      tile.set_slot(slot);
      *cell.add_metrics() = tile;
    }
  }
}

pb::Surface Many(uint64_t count) {
  PlantedOptions options;
  options.blocks.clear();
  options.period.clear();
  for (uint32_t period = 1; period <= 100; ++period) {
    options.period.push_back(period);
  }
  for (uint32_t blocks = 1; blocks <= (count + 99) / 100; ++blocks) {
    options.blocks.push_back(100 + blocks);
  }
  return PlantedSurface(options);
}

int Fail(const std::string& message) {
  std::cerr << "planted_files: " << message << std::endl;
  return 2;
}

int Write(const std::string& folder, uint64_t count) {
  pb::Surface measured = count <= 24 ? PlantedSurface({}) : Many(count);
  measured.set_name(kHostileName);
  pb::Surface predicted = Scaled(measured, 0.93);
  pb::Surface fair = Scaled(measured, 1.3);
  if (count <= 24) {
    MakeWhole(measured, 1, 1);
    MakeWhole(predicted, 0.93, 2);
    MakeWhole(fair, 1.3, 3);
    measured.mutable_cells(8)->mutable_metrics(1)->set_soft_reason(
        "<b>bistable</b> placement");
    *predicted.mutable_cells(9)->mutable_metrics(1) =
        AbsentMetric(kOverhead, pb::Metric::NOT_MODELLED, "no law for <this>");
  }
  predicted.set_name("planted_model");
  fair.set_name("planted_fair");
  fair.mutable_conditions()->set_sharing("fair");
  for (const auto& [name, surface] : {std::make_pair("measured", &measured),
                                      std::make_pair("predicted", &predicted),
                                      std::make_pair("fair", &fair)}) {
    const absl::Status written =
        WriteContent(folder + "/" + name + ".binpb", *surface);
    if (!written.ok()) return Fail(std::string(written.message()));
  }
  return 0;
}

}  // namespace
}  // namespace tilebound::validate

int main(int argc, char** argv) {
  uint64_t count;
  if (argc != 3 || !absl::SimpleAtoi(argv[2], &count)) {
    return tilebound::validate::Fail("usage: planted_files FOLDER CELLS");
  }
  return tilebound::validate::Write(argv[1], count);
}
