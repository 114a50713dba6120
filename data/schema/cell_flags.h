// The flags that say which cells a command is about, shared by every command
// that takes cells.
//
//   spec.flags = CellFlagNames(); spec.flags.push_back("out"); ...
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Experiment experiment,
//   ExperimentFromFlags());
#ifndef TILEBOUND_DATA_SCHEMA_CELL_FLAGS_H_
#define TILEBOUND_DATA_SCHEMA_CELL_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound {

// In the order for --help: part, kernel, k, blocks, site, period, ...
std::vector<std::string> CellFlagNames();

// --experiment=FILE if given, with every cell flag that was given put over it;
// else the flags alone. Comma lists become axis entries. Errors name the flag:
// an axis given as an empty list, a file that holds something else.
absl::StatusOr<pb::Experiment> ExperimentFromFlags();

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_CELL_FLAGS_H_
