#include "gpu/recorder/ring_file.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"

namespace tilebound::gpu {

absl::StatusOr<RingFile> RingFile::Open(const std::string& path) {
  TILEBOUND_ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(path));
  const absl::string_view bytes = mapped.bytes();
  const auto refuse = [&path](auto... what) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", what...));
  };
  RecorderFileHead head;
  if (bytes.size() < sizeof(head)) {
    return refuse(bytes.size(), " bytes are too few for a recording");
  }
  std::memcpy(&head, bytes.data(), sizeof(head));
  if (std::memcmp(head.magic, kRecorderMagic, sizeof(head.magic)) != 0) {
    return refuse("not a recording: it does not begin with ", kRecorderMagic);
  }
  const uint64_t blocks_bytes = uint64_t{head.blocks} * sizeof(RecorderBlock);
  if (head.header_bytes > bytes.size() ||
      sizeof(head) + head.header_bytes + blocks_bytes > bytes.size()) {
    return refuse("it ends at byte ", bytes.size(), ", before the rings of ",
                  head.blocks, " blocks");
  }
  RingFile file(std::move(mapped));
  file.capacity_ = head.capacity;
  file.header_json_ =
      std::string(bytes.substr(sizeof(head), head.header_bytes));
  file.blocks_.resize(head.blocks);
  uint64_t at = sizeof(head) + head.header_bytes;
  if (head.blocks > 0) {
    std::memcpy(file.blocks_.data(), bytes.data() + at, blocks_bytes);
  }
  at += blocks_bytes;
  for (const RecorderBlock& block : file.blocks_) {
    file.offsets_.push_back(at);
    at += sizeof(RecorderRecord) * uint64_t{UsedRecords(block, head.capacity)};
  }
  file.offsets_.push_back(at);
  if (at != bytes.size()) {
    return refuse("it has ", bytes.size(), " bytes where its blocks say ", at);
  }
  return file;
}

absl::StatusOr<std::vector<RecorderRecord>> RingFile::Ring(uint32_t block) {
  const uint64_t begin = offsets_[block];
  const uint64_t bytes = offsets_[block + 1] - begin;
  std::vector<RecorderRecord> ring(bytes / sizeof(RecorderRecord));
  if (bytes > 0) std::memcpy(ring.data(), file_.bytes().data() + begin, bytes);
  return ring;
}

}  // namespace tilebound::gpu
