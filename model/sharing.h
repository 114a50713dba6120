// How resident blocks share their SM: by residency slot, which is what the
// hardware does, or one of the two baselines that a prediction is compared
// with.
#ifndef TILEBOUND_MODEL_SHARING_H_
#define TILEBOUND_MODEL_SHARING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tilebound::model {

enum class Sharing {
  // Older blocks are served faster, as their slot's tile times say.
  kSlot,
  // Everybody alike.
  kFair,
  // No SM at all: tile times are independent draws of one lognormal
  // distribution, whatever runs beside.
  kIid,
};

// "slot", "fair", "iid"; the error names these.
absl::StatusOr<Sharing> ParseSharing(absl::string_view word);
std::string SharingName(Sharing sharing);

// Weights for SmServer, oldest slot first: ratio^slot, at least 1 unit. With
// ratio 1 all blocks are alike, as in the baseline kFair.
std::vector<int64_t> GeometricWeights(uint32_t blocks, double ratio);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_SHARING_H_
