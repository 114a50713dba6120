// Splitting the cells of a surface over processes or machines.
#ifndef TILEBOUND_DATA_SCHEMA_SHARD_H_
#define TILEBOUND_DATA_SCHEMA_SHARD_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound {

// "i/n" with 1 <= i <= n: which share of the cells this process does.
// Returns {i - 1, n}; "" is {0, 1}.
absl::StatusOr<std::pair<uint32_t, uint32_t>> ParseShard(
    absl::string_view text);

// The cells of one shard: every n-th, so that shards take about equally long.
std::vector<pb::CellKey> ShardOf(const std::vector<pb::CellKey>& keys,
                                 std::pair<uint32_t, uint32_t> shard);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_SHARD_H_
