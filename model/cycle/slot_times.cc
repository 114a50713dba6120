#include "model/cycle/slot_times.h"

#include <cmath>
#include <cstdlib>
#include <optional>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/sha256.h"
#include "model/cycle/slot_times_cache.h"
#include "model/cycle/sm_cycles.h"

namespace tilebound::model {
namespace {

// Changes when the rule of sm_cycles.h does, so that old files are not found.
constexpr int kRuleVersion = 1;

// Half a second of the SM's time at most, 50 times what the slowest slots
// measured so far take for 100 tiles.
constexpr int64_t kMostCycles = 500'000'000;

CycleSlotTime Summarize(const std::vector<int64_t>& starts, size_t first,
                        double clock_mhz) {
  const size_t n = starts.size() - 1 - first;
  const double mean = static_cast<double>(starts.back() - starts[first]) /
                      static_cast<double>(n);
  double square = 0;
  double product = 0;
  double before = 0;
  for (size_t i = first + 1; i < starts.size(); ++i) {
    const double d = static_cast<double>(starts[i] - starts[i - 1]) - mean;
    square += d * d;
    product += d * before;
    before = d;
  }
  const auto count = static_cast<double>(n);
  CycleSlotTime slot;
  slot.tiles = n;
  slot.mean_us = mean / clock_mhz;
  slot.spread = std::sqrt(square / count) / mean;
  slot.spread_error = slot.spread / std::sqrt(2 * count);
  slot.lag1 = square > 0 ? product / square : 0;
  slot.lag1_error = 1 / std::sqrt(count);
  slot.mean_error_us = slot.mean_us * slot.spread *
                       std::sqrt((1 + slot.lag1) / (1 - slot.lag1) / count);
  return slot;
}

absl::StatusOr<std::vector<CycleSlotTime>> Simulate(
    const TileStream& stream, const CycleParameters& parameters,
    const CycleSlotOptions& options) {
  TILEBOUND_ASSIGN_OR_RETURN(
      const SmRun run,
      SimulateSm(stream, parameters,
                 {.blocks = options.blocks,
                  .warps_per_block = options.warps_per_block,
                  .chunks = options.chunks,
                  .tiles = options.warm_up_tiles + options.tiles + 1,
                  .most_cycles = kMostCycles,
                  .seed = options.seed}));
  const std::vector<int64_t>& youngest = run.tile_starts.back();
  if (youngest.size() < options.warm_up_tiles + options.tiles + 1) {
    return absl::OutOfRangeError(
        absl::StrCat("slot ", options.blocks - 1, " of ", options.blocks,
                     " began ", youngest.size(), " tiles in ", run.cycles,
                     " cycles: under this stream older blocks starve it"));
  }
  const int64_t begin = youngest[options.warm_up_tiles];
  std::vector<CycleSlotTime> slots;
  for (const std::vector<int64_t>& starts : run.tile_starts) {
    size_t first = 0;
    while (first < starts.size() && starts[first] < begin) ++first;
    if (starts.size() < first + kLeastTiles + 1) {
      return absl::OutOfRangeError(
          absl::StrCat("slot ", slots.size(), " of ", options.blocks,
                       " is slower than the youngest: ", starts.size() - first,
                       " tiles; more tiles are needed"));
    }
    slots.push_back(Summarize(starts, first, parameters.clock_mhz));
  }
  return slots;
}

}  // namespace

std::string CycleSlotKey(const TileStream& stream,
                         const CycleParameters& parameters,
                         const CycleSlotOptions& options) {
  return Sha256Hex(absl::StrCat(
      "rule ", kRuleVersion, "\nelect ", FormatInstructions(stream.elect),
      "\nfetch ", FormatInstructions(stream.fetch), "\nchunk ",
      FormatInstructions(stream.chunk), "\nepilogue ",
      FormatInstructions(stream.epilogue), "\nparameters ",
      FormatCycleParameters(parameters), "\nblocks ", options.blocks, " warps ",
      options.warps_per_block, " chunks ", options.chunks, " tiles ",
      options.tiles, " warm_up ", options.warm_up_tiles, " seed ",
      options.seed));
}

absl::StatusOr<std::vector<CycleSlotTime>> ComputeCycleSlotTimes(
    const TileStream& stream, const CycleParameters& parameters,
    const CycleSlotOptions& options, const std::string& cache_folder) {
  if (options.tiles < kLeastTiles) {
    return absl::InvalidArgumentError(
        absl::StrCat("tiles is ", options.tiles, "; at least ", kLeastTiles,
                     " say something about a spread"));
  }
  if (cache_folder.empty()) return Simulate(stream, parameters, options);
  const std::string key = CycleSlotKey(stream, parameters, options);
  std::optional<std::vector<CycleSlotTime>> kept =
      ReadSlotTimes(cache_folder, key);
  if (kept && kept->size() == options.blocks) return *std::move(kept);
  TILEBOUND_ASSIGN_OR_RETURN(std::vector<CycleSlotTime> slots,
                             Simulate(stream, parameters, options));
  // Without a cache the next call takes longer, and that is all.
  WriteSlotTimes(cache_folder, key, slots).IgnoreError();
  return slots;
}

double MeanCycleTileUs(const std::vector<CycleSlotTime>& slots) {
  double rate = 0;
  for (const CycleSlotTime& slot : slots) rate += 1 / slot.mean_us;
  return static_cast<double>(slots.size()) / rate;
}

std::string DefaultCacheFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] != '\0') {
    return absl::StrCat(cache, "/tilebound");
  }
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] != '\0') {
    return absl::StrCat(home, "/.cache/tilebound");
  }
  return "";
}

}  // namespace tilebound::model
