// How a prediction is to be made, and what a key refers to by name: what the
// laws of all arms take.
#ifndef TILEBOUND_MODEL_PREDICT_OPTIONS_H_
#define TILEBOUND_MODEL_PREDICT_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "model/sharing.h"

namespace tilebound::model {

enum class Fidelity { kSampled, kExact };
absl::StatusOr<Fidelity> ParseFidelity(absl::string_view word);
std::string FidelityName(Fidelity fidelity);

// Far above any use; a typing error should not run for days.
inline constexpr uint64_t kMostEvents = 1'000'000'000;
inline constexpr uint64_t kMostBackgroundTasks = 1'000'000'000;

struct PredictOptions {
  // A cell; 1 to kMostEvents.
  uint64_t events = 10'000;
  // Left out at the start of an exact run, as the published study does.
  uint64_t warmup_events = 100;
  uint64_t seed = 1;
  uint32_t threads = 1;
  Fidelity fidelity = Fidelity::kSampled;
  Sharing sharing = Sharing::kSlot;
  // Tiles of one launch of the background, for the arms none and reserved; 0:
  // what the calibration declares.
  uint64_t background_tasks = 0;
  // A cell that cannot be predicted becomes one without values that says why,
  // instead of an error that ends the run.
  bool keep_going = false;
  // Called after each cell, from any thread.
  std::function<void()> on_cell = [] {};
};

// What a key refers to by name.
struct CellInputs {
  const pb::Part& part;
  const pb::Kernel& kernel;
  const pb::Calibration& calibration;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_PREDICT_OPTIONS_H_
