// From lists of values, as flags or a file give them, to the cells that they
// span.
//
//   pb::Experiment experiment;                    // or from --experiment=FILE
//   experiment.add_blocks("16:288:16");
//   experiment.add_blocks("saturation");
//   TILEBOUND_ASSIGN_OR_RETURN(auto keys, ExpandExperiment(experiment,
//   resolve));
#ifndef TILEBOUND_DATA_SCHEMA_EXPERIMENT_H_
#define TILEBOUND_DATA_SCHEMA_EXPERIMENT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound {

// What an axis word for blocks means on a part with a kernel. `word` is
// "saturation" (as many as are resident) or "1persm".
using BlocksResolver = std::function<absl::StatusOr<uint32_t>(
    const std::string& part, const std::string& kernel,
    absl::string_view word)>;

// What part and kernel are called in a key: a catalog name stays, a file's path
// becomes the name inside it.
struct NameResolvers {
  std::function<absl::StatusOr<std::string>(const std::string&)> part;
  std::function<absl::StatusOr<std::string>(const std::string&)> kernel;
  BlocksResolver blocks;
};

// One axis entry of numbers: "16", or the range "a:b" or "a:b:step" with both
// ends included. Errors name the axis, the entry and the accepted forms:
// reversed or empty range, step 0, over a million values.
absl::StatusOr<std::vector<uint32_t>> ExpandRange(absl::string_view axis,
                                                  absl::string_view entry);

// The Cartesian product, blocks and period innermost, duplicates dropped.
// Axes that are not given have DefaultCellKey's value; part, kernel, k and
// blocks have none and are needed. Every key is validated.
absl::StatusOr<std::vector<pb::CellKey>> ExpandExperiment(
    const pb::Experiment& experiment, const NameResolvers& resolvers);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_EXPERIMENT_H_
