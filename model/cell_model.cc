#include "model/cell_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "data/schema/kernel.h"
#include "model/occupancy.h"
#include "model/random.h"
#include "model/stationary.h"

namespace tilebound::model {
namespace {

// Names of random streams within a cell, so that no two uses share one.
constexpr uint64_t kSpeedStream = 1;
constexpr uint64_t kRateStream = 2;
constexpr uint64_t kClockStream = 4;

// The stretch that a tile rate is counted over: so long, and so many tiles.
constexpr int64_t kRateWarmupPs = 2'000'000'000;
constexpr int64_t kRateLengthPs = 40'000'000'000;
constexpr int64_t kRateWarmupTiles = 50;
constexpr int64_t kRateTiles = 1000;

// Who counts tiles has no use for looks.
const std::vector<Mark> kNoLooks = {Mark{}};

constexpr double kMostSetterDelayUs = 100'000;

// Tile rate of the grid with the timing that it has now, in tiles/us.
double GridRate(const CellModel& cell) {
  // Long enough for a slow kernel too: the rate is a count of tiles.
  const int64_t warmup_ps =
      std::max(kRateWarmupPs, kRateWarmupTiles * cell.FairTilePs());
  const int64_t length_ps =
      std::max(kRateLengthPs, kRateTiles * cell.FairTilePs());
  double rate = 0;
  uint32_t sm = 0;
  while (sm < cell.placement.busy_sms()) {
    const uint32_t blocks = cell.placement.BlocksOn(sm);
    uint32_t alike = 0;
    while (sm < cell.placement.busy_sms() &&
           cell.placement.BlocksOn(sm) == blocks) {
      ++alike;
      ++sm;
    }
    const StationaryTrace trace(cell.MakeServer(blocks, kRateStream, 1.0),
                                kNoLooks, warmup_ps, length_ps, 1);
    rate += alike * static_cast<double>(trace.TilesInStretch()) /
            (static_cast<double>(length_ps) * 1e-6);
  }
  return rate;
}

// The load raises the latency, which lowers the load: iterates to where both
// agree to 0.02 %, or to 1 % where counting whole tiles allows no better.
absl::Status SolveLoad(const pb::Kernel& kernel,
                       const std::vector<TileParameters>& parameters,
                       uint32_t k, const LookPlan& plan, CellModel* cell) {
  double change = 0;
  for (int round = 0; round < 20; ++round) {
    TILEBOUND_ASSIGN_OR_RETURN(
        cell->timing,
        MakeKernelTiming(kernel, parameters, k, cell->tile_rate, plan));
    const double next = GridRate(*cell);
    change = std::abs(next - cell->tile_rate) / next;
    cell->tile_rate = next;
    if (change <= 2e-4) return absl::OkStatus();
  }
  if (change <= 0.01) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the grid's load does not settle: with ", kMemoryLatencyLoad,
                   " ", parameters[0].latency_load_us2,
                   " us per tile/us the tile rate still moves by ",
                   100 * change, " % a round; a smaller one is accepted"));
}

// The iid baseline takes its means from fair sharing and its spread from the
// published tail of single tiles at saturation; alone on an SM a block has the
// service spread only.
std::vector<LognormalTile> IidTiles(const CellModel& cell, double p99_ratio) {
  const double solo = static_cast<double>(cell.timing.SoloPs());
  const double service = static_cast<double>(cell.timing.ServicePs());
  std::vector<LognormalTile> tiles;
  for (uint32_t c = 0; c <= cell.placement.most_blocks_per_sm(); ++c) {
    tiles.push_back(
        {static_cast<int64_t>(std::max(solo, c * service)),
         c <= 1 ? cell.timing.service_spread : LogDeviationFromP99(p99_ratio)});
  }
  return tiles;
}

// Those that the grid has, and others that guests can make of them, as far as
// the calibration knows their slot tile times.
std::vector<uint32_t> Residencies(const Placement& placement,
                                  const pb::Calibration& calibration,
                                  uint32_t k, uint32_t most) {
  std::vector<uint32_t> residencies = {
      placement.BlocksOn(0), placement.BlocksOn(placement.busy_sms() - 1)};
  for (uint32_t blocks = 1; blocks <= most; ++blocks) {
    if (SlotTileTimes(calibration, k, blocks).ok()) {
      residencies.push_back(blocks);
    }
  }
  return residencies;
}

// Weights for more blocks than any known residency: the last step down goes on.
SlotWeights Extrapolate(const SlotWeights& known, uint32_t blocks) {
  SlotWeights more = known;
  const size_t n = known.weights.size();
  const double ratio = n < 2 ? 1
                             : static_cast<double>(known.weights[n - 1]) /
                                   static_cast<double>(known.weights[n - 2]);
  while (more.weights.size() < blocks) {
    more.weights.push_back(std::max<int64_t>(
        1, std::llround(static_cast<double>(more.weights.back()) * ratio)));
  }
  return more;
}

// A delay that is no typing error, in picoseconds.
absl::StatusOr<int64_t> DelayPs(const pb::Calibration& calibration,
                                absl::string_view quantity) {
  TILEBOUND_ASSIGN_OR_RETURN(const double us,
                             CalibrationNumber(calibration, quantity));
  if (us <= kMostSetterDelayUs) return std::llround(us * 1e6);
  return absl::InvalidArgumentError(
      absl::StrCat("the calibration of ", calibration.kernel(), " on ",
                   calibration.part(), " has ", quantity, " ", us,
                   " us; up to ", kMostSetterDelayUs, " is accepted"));
}

// Nothing unless the calibration declares both values.
absl::StatusOr<ClockSag> ReadClockSag(const pb::Calibration& calibration) {
  ClockSag sag;
  for (const auto& [quantity, number] :
       {std::pair(kClockSagSlowdown, &sag.slowdown),
        std::pair(kClockSagShare, &sag.share)}) {
    if (const auto* value = FindCalibrationValue(calibration, quantity)) {
      *number = value->value();
    }
  }
  // A tile may be twice as long as MakeTileTiming allows, for the servers'
  // clocks; and what hardly ever happens has no length to be drawn.
  constexpr double kMostSlowdown = 2;
  constexpr double kLeastShare = 1e-4;
  if (sag.slowdown >= 1 && sag.slowdown <= kMostSlowdown && sag.share < 1 &&
      (sag.share == 0 || sag.share >= kLeastShare)) {
    return sag;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the calibration of ", calibration.kernel(), " on ", calibration.part(),
      " has ", kClockSagSlowdown, " ", sag.slowdown, " and ", kClockSagShare,
      " ", sag.share, "; 1 to ", kMostSlowdown, " and 0 or ", kLeastShare,
      " to under 1 are accepted"));
}

// How long a set takes to be visible, and what a claim is made of.
absl::Status ReadUrgentDelays(const pb::Calibration& calibration,
                              const pb::CellKey& key, CellModel* cell) {
  TILEBOUND_ASSIGN_OR_RETURN(cell->setter_delay_ps,
                             DelayPs(calibration, kSetterDelay));
  if (key.setter() == pb::HOST) {
    cell->host_setter = true;
    TILEBOUND_ASSIGN_OR_RETURN(const int64_t launch_ps,
                               DelayPs(calibration, kLaunchDelay));
    TILEBOUND_ASSIGN_OR_RETURN(const int64_t completion_ps,
                               DelayPs(calibration, kCompletionDelay));
    cell->setter_delay_ps += std::max<int64_t>(0, launch_ps - completion_ps);
  }
  // An atomic takes at least what reading the flag does.
  const char* round_trip = kBoundaryTime;
  for (const char* better : {kFlagRoundTrip, kClaimRoundTrip}) {
    if (FindCalibrationValue(calibration, better) != nullptr) {
      round_trip = better;
    }
  }
  TILEBOUND_ASSIGN_OR_RETURN(cell->claim_round_trip_ps,
                             DelayPs(calibration, round_trip));
  if (FindCalibrationValue(calibration, kBarrierCost) != nullptr) {
    TILEBOUND_ASSIGN_OR_RETURN(cell->claim_barrier_ps,
                               DelayPs(calibration, kBarrierCost));
  }
  return absl::OkStatus();
}

}  // namespace

int64_t CellModel::FairTilePs() const {
  return std::max(timing.SoloPs(),
                  timing.ServicePs() * placement.most_blocks_per_sm());
}

double CellModel::SmScale(uint32_t sm) const {
  Random random(StreamSeed({stream, kSpeedStream, sm}));
  return 1 + timing.sm_spread * random.Bell();
}

SmServer CellModel::MakeServer(uint32_t blocks, uint64_t name,
                               double scale) const {
  const Random random(StreamSeed({stream, name}));
  if (sharing != Sharing::kSlot) {
    // The baseline is textbook processor sharing, which wastes nothing.
    TileTiming fair = timing;
    fair.unclaimed_share = 0;
    return SmServer(fair, GeometricWeights(blocks, 1), random, scale);
  }
  const auto known = slot_sharing.find(blocks);
  const SlotWeights share =
      known != slot_sharing.end()
          ? known->second
          : Extrapolate(slot_sharing.rbegin()->second, blocks);
  return SmServer(ScaleService(timing, share.service_scale), share.weights,
                  random, scale);
}

ClockSagSchedule CellModel::MakeClock() const {
  return ClockSagSchedule(clock_sag,
                          Random(StreamSeed({stream, kClockStream})));
}

IidServer CellModel::MakeIidServer(uint32_t blocks, uint64_t name,
                                   double scale) const {
  return IidServer(iid_tiles[blocks], blocks,
                   Random(StreamSeed({stream, name})), scale);
}

uint64_t StampQuantumPs(const pb::Part& part) {
  constexpr uint64_t kUnmeasuredPs = 1000;
  return part.timer_quantum_ps() != 0 ? part.timer_quantum_ps() : kUnmeasuredPs;
}

std::string NotModelledReason(const pb::CellKey& key, Sharing sharing) {
  if (key.arm() != pb::COOPERATIVE) {
    return absl::StrCat("arm ", ArmName(key.arm()));
  }
  if (const std::string lacks = NoLookPlanReason(key); !lacks.empty()) {
    return lacks;
  }
  if (key.site() != pb::BOUNDARY && sharing == Sharing::kIid) {
    return absl::StrCat("site ", SiteName(key.site()), " with sharing iid");
  }
  if (key.cluster_size() != 1) {
    return absl::StrCat("cluster size ", key.cluster_size());
  }
  if (key.urgent_tiles() == 0) return "events without urgent tiles";
  return "";
}

absl::StatusOr<CellModel> MakeCellModel(const pb::Part& part,
                                        const pb::Kernel& kernel,
                                        const pb::Calibration& calibration,
                                        const pb::CellKey& key, Sharing sharing,
                                        uint64_t seed) {
  TILEBOUND_RETURN_IF_ERROR(ValidateCellKey(key));
  TILEBOUND_RETURN_IF_ERROR(ValidateCellForKernel(key, kernel));
  TILEBOUND_RETURN_IF_ERROR(CheckResident(part, kernel, key.blocks()));
  const bool looks = key.arm() == pb::COOPERATIVE;
  if (const std::string lacks =
          looks ? NotModelledReason(key, sharing) : std::string();
      !lacks.empty()) {
    return absl::UnimplementedError(absl::StrCat("not modelled: ", lacks));
  }
  if (key.period() > kMostPeriod || key.urgent_tiles() > kMostUrgentTiles) {
    return absl::InvalidArgumentError(absl::StrCat(
        "period ", key.period(), " and urgent_tiles ", key.urgent_tiles(),
        ": up to ", kMostPeriod, " and ", kMostUrgentTiles, " are accepted"));
  }
  std::vector<TileParameters> parameters;
  for (const pb::TileProgram& program : kernel.programs()) {
    TILEBOUND_ASSIGN_OR_RETURN(parameters.emplace_back(),
                               ReadTileParameters(calibration, program));
  }
  CellModel cell;
  if (looks) {
    TILEBOUND_ASSIGN_OR_RETURN(cell.plan, ReadLookPlan(calibration, key));
    TILEBOUND_RETURN_IF_ERROR(ReadUrgentDelays(calibration, key, &cell));
  }
  cell.placement = Placement(key.blocks(), part.sm_count());
  if (cell.placement.most_blocks_per_sm() > kMostServerBlocks) {
    return absl::InvalidArgumentError(absl::StrCat(
        "blocks ", key.blocks(), " put ", cell.placement.most_blocks_per_sm(),
        " on one SM of ", part.name(), "; the model takes up to ",
        kMostServerBlocks));
  }
  cell.sharing = sharing;
  // The clock sags for want of power, which an SM without work does not draw.
  if (sharing == Sharing::kSlot &&
      cell.placement.busy_sms() == part.sm_count()) {
    TILEBOUND_ASSIGN_OR_RETURN(cell.clock_sag, ReadClockSag(calibration));
  }
  cell.period = key.period();
  cell.urgent_tiles = key.urgent_tiles();
  cell.arrivals = key.arrivals();
  cell.quantum_ps = StampQuantumPs(part);
  uint64_t fingerprint = 0;
  if (!absl::SimpleHexAtoi(Fingerprint(key), &fingerprint)) {
    return absl::InternalError("a fingerprint is not a number");
  }
  cell.stream = StreamSeed({seed, fingerprint});
  if (sharing == Sharing::kSlot) {
    const uint32_t k = kernel.programs(0).reference_k();
    TILEBOUND_ASSIGN_OR_RETURN(
        cell.slot_sharing,
        SolveSlotSharing(
            calibration, k, part.sm_count(),
            Residencies(cell.placement, calibration, k,
                        ComputeOccupancy(part, kernel).blocks_per_sm),
            [&](double rate) {
              // Slot times are those of the calibrated tile, which is the
              // first program's; a mix is served by the same shares.
              return MakeTileTiming(kernel.programs(0), parameters[0], k, rate);
            }));
  }
  TILEBOUND_RETURN_IF_ERROR(
      SolveLoad(kernel, parameters, key.k(), cell.plan, &cell));
  CellModel base = cell;
  TILEBOUND_RETURN_IF_ERROR(
      SolveLoad(kernel, parameters, key.k(), LookPlan(), &base));
  cell.base_tile_rate = base.tile_rate;
  if (sharing == Sharing::kIid) {
    const uint32_t saturation =
        part.sm_count() * ComputeOccupancy(part, kernel).blocks_per_sm;
    const CalibrationConditions at = {.k = kernel.programs(0).reference_k(),
                                      .blocks = saturation};
    TILEBOUND_ASSIGN_OR_RETURN(
        const double mean, CalibrationNumber(calibration, kTileTimeMean, at));
    TILEBOUND_ASSIGN_OR_RETURN(
        const double p99, CalibrationNumber(calibration, kTileWallP99, at));
    if (!(mean > 0 && p99 >= mean && p99 <= 10 * mean)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the calibration of ", kernel.name(), " on ", part.name(), " has ",
          kTileTimeMean, " ", mean, " and ", kTileWallP99, " ", p99,
          " us; the iid baseline takes a p99 of 1 to 10 times the mean"));
    }
    cell.iid_tiles = IidTiles(cell, p99 / mean);
  }
  return cell;
}

}  // namespace tilebound::model
