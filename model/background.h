// The grid behind the arms none and reserved: workers that run tile after tile
// and are never asked to let go. And what such a cell must have.
//
//   TILEBOUND_ASSIGN_OR_RETURN(Background background,
//                              MakeBackground(inputs, key, options));
#ifndef TILEBOUND_MODEL_BACKGROUND_H_
#define TILEBOUND_MODEL_BACKGROUND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/histogram.h"
#include "model/cell_model.h"
#include "model/predict_options.h"

namespace tilebound::model {

// Host times are not in ticks of the part's timer; they are counted this fine.
inline constexpr uint64_t kHostQuantumPs = 10'000;

struct Background {
  CellModel cell;
  // Urgent blocks that fit beside the workers, by SM.
  std::vector<uint32_t> free_slots;
  // Urgent blocks that an empty device holds.
  uint32_t empty_slots = 0;
  // Where no urgent block fits anywhere: what it would need and what is left.
  std::string envelope;
  // Host's call until urgent blocks can run, and their end until the host
  // knows.
  int64_t launch_ps = 0;
  int64_t completion_ps = 0;
  // Tiles of one launch; 0 where neither options nor calibration say.
  uint64_t tasks = 0;

  uint32_t total_free() const;
};

// Why a cell without background tasks has no such metric, and what to do.
std::string NeedsBackgroundTasks();

// The cell whose workers these are: in the arm none nobody looks.
pb::CellKey WorkerKey(pb::CellKey key);

// "" if the arms none and reserved have a law for the cell.
std::string BackgroundNotModelledReason(const pb::CellKey& key,
                                        Sharing sharing);

// Errors: as MakeCellModel, or a host delay that the calibration lacks or that
// is impossible.
absl::StatusOr<Background> MakeBackground(const CellInputs& inputs,
                                          const pb::CellKey& key,
                                          const PredictOptions& options);

// A histogram metric, its p99 marked soft where too few events stand behind it
// (docs/design.md section 3).
pb::Metric EventsMetric(absl::string_view name, const Histogram& histogram);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_BACKGROUND_H_
