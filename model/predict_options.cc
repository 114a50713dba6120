#include "model/predict_options.h"

#include "absl/strings/str_cat.h"
#include "data/io/suggest.h"

namespace tilebound::model {

absl::StatusOr<Fidelity> ParseFidelity(absl::string_view word) {
  for (Fidelity fidelity : {Fidelity::kSampled, Fidelity::kExact}) {
    if (word == FidelityName(fidelity)) return fidelity;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "fidelity \"", word, "\" is not known",
      DidYouMean(word, {"sampled", "exact"}), "; accepted are sampled, exact"));
}

std::string FidelityName(Fidelity fidelity) {
  return fidelity == Fidelity::kSampled ? "sampled" : "exact";
}

}  // namespace tilebound::model
