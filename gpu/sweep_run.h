// What //gpu:sweep does once its flags are read. A build without CUDA links
// another body, which says what is missing.
#ifndef TILEBOUND_GPU_SWEEP_RUN_H_
#define TILEBOUND_GPU_SWEEP_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/io/exit_code.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound::gpu {

struct SweepOptions {
  // Names, or "all".
  std::vector<std::string> suites;
  // "ptx80" or "native".
  std::string code;
  // Of which cell axes may be left open.
  pb::Experiment experiment;
  uint64_t events = 0;
  uint64_t seed = 1;
  int device = 0;
  std::string shard;
  // Folder; a file for each suite goes there.
  std::string out;
  bool resume = false;
  std::string trace_out;
  std::string format;
  bool list = false;
};

absl::StatusOr<ExitCode> RunSweep(const SweepOptions& options);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SWEEP_RUN_H_
