#include "model/slot_weights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "model/random.h"
#include "model/sm_server.h"
#include "model/stationary.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kSolveStream = 3;
const std::vector<Mark> kNoLooks = {Mark{}};
constexpr int kMostRounds = 60;
// Tiles of the slowest slot that a mean is taken over, and before it.
constexpr int64_t kTiles = 400;
constexpr int64_t kWarmupTiles = 10;
// Close enough to stop: well under what the means are known to.
constexpr double kGoodResidual = 0.002;
// Part of the logarithmic error that a round takes off: the slots depend on one
// another, so that the whole error would overshoot.
constexpr double kStep = 0.7;

std::vector<double> MeanTilePs(const TileTiming& timing,
                               const std::vector<double>& shares,
                               int64_t slowest_ps) {
  std::vector<int64_t> weights;
  for (double share : shares) {
    weights.push_back(std::max<int64_t>(1, std::llround(share * kWeightOne)));
  }
  const StationaryTrace trace(
      SmServer(timing, weights, Random(StreamSeed({kSolveStream})), 1.0),
      kNoLooks, kWarmupTiles * slowest_ps, kTiles * slowest_ps, 1);
  std::vector<double> means;
  for (uint32_t slot = 0; slot < shares.size(); ++slot) {
    const std::vector<int64_t>& starts = trace.Starts(slot);
    means.push_back(static_cast<double>(starts.back() - starts.front()) /
                    static_cast<double>(starts.size() - 1));
  }
  return means;
}

double Rate(const std::vector<double>& tile_ps) {
  return std::accumulate(tile_ps.begin(), tile_ps.end(), 0.0,
                         [](double sum, double ps) { return sum + 1 / ps; });
}

}  // namespace

TileTiming ScaleService(TileTiming timing, double scale) {
  for (Phase& phase : timing.phases) {
    if (phase.service) {
      phase.duration_ps = std::llround(phase.duration_ps * scale);
    }
  }
  return timing;
}

namespace {

absl::StatusOr<SlotWeights> Solve(const TileTiming& timing,
                                  const std::vector<double>& tile_ps) {
  const auto slowest_ps =
      static_cast<int64_t>(*std::max_element(tile_ps.begin(), tile_ps.end()));
  // A share in inverse proportion to the time is where equal work would lead.
  std::vector<double> shares;
  for (double ps : tile_ps) shares.push_back(tile_ps.front() / ps);
  double scale = 1;
  SlotWeights best;
  best.residual = HUGE_VAL;
  size_t worst_slot = 0;
  double worst_ps = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    const double largest = *std::max_element(shares.begin(), shares.end());
    for (double& share : shares) share = std::max(1e-5, share / largest);
    const std::vector<double> means =
        MeanTilePs(ScaleService(timing, scale), shares, slowest_ps);
    double residual = 0;
    size_t worst = 0;
    for (size_t slot = 0; slot < means.size(); ++slot) {
      const double off = std::abs(means[slot] / tile_ps[slot] - 1);
      if (off > residual) worst = slot;
      residual = std::max(residual, off);
    }
    if (residual < best.residual) {
      best.weights.clear();
      for (double share : shares) {
        best.weights.push_back(
            std::max<int64_t>(1, std::llround(share * kWeightOne)));
      }
      best.service_scale = scale;
      best.residual = residual;
      worst_slot = worst;
      worst_ps = means[worst];
    }
    if (residual < kGoodResidual) break;
    for (size_t slot = 0; slot < means.size(); ++slot) {
      shares[slot] *= std::pow(means[slot] / tile_ps[slot], kStep);
    }
    scale *= std::pow(Rate(means) / Rate(tile_ps), kStep);
  }
  if (best.residual > kMostSlotResidual) {
    return absl::InvalidArgumentError(
        absl::StrCat("slot ", worst_slot, " of ", tile_ps.size(),
                     " blocks on an SM is to take ", tile_ps[worst_slot] * 1e-6,
                     " us a tile; blocks that share an SM come no nearer than ",
                     worst_ps * 1e-6,
                     " us with the tile times of the other slots as given"));
  }
  return best;
}

// All that the solution depends on.
using Problem = std::vector<double>;

Problem ProblemOf(const TileTiming& timing,
                  const std::vector<double>& tile_ps) {
  Problem problem = tile_ps;
  problem.push_back(timing.service_spread);
  problem.push_back(timing.unclaimed_share);
  for (const Phase& phase : timing.phases) {
    problem.push_back(static_cast<double>(phase.duration_ps));
    problem.push_back(phase.service);
    problem.push_back(phase.hands_on);
  }
  for (const ProgramSpan& span : timing.programs) {
    problem.push_back(span.first);
    problem.push_back(span.weight);
  }
  return problem;
}

}  // namespace

absl::StatusOr<SlotWeights> SolveSlotWeights(
    const TileTiming& timing, const std::vector<double>& tile_ps) {
  // The cells of a surface ask the same few questions over and over. Remembered
  // or not, the answer is the same.
  static std::mutex guard;
  static auto* solved = new std::map<Problem, absl::StatusOr<SlotWeights>>();
  constexpr size_t kMostRemembered = 1000;
  const Problem problem = ProblemOf(timing, tile_ps);
  {
    const std::lock_guard<std::mutex> lock(guard);
    const auto known = solved->find(problem);
    if (known != solved->end()) return known->second;
  }
  absl::StatusOr<SlotWeights> answer = Solve(timing, tile_ps);
  const std::lock_guard<std::mutex> lock(guard);
  if (solved->size() < kMostRemembered) solved->emplace(problem, answer);
  return answer;
}

}  // namespace tilebound::model
