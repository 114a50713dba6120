#include "data/schema/shard.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tilebound {

absl::StatusOr<std::pair<uint32_t, uint32_t>> ParseShard(
    absl::string_view text) {
  if (text.empty()) return std::pair<uint32_t, uint32_t>{0, 1};
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('/', 1));
  uint32_t index = 0, count = 0;
  if (!absl::SimpleAtoi(parts.first, &index) ||
      !absl::SimpleAtoi(parts.second, &count) || index == 0 || index > count) {
    return absl::InvalidArgumentError(
        absl::StrCat("--shard=", text, ": accepted is I/N with 1 <= I <= N"));
  }
  return std::pair<uint32_t, uint32_t>{index - 1, count};
}

std::vector<pb::CellKey> ShardOf(const std::vector<pb::CellKey>& keys,
                                 std::pair<uint32_t, uint32_t> shard) {
  std::vector<pb::CellKey> mine;
  for (size_t i = shard.first; i < keys.size(); i += shard.second) {
    mine.push_back(keys[i]);
  }
  return mine;
}

}  // namespace tilebound
