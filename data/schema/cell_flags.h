// The flags that say which cells a command is about, shared by every command
// that takes cells.
//
//   spec.flags = CellFlagNames(); spec.flags.push_back("out"); ...
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Experiment experiment,
//   ExperimentFromFlags());
#ifndef TILEBOUND_DATA_SCHEMA_CELL_FLAGS_H_
#define TILEBOUND_DATA_SCHEMA_CELL_FLAGS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound {

// In the order for --help: part, kernel, k, blocks, site, period, ...
std::vector<std::string> CellFlagNames();

// --experiment=FILE if given, with every cell flag that was given put over it;
// else the flags alone. Comma lists become axis entries. Errors name the flag:
// an axis given as an empty list, a file that holds something else.
absl::StatusOr<pb::Experiment> ExperimentFromFlags();

// "i/n" with 1 <= i <= n: which share of the cells this process does.
// Returns {i - 1, n}; "" is {0, 1}.
absl::StatusOr<std::pair<uint32_t, uint32_t>> ParseShard(
    absl::string_view text);

// The cells of one shard: every n-th, so that shards take about equally long.
std::vector<pb::CellKey> ShardOf(const std::vector<pb::CellKey>& keys,
                                 std::pair<uint32_t, uint32_t> shard);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_CELL_FLAGS_H_
