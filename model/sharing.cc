#include "model/sharing.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "data/io/suggest.h"
#include "model/sm_server.h"

namespace tilebound::model {

absl::StatusOr<Sharing> ParseSharing(absl::string_view word) {
  for (Sharing sharing : {Sharing::kSlot, Sharing::kFair, Sharing::kIid}) {
    if (word == SharingName(sharing)) return sharing;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("sharing \"", word, "\" is not known",
                   DidYouMean(word, {"slot", "fair", "iid"}),
                   "; accepted are slot, fair, iid"));
}

std::string SharingName(Sharing sharing) {
  switch (sharing) {
    case Sharing::kSlot:
      return "slot";
    case Sharing::kFair:
      return "fair";
    case Sharing::kIid:
      return "iid";
  }
  return "slot";
}

std::vector<int64_t> GeometricWeights(uint32_t blocks, double ratio) {
  std::vector<int64_t> weights;
  for (uint32_t slot = 0; slot < blocks; ++slot) {
    weights.push_back(
        std::max<int64_t>(1, std::llround(std::pow(ratio, slot) * kWeightOne)));
  }
  return weights;
}

}  // namespace tilebound::model
