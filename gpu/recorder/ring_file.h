// A recording that RecorderMemory::Save() wrote.
//
//   TILEBOUND_ASSIGN_OR_RETURN(RingFile file, RingFile::Open("run.tbrings"));
//   std::cout << file.header_json();
#ifndef TILEBOUND_GPU_RECORDER_RING_FILE_H_
#define TILEBOUND_GPU_RECORDER_RING_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/trace/mapped_file.h"
#include "gpu/recorder/ring_source.h"

namespace tilebound::gpu {

class RingFile : public RingSource {
 public:
  // Errors name the path and what is wrong with the file; one that ends early
  // is an error.
  static absl::StatusOr<RingFile> Open(const std::string& path);

  // What was promised, as JSON; may be empty.
  const std::string& header_json() const { return header_json_; }

  uint32_t capacity() const override { return capacity_; }
  const std::vector<RecorderBlock>& blocks() const override { return blocks_; }
  absl::StatusOr<std::vector<RecorderRecord>> Ring(uint32_t block) override;

 private:
  explicit RingFile(MappedFile file) : file_(std::move(file)) {}

  MappedFile file_;
  uint32_t capacity_ = 0;
  std::string header_json_;
  std::vector<RecorderBlock> blocks_;
  // Where the ring of each block begins, in bytes, and where the last one ends.
  std::vector<uint64_t> offsets_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_RECORDER_RING_FILE_H_
