#include "gpu/suites/calibrate.h"

#include <algorithm>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "data/schema/kernel.h"
#include "data/schema/metric.h"
#include "gpu/harness/persistent_run.h"
#include "gpu/suites/beside.h"
#include "gpu/suites/calibrate_kernels.h"
#include "gpu/suites/overhead.h"
#include "gpu/suites/tile_times.h"
#include "gpu/suites/urgent_launch.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kRunNs = 20'000'000;
constexpr uint32_t kRepetitions = 3;
// Recorded tiles a block, the first of which are left out.
constexpr uint32_t kRecordedTiles = 220;
constexpr uint32_t kWarmupTiles = 20;
// And one that loads the code.
constexpr uint32_t kLaunches = 64;

std::vector<uint32_t> KsOf(TileKind tile) {
  if (tile == TileKind::kTensor128) return {128, 256, 512};
  return {32, 64, 128};
}

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Mean time of a block's tile, over the blocks of a slot, or of all.
double MeanTileUs(const RunLog& log, int slot) {
  double us = 0, tiles = 0;
  for (const BlockInfo& info : log.block) {
    if (slot >= 0 && info.slot != static_cast<uint32_t>(slot)) continue;
    us += static_cast<double>(info.end_ns - info.start_ns) / 1e3;
    tiles += static_cast<double>(info.tiles);
  }
  return tiles == 0 ? 0 : us / tiles;
}

class Calibrator {
 public:
  explicit Calibrator(SuiteContext& context) : context_(context) {}

  absl::StatusOr<pb::Cell> Measure(const pb::Kernel& kernel,
                                   const pb::CellKey& key) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    TILEBOUND_ASSIGN_OR_RETURN(work_, context_.Work(tile, key.k()));
    pb::Cell cell;
    *cell.mutable_key() = key;
    TILEBOUND_RETURN_IF_ERROR(MeasureMeans(kernel, cell));
    TILEBOUND_RETURN_IF_ERROR(MeasureDistribution(kernel, cell));
    return cell;
  }

  // Costs of single sites, small costs, launch delay; then the file.
  absl::Status WriteCalibration(const pb::Kernel& kernel) {
    calibration_ = {};
    calibration_.set_part(context_.device->part().name());
    calibration_.set_kernel(kernel.name());
    if (!context_.clocks_mhz.empty()) {
      calibration_.set_sm_clock_mhz(MedianOf(context_.clocks_mhz));
    }
    TILEBOUND_ASSIGN_OR_RETURN(const std::string code,
                               context_.device->MachineCode(AllKernels()[0]));
    calibration_.set_build(code);
    FromCells(kernel);
    TILEBOUND_RETURN_IF_ERROR(AddSmallCosts());
    TILEBOUND_RETURN_IF_ERROR(AddSiteCosts(kernel));
    TILEBOUND_RETURN_IF_ERROR(AddLaunchDelay(kernel));
    if (context_.out_dir.empty()) return absl::OkStatus();
    const std::string path = absl::StrCat(context_.out_dir, "/calibration.",
                                          kernel.name(), ".textproto");
    TILEBOUND_RETURN_IF_ERROR(WriteContent(path, calibration_));
    std::cerr << "wrote " << path << std::endl;
    return absl::OkStatus();
  }

 private:
  // Uninstrumented runs without events: means by slot and makespan.
  absl::Status MeasureMeans(const pb::Kernel& kernel, pb::Cell& cell) {
    pb::CellKey key = cell.key();
    key.set_setter(pb::HOST);
    TILEBOUND_ASSIGN_OR_RETURN(const Plan plan,
                               PlanCell(*context_.device, kernel, key));
    TILEBOUND_ASSIGN_OR_RETURN(const Probe probe, ProbeGrid(*work_, plan));
    TILEBOUND_ASSIGN_OR_RETURN(const RunLength length,
                               LengthForTime(probe, kRunNs, key.blocks(), 64));
    std::vector<double> mean, makespan;
    std::vector<std::vector<double>> by_slot(plan.blocks_per_sm);
    for (uint32_t i = 0; i < kRepetitions; ++i) {
      TILEBOUND_ASSIGN_OR_RETURN(const RunLog log,
                                 RunBackground(*work_, plan, length));
      if (log.most_blocks_on_an_sm != plan.blocks_per_sm) {
        return absl::FailedPreconditionError(
            absl::StrCat("uneven placement: ", log.most_blocks_on_an_sm,
                         " blocks on one SM, planned ", plan.blocks_per_sm));
      }
      mean.push_back(MeanTileUs(log, -1));
      makespan.push_back(log.makespan_us);
      for (uint32_t slot = 0; slot < plan.blocks_per_sm; ++slot) {
        by_slot[slot].push_back(MeanTileUs(log, static_cast<int>(slot)));
      }
      context_.clocks_mhz.push_back(log.clock_mhz);
    }
    *cell.add_metrics() =
        ScalarMetric("tile_time_mean", MedianOf(mean), length.tasks);
    *cell.add_metrics() =
        ScalarMetric(kMakespan, MedianOf(makespan), length.tasks);
    for (uint32_t slot = 0; slot < plan.blocks_per_sm; ++slot) {
      slot_means_[Fingerprint(cell.key())].push_back(MedianOf(by_slot[slot]));
    }
    return absl::OkStatus();
  }

  // A recorded run: the distribution of tile times by slot.
  absl::Status MeasureDistribution(const pb::Kernel& kernel, pb::Cell& cell) {
    TILEBOUND_ASSIGN_OR_RETURN(
        const KernelVariant variant,
        VariantOfKey(cell.key(), Recording::kTrace, Control::kPolling));
    RunRequest request;
    TILEBOUND_ASSIGN_OR_RETURN(
        request.plan,
        PlanVariant(*context_.device, kernel, variant, cell.key().blocks()));
    request.tasks = uint64_t{cell.key().blocks()} * kRecordedTiles;
    request.records_per_block = static_cast<uint32_t>(
        RecordsPerBlock(request.tasks, cell.key().blocks()));
    TILEBOUND_ASSIGN_OR_RETURN(PersistentRun run,
                               PersistentRun::Make(*work_, request));
    TILEBOUND_RETURN_IF_ERROR(run.Launch());
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log, run.Finish());
    TileTimes times(context_.device->facts().timer_tick_ns);
    const std::vector<RecorderBlock> blocks = run.recorder()->ReadBlocks();
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      times.Add(log.block[b].slot,
                run.recorder()->ReadRing(
                    b, UsedRecords(blocks[b], request.records_per_block)),
                kWarmupTiles);
    }
    for (uint32_t slot = 0; slot < times.by_slot.size(); ++slot) {
      if (times.by_slot[slot].count() == 0) continue;
      *cell.add_metrics() = HistogramMetric(kTileTime, times.by_slot[slot]);
      cell.mutable_metrics(cell.metrics_size() - 1)->set_slot(slot);
    }
    *cell.add_metrics() = HistogramMetric("tile_wall", times.wall);
    return absl::OkStatus();
  }

  void Add(pb::CalibrationValue value, const char* quantity, double number,
           const std::string& source) {
    value.set_quantity(quantity);
    value.set_unit(FindQuantityInfo(quantity)->unit);
    value.set_value(number);
    value.set_source(absl::StrCat("//gpu:sweep --suite=calibrate: ", source));
    *calibration_.add_measured() = std::move(value);
  }

  void FromCells(const pb::Kernel& kernel) {
    const uint32_t sms = context_.device->sm_count();
    for (const pb::Cell& cell : context_.results->surface().cells()) {
      const pb::CellKey& key = cell.key();
      const pb::Metric* mean = FindMetric(cell, "tile_time_mean");
      if (key.kernel() != kernel.name() || mean == nullptr) continue;
      pb::CalibrationValue at;
      at.set_k(key.k());
      at.set_blocks(key.blocks());
      const char* uninstrumented = "median of 3 uninstrumented runs";
      Add(at, key.blocks() <= sms ? kTileTimeSolo : kTileTimeMean,
          mean->scalar(), uninstrumented);
      Add(at, "makespan", FindMetric(cell, kMakespan)->scalar(),
          absl::StrCat("time for ", FindMetric(cell, kMakespan)->n(),
                       " tiles"));
      const pb::Metric* wall = FindMetric(cell, "tile_wall");
      if (wall != nullptr) {
        Add(at, kTileWallP99, *MetricQuantile(*wall, 0.99), "recorded run");
      }
      if (key.blocks() % sms != 0) continue;
      pb::CalibrationValue slot_at;
      slot_at.set_k(key.k());
      slot_at.set_blocks_per_sm(key.blocks() / sms);
      const std::vector<double>& means = slot_means_[Fingerprint(key)];
      for (uint32_t slot = 0; slot < means.size(); ++slot) {
        slot_at.set_slot(slot);
        Add(slot_at, kTileTimeSlot, means[slot], uninstrumented);
      }
    }
  }

  absl::Status AddSmallCosts() {
    const SmallCosts costs = MeasureSmallCosts();
    if (!costs.error.empty()) return absl::UnavailableError(costs.error);
    Add({}, "flag_round_trip", costs.flag_round_trip_us,
        "chain of relaxed loads of one thread");
    Add({}, "barrier_cost", costs.barrier_us,
        "chain of barriers of 256 threads alone on an SM");
    return absl::OkStatus();
  }

  // At one block an SM, where nothing hides it: the overhead of a tile over the
  // looks in it.
  absl::Status AddSiteCosts(const pb::Kernel& kernel) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    pb::CellKey key = KeyOf(context_, tile, context_.device->sm_count());
    TILEBOUND_ASSIGN_OR_RETURN(const Workload* work,
                               context_.Work(tile, key.k()));
    const uint32_t chunks = key.k() / ShapeOf(tile).chunk_k;
    for (const pb::Site site :
         {pb::BOUNDARY, pb::STAGE, pb::ISSUE, pb::FOLDED}) {
      for (const char* variant : {"default", "pipelined_flag"}) {
        key.set_site(site);
        key.set_variant(variant);
        if (!ValidateCellForKernel(key, kernel).ok()) continue;
        const auto metrics =
            MeasureOverhead(*context_.device, kernel, key, *work);
        if (absl::IsUnavailable(metrics.status())) return metrics.status();
        // Not instantiated, or refused because it spills.
        if (!metrics.ok()) continue;
        const pb::Metric& overhead = (*metrics)[0];
        if (overhead.status() != pb::Metric::OK) continue;
        const double percent = overhead.scalar();
        const pb::Metric& makespan = metrics->back();
        const double tile_us = makespan.scalar() * key.blocks() /
                               static_cast<double>(makespan.n());
        const uint32_t looks = site == pb::BOUNDARY ? 1
                               : site == pb::FOLDED ? chunks + 1
                                                    : chunks;
        pb::CalibrationValue at;
        at.set_site(SiteName(site));
        at.set_variant(variant);
        Add(at, "site_cost",
            std::max(0.0, percent / (100 + percent) * tile_us / looks),
            "overhead at one block an SM over the looks of a tile");
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddLaunchDelay(const pb::Kernel& kernel) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    TILEBOUND_ASSIGN_OR_RETURN(const Workload* work,
                               context_.Work(tile, UsualK(tile)));
    TILEBOUND_ASSIGN_OR_RETURN(
        auto urgent, UrgentLaunches::Make(*work, UrgentKernel(tile, false), 0,
                                          1, kLaunches + 1));
    for (uint32_t i = 0; i < kLaunches; ++i) {
      TILEBOUND_RETURN_IF_ERROR(urgent->Launch());
    }
    TILEBOUND_ASSIGN_OR_RETURN(
        const UrgentLog log,
        urgent->Finish(context_.device->facts().timer_tick_ns));
    for (const pb::Metric& metric : UrgentMetrics(log, kLaunches / 4)) {
      if (metric.name() != kWait) continue;
      const auto p50 = MetricQuantile(metric, 0.5);
      if (p50.has_value()) {
        Add({}, "launch_delay", *p50,
            absl::StrCat("p50 of launches on an idle GPU; ",
                         ClockNote(log.clocks)));
      }
    }
    return absl::OkStatus();
  }

  SuiteContext& context_;
  const Workload* work_ = nullptr;
  pb::Calibration calibration_;
  // By the fingerprint of the cell.
  std::map<std::string, std::vector<double>> slot_means_;
};

}  // namespace

absl::StatusOr<std::vector<pb::CellKey>> CalibrateCells(
    const SuiteContext& context) {
  std::vector<pb::CellKey> keys;
  const uint32_t sms = context.device->sm_count();
  for (const pb::Kernel& kernel : context.kernels) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    std::vector<uint32_t> grids = {1, sms / 2};
    for (uint32_t per_sm = 1; per_sm <= kernel.min_blocks_per_sm(); ++per_sm) {
      grids.push_back(per_sm * sms);
    }
    for (uint32_t k : KsOf(tile)) {
      for (uint32_t blocks : grids) {
        keys.push_back(KeyOf(context, tile, blocks));
        keys.back().set_k(k);
      }
    }
  }
  return keys;
}

absl::Status RunCalibrate(SuiteContext& context) {
  Calibrator calibrator(context);
  TILEBOUND_RETURN_IF_ERROR(
      ForEachCell(context, CalibrateCells, kTileTime,
                  [&](const pb::Kernel& kernel, const pb::CellKey& key) {
                    return calibrator.Measure(kernel, key);
                  }));
  for (const pb::Kernel& kernel : context.kernels) {
    TILEBOUND_RETURN_IF_ERROR(calibrator.WriteCalibration(kernel));
  }
  return absl::OkStatus();
}

}  // namespace tilebound::gpu
