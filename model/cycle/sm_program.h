// A tile's stream and the parameters, resolved to what SimulateSm looks up at
// every issue: integers, and one array for all segments. Shared by the fast
// simulation and the naive one, so it holds facts only, no rule.
#ifndef TILEBOUND_MODEL_CYCLE_SM_PROGRAM_H_
#define TILEBOUND_MODEL_CYCLE_SM_PROGRAM_H_

#include <cstdint>
#include <vector>

#include "model/cycle/cycle_parameters.h"
#include "model/cycle/instruction_stream.h"

namespace tilebound::model {

// Costs of the pipe are in 1/1024 of a cycle.
inline constexpr int64_t kCostUnit = 1024;

enum class IssueGroup : uint8_t { kPlain, kFma, kTensor, kMemory };

struct SmOp {
  InstructionKind kind = InstructionKind::kInteger;
  IssueGroup group = IssueGroup::kPlain;
  bool not_in_last_chunk = false;
  uint8_t stall = 1;
  uint8_t write = kNoScoreboard;
  uint8_t read = kNoScoreboard;
  uint8_t waits = 0;
  uint32_t argument = 0;
  // Of the load-store pipe, in kCostUnit; for tensor instructions the cycles of
  // their pipe.
  int64_t cost = 0;
  // Cycles to the result, and the most that chance adds or takes away.
  int64_t latency = 0;
  int64_t jitter = 0;
};

struct SmProgram {
  std::vector<SmOp> ops;
  // Bounds of the segments in `ops`: elect begins at 0.
  uint32_t fetch_begin = 0;
  uint32_t chunk_begin = 0;
  uint32_t epilogue_begin = 0;
  // Whole cycles between FMAs, and the chance of one more, in 1/1024.
  int64_t fma_interval = 1;
  uint64_t fma_extra = 0;
  uint32_t queue_places = 1;
  uint64_t queue_extra = 0;
  int64_t operand_read_cycles = 1;
  int64_t barrier_cycles = 1;
  // No result takes longer, from its issue to the pipe not counted.
  int64_t most_latency = 0;
  int64_t most_cost = 0;
};

// Stream and parameters must be valid.
SmProgram MakeSmProgram(const TileStream& stream,
                        const CycleParameters& parameters);

// What names an SM's random streams.
inline constexpr uint64_t kPipeStream = 100;

// Blocks begin within this many cycles of each other.
inline constexpr uint64_t kStartSpreadCycles = 2048;

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_SM_PROGRAM_H_
