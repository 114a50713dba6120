#include "model/tile_timing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/kernel.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

int64_t Picoseconds(double us) {
  return std::max<int64_t>(0, std::llround(us * 1e6));
}

// Puts the phases of one program together.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(const LookPlan& plan) : plan_(plan) {}

  // Phases of a kind that follow one another are one: nothing happens between
  // them that anybody else could see, and a tile costs fewer events.
  void Add(bool service, double us) {
    total_us_ += us;
    std::vector<Phase>& phases = timing_.phases;
    if (us == 0 && !phases.empty()) return;
    if (!phases.empty() && phases.back().service == service &&
        !phases.back().hands_on) {
      phases.back().duration_ps += Picoseconds(us);
    } else {
      phases.push_back({service, Picoseconds(us)});
    }
  }

  // A mark on the phase that comes next, which is of that kind and has no mark
  // yet. A first phase is a tile's start, whose mark is not to be had.
  void MarkNext(bool service, const Mark& mark) {
    std::vector<Phase>& phases = timing_.phases;
    if (phases.back().service != service || phases.back().mark != 0 ||
        phases.size() == 1) {
      phases.push_back({service, 0});
    }
    Mark moved = mark;
    moved.sample_offset_ps += phases.back().duration_ps;
    moved.observe_offset_ps += phases.back().duration_ps;
    phases.back().mark = static_cast<uint32_t>(timing_.marks.size());
    timing_.marks.push_back(moved);
  }

  // The start of a tile: B, then what the look there costs.
  void Boundary(double boundary_us) {
    Mark& start = timing_.marks[0];
    start.samples = start.decides = plan_.looks_at_boundary();
    double sample_us = boundary_us / 2;
    double observe_us = boundary_us;
    if (start.decides && plan_.exposed_round_trip &&
        plan_.site == pb::BOUNDARY) {
      sample_us = boundary_us + PerLook(plan_.round_trip_us) / 2;
      observe_us += PerLook(plan_.round_trip_us);
    }
    observe_us += PerTile(plan_.tile_us - plan_.tile_service_us);
    start.sample_offset_ps = Picoseconds(sample_us);
    start.observe_offset_ps = Picoseconds(observe_us);
    Add(false, observe_us);
  }

  // A look inside the tile, after the wait of a chunk or before it.
  void LookInside() {
    const double round_trip =
        plan_.exposed_round_trip ? PerLook(plan_.round_trip_us) : 0;
    const double cost =
        round_trip + PerLook(plan_.site_us - plan_.site_service_us);
    // A phase of its own: everybody waits for the answer.
    timing_.phases.push_back(
        {.service = false, .duration_ps = 0, .mark = 0, .hands_on = true});
    MarkNext(false, {.samples = true,
                     .decides = true,
                     .inside = true,
                     .sample_offset_ps = Picoseconds(
                         plan_.exposed_round_trip ? round_trip / 2 : 0),
                     .observe_offset_ps = Picoseconds(cost)});
    total_us_ += cost;
    timing_.phases.back().duration_ps = Picoseconds(cost);
  }

  void Chunk(double latency_us, double service_us, bool first) {
    if (plan_.site == pb::ISSUE) LookInside();
    Add(false, latency_us);
    if (plan_.site == pb::STAGE) LookInside();
    // The flag is on its way while the chunk is computed; the barrier that
    // releases the chunk's buffer decides.
    if (plan_.site == pb::FOLDED) {
      MarkNext(true, {.samples = true, .inside = true});
    }
    Add(true, (first ? PerTile(plan_.tile_service_us) : 0) +
                  (plan_.looks_inside() ? PerLook(plan_.site_service_us) : 0) +
                  service_us);
    if (plan_.site == pb::FOLDED) {
      MarkNext(false, {.decides = true, .inside = true});
    }
  }

  double total_us() const { return total_us_; }
  TileTiming Take() { return std::move(timing_); }

 private:
  // A block pays for a look only where it looks: on the average over a period.
  double PerLook(double us) const { return us / plan_.period; }
  // At boundary sites a tile is a site; inside, a tile pays for being one that
  // can be abandoned whether or not anybody looks.
  double PerTile(double us) const {
    return plan_.site == pb::BOUNDARY ? PerLook(us) : us;
  }

  const LookPlan& plan_;
  TileTiming timing_;
  double total_us_ = 0;
};

// Mean over the programs of what `of` says of a phase.
template <typename Of>
int64_t MeanOverPrograms(const TileTiming& timing, Of of) {
  double sum = 0;
  double weights = 0;
  for (const ProgramSpan& span : timing.Spans()) {
    int64_t length = 0;
    for (uint32_t i = span.first; i < span.end; ++i) {
      length += of(timing.phases[i]);
    }
    sum += span.weight * static_cast<double>(length);
    weights += span.weight;
  }
  return std::llround(sum / weights);
}

}  // namespace

std::vector<ProgramSpan> TileTiming::Spans() const {
  if (!programs.empty()) return programs;
  return {{0, static_cast<uint32_t>(phases.size()), 1.0}};
}

int64_t TileTiming::SoloPs() const {
  return MeanOverPrograms(*this,
                          [](const Phase& phase) { return phase.duration_ps; });
}

int64_t TileTiming::ServicePs() const {
  return MeanOverPrograms(*this, [](const Phase& phase) {
    return phase.service ? phase.duration_ps : 0;
  });
}

uint32_t TileTiming::LeastLooks() const {
  uint32_t least = std::numeric_limits<uint32_t>::max();
  for (const ProgramSpan& span : Spans()) {
    uint32_t looks = marks[0].decides ? 1 : 0;
    for (uint32_t i = span.first; i < span.end; ++i) {
      if (phases[i].mark != 0 && marks[phases[i].mark].decides) ++looks;
    }
    least = std::min(least, looks);
  }
  return least;
}

absl::StatusOr<TileParameters> ReadTileParameters(
    const pb::Calibration& calibration, const pb::TileProgram& program) {
  const CalibrationConditions at_k = {.k = program.reference_k()};
  TileParameters parameters;
  TILEBOUND_ASSIGN_OR_RETURN(
      parameters.service_us,
      CalibrationNumber(calibration, kServiceTime, at_k));
  if (program.relative_service() > 0) {
    parameters.service_us *= program.relative_service();
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      parameters.latency_us,
      CalibrationNumber(calibration, kMemoryLatency, at_k));
  TILEBOUND_ASSIGN_OR_RETURN(
      parameters.latency_load_us2,
      CalibrationNumber(calibration, kMemoryLatencyLoad, at_k));
  TILEBOUND_ASSIGN_OR_RETURN(parameters.boundary_us,
                             CalibrationNumber(calibration, kBoundaryTime));
  TILEBOUND_ASSIGN_OR_RETURN(parameters.service_spread,
                             CalibrationNumber(calibration, kServiceSpread));
  TILEBOUND_ASSIGN_OR_RETURN(parameters.sm_spread,
                             CalibrationNumber(calibration, kSmSpread));
  const pb::CalibrationValue* fetch =
      FindCalibrationValue(calibration, kAtomicRoundTrip);
  if (fetch != nullptr) parameters.fetch_us = fetch->value();
  if (!(parameters.sm_spread * kMostSmDeviations < 1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the calibration of ", calibration.kernel(), " on ", calibration.part(),
        " has ", kSmSpread, " ", parameters.sm_spread,
        "; under 1/3.5 is accepted, because SMs are drawn up to ",
        kMostSmDeviations, " deviations apart from the mean"));
  }
  if (const pb::CalibrationValue* unclaimed =
          FindCalibrationValue(calibration, kUnclaimedShare);
      unclaimed != nullptr) {
    parameters.unclaimed_share = unclaimed->value();
    if (parameters.unclaimed_share > 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the calibration of ", calibration.kernel(), " on ",
          calibration.part(), " has ", kUnclaimedShare, " ",
          parameters.unclaimed_share, "; a part of 0 to 1 is accepted"));
    }
  }
  return parameters;
}

absl::StatusOr<TileTiming> MakeTileTiming(const pb::TileProgram& program,
                                          const TileParameters& parameters,
                                          uint32_t k, double load,
                                          const LookPlan& plan) {
  const double reference_chunks = program.reference_k() / program.chunk_k();
  const uint32_t chunks = k / program.chunk_k();
  const double latency_us =
      std::max(parameters.boundary_us,
               parameters.latency_us + parameters.latency_load_us2 * load);
  const double fetch_us =
      std::clamp(parameters.fetch_us, parameters.boundary_us, latency_us);
  const double chunk_latency_us = (latency_us - fetch_us) / reference_chunks;
  // With buffers in flight the copies of later chunks hide behind the compute
  // of earlier ones, and what is left to wait for is the first.
  const bool pipelined = program.pipeline_stages() > 1;
  const double fill_us = chunk_latency_us * reference_chunks;
  const double wait_us = pipelined ? fill_us : chunks * chunk_latency_us;
  const double chunk_service_us =
      parameters.service_us * program.chunk_service_share();
  const double epilogue_us =
      parameters.service_us * program.epilogue_service_share();
  // Before anything is rounded to picoseconds, for which it may be too large,
  // and before as many phases are made as a large k has.
  const auto check = [&](double solo_us) -> absl::Status {
    const double most_us = solo_us *
                           (1 + Random::kMostLate * parameters.service_spread) *
                           (1 + kMostSmDeviations * parameters.sm_spread);
    if (solo_us >= kLeastTilePs * 1e-6 && most_us <= kMostTilePs * 1e-6) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        absl::StrCat("a tile of k ", k, " takes ", solo_us, " to ", most_us,
                     " us by its calibration; accepted are ",
                     kLeastTilePs * 1e-6, " to ", kMostTilePs * 1e-6, " us"));
  };
  TILEBOUND_RETURN_IF_ERROR(
      check(fetch_us + epilogue_us + wait_us + chunks * chunk_service_us));
  ProgramBuilder builder(plan);
  builder.Boundary(parameters.boundary_us);
  builder.Add(false, fetch_us - parameters.boundary_us);
  for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
    const double chunk_wait_us = !pipelined   ? chunk_latency_us
                                 : chunk == 0 ? fill_us
                                              : 0;
    builder.Chunk(chunk_wait_us, chunk_service_us, chunk == 0);
  }
  builder.Add(true, epilogue_us);
  TILEBOUND_RETURN_IF_ERROR(check(builder.total_us()));
  TileTiming timing = builder.Take();
  timing.stale_looks = plan.stale_looks;
  timing.drain_ps =
      plan.drains && pipelined ? Picoseconds(chunk_latency_us) : 0;
  timing.service_spread = parameters.service_spread;
  timing.sm_spread = parameters.sm_spread;
  timing.unclaimed_share = parameters.unclaimed_share;
  return timing;
}

absl::StatusOr<TileTiming> MakeKernelTiming(
    const pb::Kernel& kernel, const std::vector<TileParameters>& parameters,
    uint32_t k, double rate, const LookPlan& plan) {
  TileTiming mix;
  double depths = 0;
  double weights = 0;
  for (const pb::TileProgram& program : kernel.programs()) {
    depths += program.weight() * DepthOf(program, k) / program.reference_k();
    weights += program.weight();
  }
  const double load = rate * depths / weights;
  for (int i = 0; i < kernel.programs_size(); ++i) {
    const pb::TileProgram& program = kernel.programs(i);
    TILEBOUND_ASSIGN_OR_RETURN(
        TileTiming timing,
        MakeTileTiming(program, parameters[static_cast<size_t>(i)],
                       DepthOf(program, k), load, plan));
    if (i == 0) {
      mix = timing;
      mix.phases.clear();
      mix.marks.resize(1);
    }
    const auto first = static_cast<uint32_t>(mix.phases.size());
    const auto marks = static_cast<uint32_t>(mix.marks.size()) - 1;
    for (Phase& phase : timing.phases) {
      if (phase.mark != 0) phase.mark += marks;
      mix.phases.push_back(phase);
    }
    mix.marks.insert(mix.marks.end(), timing.marks.begin() + 1,
                     timing.marks.end());
    mix.drain_ps = std::max(mix.drain_ps, timing.drain_ps);
    mix.programs.push_back(
        {first, static_cast<uint32_t>(mix.phases.size()), program.weight()});
  }
  return mix;
}

}  // namespace tilebound::model
