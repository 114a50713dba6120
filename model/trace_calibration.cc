#include "model/trace_calibration.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "model/slot_statistics.h"

namespace tilebound::model {
namespace {

// Depth and blocks per SM: what a set of traces measures together.
using Residency = std::pair<uint32_t, uint32_t>;
using Traces = std::vector<const CalibrationTrace*>;

std::string Of(uint32_t k, uint32_t blocks_per_sm) {
  return absl::StrCat(blocks_per_sm, blocks_per_sm == 1 ? " block" : " blocks",
                      " per SM at k ", k);
}

absl::Status CheckNames(const TraceCalibrationInput& input) {
  for (const CalibrationTrace& trace : input.traces) {
    const auto differs = [&](absl::string_view what, auto recorded,
                             auto asked) {
      return absl::InvalidArgumentError(
          absl::StrCat(trace.tiles.name, ": recorded with ", what, " ",
                       recorded, ", not ", asked));
    };
    const TraceTiles& tiles = trace.tiles;
    if (!tiles.part.empty() && tiles.part != input.part.name()) {
      return differs("part", tiles.part, input.part.name());
    }
    if (!tiles.kernel.empty() && tiles.kernel != input.kernel) {
      return differs("kernel", tiles.kernel, input.kernel);
    }
    if (tiles.k != 0 && tiles.k != trace.k) {
      return differs("k", tiles.k, trace.k);
    }
  }
  return absl::OkStatus();
}

// Six digits: more than any trace determines, few enough to read.
double Rounded(double value) {
  double rounded = value;
  return absl::SimpleAtod(absl::StrFormat("%.6g", value), &rounded) ? rounded
                                                                    : value;
}

// The tick that all traces of a set share, or 0.
int64_t QuantumOf(const Traces& traces) {
  const int64_t quantum_ps = traces.front()->tiles.quantum_ps;
  for (const CalibrationTrace* trace : traces) {
    if (trace->tiles.quantum_ps != quantum_ps) return 0;
  }
  return quantum_ps;
}

class Calibrator {
 public:
  explicit Calibrator(const TraceCalibrationInput& input) : input_(input) {}

  absl::StatusOr<TraceCalibration> Run() {
    TILEBOUND_RETURN_IF_ERROR(CheckNames(input_));
    TILEBOUND_RETURN_IF_ERROR(Sort());
    Start();
    NameMissingResidencies();
    for (const auto& [residency, traces] : by_residency_) {
      Measure(residency.first, residency.second, traces);
    }
    Declare();
    FitDepths();
    if (!input_.partial && !result_.missing.empty()) return Refusal();
    return std::move(result_);
  }

 private:
  absl::Status Sort() {
    for (const CalibrationTrace& trace : input_.traces) {
      Traces& traces = by_residency_[{trace.k, trace.tiles.blocks_per_sm}];
      if (!traces.empty() &&
          traces[0]->tiles.grid_blocks != trace.tiles.grid_blocks) {
        return absl::InvalidArgumentError(absl::StrCat(
            traces[0]->tiles.name, " and ", trace.tiles.name, " both measure ",
            Of(trace.k, trace.tiles.blocks_per_sm), ", with grids of ",
            traces[0]->tiles.grid_blocks, " and ", trace.tiles.grid_blocks,
            " blocks, which load the memory differently; give one of them"));
      }
      traces.push_back(&trace);
    }
    return absl::OkStatus();
  }

  void Start() {
    pb::Calibration& calibration = result_.calibration;
    calibration.set_part(input_.part.name());
    calibration.set_kernel(input_.kernel);
    calibration.set_sm_clock_mhz(input_.recipe.sm_clock_mhz());
    calibration.set_build(input_.recipe.build());
    std::vector<std::string> notes;
    for (const CalibrationTrace& trace : input_.traces) {
      if (trace.tiles.end.whole) continue;
      notes.push_back(absl::StrCat(trace.tiles.name,
                                   " was cut short: ", trace.tiles.end.why));
    }
    calibration.set_note(absl::StrJoin(notes, "; "));
  }

  // Every residency up to the fullest that was recorded at a depth.
  void NameMissingResidencies() {
    std::map<uint32_t, uint32_t> fullest;
    for (const auto& [residency, traces] : by_residency_) {
      fullest[residency.first] = residency.second;
    }
    for (const auto& [k, most] : fullest) {
      for (uint32_t c = 1; c < most; ++c) {
        if (by_residency_.count({k, c}) > 0) continue;
        const uint32_t blocks = c * input_.part.sm_count();
        result_.missing.push_back(absl::StrCat(
            c == 1 ? kTileTimeSolo : kTileTimeSlot, " of ", Of(k, c),
            " cannot be determined, as no trace has so many; record one with ",
            c == 1 ? "at most " : "", blocks, " blocks"));
      }
    }
  }

  void Measure(uint32_t k, uint32_t blocks_per_sm, const Traces& traces) {
    if (!Sufficient(k, blocks_per_sm, traces)) return;
    for (uint32_t slot = 0; slot < blocks_per_sm; ++slot) {
      MeasureSlot(k, blocks_per_sm, slot, traces);
    }
    const TileSums grid(Select(traces, [](const BlockTiles&) { return true; }),
                        QuantumOf(traces));
    const uint32_t blocks = traces[0]->tiles.grid_blocks;
    const std::string source = Source(traces, grid);
    Add(kTileTimeMean, {.k = k, .blocks = blocks}, grid.MeanByRateUs(), source);
    if (blocks_per_sm == 1) MeasureSolo(k, blocks, traces);
  }

  void MeasureSlot(uint32_t k, uint32_t blocks_per_sm, uint32_t slot,
                   const Traces& traces) {
    const TileSums sums(Select(traces,
                               [&](const BlockTiles& block) {
                                 return block.blocks_per_sm == blocks_per_sm &&
                                        block.slot == slot;
                               }),
                        QuantumOf(traces));
    const std::string source = Source(traces, sums);
    const CalibrationConditions at = {
        .k = k, .blocks_per_sm = blocks_per_sm, .slot = slot};
    const Estimate mean = sums.MeanUs();
    Add(kTileTimeSlot, at, mean, source);
    Add(kTileSpreadSlot, at, sums.Spread(), source);
    Add(kTileCorrelationSlot, at, sums.Correlation(), source);
    points_[{blocks_per_sm, slot}].push_back(
        {k, mean.value, mean.standard_error});
  }

  void MeasureSolo(uint32_t k, uint32_t blocks, const Traces& traces) {
    const TileSums sums(Select(traces,
                               [](const BlockTiles& block) {
                                 return block.blocks_per_sm == 1;
                               }),
                        QuantumOf(traces));
    const std::string source = Source(traces, sums);
    Add(kTileTimeSolo, {.k = k, .blocks = blocks}, sums.MeanUs(), source);
    // Of several depths, the first will do: it is the SM's, not the tile's.
    if (sm_spread_known_ || traces.size() > 1 ||
        traces[0]->tiles.blocks.size() < kLeastSmsForSpread) {
      return;
    }
    const double spread = sums.SpreadAmongBlocks();
    Add(kSmSpread, {}, {spread, 0, 0, 0}, source);
    sm_spread_known_ = true;
  }

  // Whether there are tiles enough in every block; says what is missing.
  bool Sufficient(uint32_t k, uint32_t blocks_per_sm, const Traces& traces) {
    for (const CalibrationTrace* trace : traces) {
      uint64_t kept = 0;
      const BlockTiles* least = nullptr;
      for (const BlockTiles& block : trace->tiles.blocks) {
        kept += block.tiles.size();
        if (least == nullptr || block.tiles.size() < least->tiles.size()) {
          least = &block;
        }
      }
      const double cut =
          static_cast<double>(trace->tiles.left_out.cut_by_events);
      if (cut > kMostCutShare * (cut + kept)) {
        result_.missing.push_back(absl::StrCat(
            trace->tiles.name, " cannot say what a tile takes: events cut ",
            trace->tiles.left_out.cut_by_events, " of ",
            trace->tiles.left_out.cut_by_events + kept,
            " tiles; record a run with longer gaps between events"));
        return false;
      }
      if (least == nullptr || least->tiles.size() < kLeastTilesPerBlock) {
        result_.missing.push_back(absl::StrCat(
            trace->tiles.name, ": slot ", least == nullptr ? 0 : least->slot,
            " of ", Of(k, blocks_per_sm), " cannot be determined: block ",
            least == nullptr ? 0 : least->block, " has ",
            least == nullptr ? 0 : least->tiles.size(), " undisturbed tiles, ",
            kLeastTilesPerBlock, " are needed; record for longer"));
        return false;
      }
    }
    return true;
  }

  template <typename Keep>
  static std::vector<const BlockTiles*> Select(const Traces& traces,
                                               Keep keep) {
    std::vector<const BlockTiles*> blocks;
    for (const CalibrationTrace* trace : traces) {
      for (const BlockTiles& block : trace->tiles.blocks) {
        if (keep(block)) blocks.push_back(&block);
      }
    }
    return blocks;
  }

  static std::string Source(const Traces& traces, const TileSums& sums) {
    std::vector<std::string> names;
    for (const CalibrationTrace* trace : traces) {
      // The folder is the user's own affair.
      names.push_back(
          trace->tiles.name.substr(trace->tiles.name.rfind('/') + 1));
    }
    return absl::StrCat("trace ", absl::StrJoin(names, ", "), ": ",
                        sums.tiles(), " tiles, batch means");
  }

  void Add(absl::string_view quantity, const CalibrationConditions& at,
           const Estimate& estimate, const std::string& source) {
    pb::CalibrationValue* value = result_.calibration.add_measured();
    value->set_quantity(std::string(quantity));
    value->set_unit(FindQuantityInfo(quantity)->unit);
    value->set_value(Rounded(estimate.value));
    value->set_k(at.k);
    value->set_blocks(at.blocks);
    value->set_blocks_per_sm(at.blocks_per_sm);
    value->set_slot(at.slot);
    value->set_low(Rounded(estimate.low));
    value->set_high(Rounded(estimate.high));
    value->set_source(source);
  }

  // What a recipe declares and the traces do not measure.
  void Declare() {
    for (const pb::CalibrationValue& value : input_.recipe.declared()) {
      if (FindCalibrationValue(result_.calibration, value.quantity(),
                               {.k = value.k(),
                                .blocks = value.blocks(),
                                .blocks_per_sm = value.blocks_per_sm(),
                                .slot = value.slot(),
                                .site = value.site(),
                                .variant = value.variant()}) == nullptr) {
        *result_.calibration.add_declared() = value;
      }
    }
  }

  void FitDepths() {
    for (const auto& [slot, points] : points_) {
      absl::StatusOr<DepthFit> fit = FitDepth(points);
      if (!fit.ok()) continue;
      result_.depth_fits.push_back(
          {slot.first, slot.second, points, *std::move(fit)});
    }
  }

  absl::Status Refusal() const {
    const size_t more = result_.missing.size() - 1;
    return absl::FailedPreconditionError(absl::StrCat(
        result_.missing[0],
        more == 0 ? "" : absl::StrCat("; and ", more, " more such"),
        "; --partial writes what is determined"));
  }

  // SMs below which the spread among them says nothing.
  static constexpr size_t kLeastSmsForSpread = 8;

  const TraceCalibrationInput& input_;
  TraceCalibration result_;
  std::map<Residency, Traces> by_residency_;
  // By blocks per SM and slot.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<DepthPoint>> points_;
  bool sm_spread_known_ = false;
};

}  // namespace

absl::StatusOr<TraceCalibration> CalibrateFromTraces(
    const TraceCalibrationInput& input) {
  if (input.traces.empty()) {
    return absl::InvalidArgumentError("no trace was given");
  }
  return Calibrator(input).Run();
}

}  // namespace tilebound::model
