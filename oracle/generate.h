// Makes valid traces from a seed, of every arm, site, period, residency and
// size, so that the oracle is not tested by the simulator that it checks. The
// schedule is plausible, not predictive: times are drawn, not modelled.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       GeneratorConfig config,
//       ParseGeneratorConfig("arm=cooperative,site=stage,blocks=8,tasks=500"));
//   TILEBOUND_RETURN_IF_ERROR(GenerateTrace(config, /*seed=*/1, "a.tbtrace"));
#ifndef TILEBOUND_ORACLE_GENERATE_H_
#define TILEBOUND_ORACLE_GENERATE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound::oracle {

struct GeneratorConfig {
  pb::Arm arm = pb::COOPERATIVE;
  pb::Site site = pb::BOUNDARY;
  uint32_t period = 1;
  // Looks use the value sampled this many looks earlier.
  uint32_t stale_looks = 0;
  uint32_t urgent_tiles = 1;
  pb::Setter setter = pb::DEVICE;
  uint32_t sms = 4;
  uint32_t blocks_per_sm = 2;
  // Slots of each SM kept free of worker blocks (arm RESERVED: 1 at least).
  uint32_t reserve = 0;
  // Worker blocks are launched in so many waves: those of a later wave start as
  // those of an earlier one exit.
  uint32_t waves = 1;
  uint64_t tasks = 1000;
  uint64_t events = 5;
  uint32_t stages_per_tile = 8;
  // Tick of the recorded clock; 0 for exact picoseconds.
  uint64_t quantum_ps = 0;
  uint64_t visibility_allowance_ps = 500'000;
  // Mean tile time of the oldest slot; younger slots are slower.
  uint64_t tile_ps = 15'000'000;
  bool compress = false;
};

// "name=value,..." with the names of the fields. Errors name the item and what
// is accepted.
absl::StatusOr<GeneratorConfig> ParseGeneratorConfig(absl::string_view text);
// The same text back, every field.
std::string GeneratorConfigText(const GeneratorConfig& config);

// A random configuration: every field drawn. For tests.
GeneratorConfig RandomGeneratorConfig(uint64_t seed);

// Writes the trace. The same configuration and seed give the same bytes.
absl::Status GenerateTrace(const GeneratorConfig& config, uint64_t seed,
                           const std::string& path);
// The same bytes, in memory.
absl::StatusOr<std::string> GenerateTraceBytes(const GeneratorConfig& config,
                                               uint64_t seed);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_GENERATE_H_
