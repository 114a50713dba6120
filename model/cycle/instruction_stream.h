// What a warp issues for one tile, as far as timing goes: for each instruction
// the unit that it needs, the cycles that the compiler stalls the warp after
// it, and the scoreboards that it sets and waits for. Operands are left out.
//
//   TILEBOUND_ASSIGN_OR_RETURN(TileStream stream,
//                              FindStream(program, /*capability=*/86));
//
// The text form of a segment, made by count_instructions.py, has instructions
// separated by white space, each
//   [COUNT*]NAME[.ARGUMENT][?][,FIELD...]
// with NAME one of
//   int     integer, move, branch: nothing but an issue slot
//   var     result after a variable time, without memory (S2R, MUFU)
//   fma     fp32 arithmetic
//   mma.N   tensor core, N multiply-adds
//   lds.N   shared load of N wavefronts
//   sts.N   shared store of N 32-bit words a lane (1 if left out)
//   ldg.N   global load of N words a lane, stg.N global store
//   atom    global atomic that returns
//   cpa     copy from global to shared memory (cp.async)
//   commit  closes a group of copies
//   wait.N  until at most N groups are on their way
//   bar     barrier of the block
// where ? means that the last chunk of a tile leaves it out, and FIELD is
//   sN      stall of N cycles (1 if left out)
//   wN, rN  scoreboard set until the result is there, or the operands are read;
//           for commit and wait the scoreboard that counts the groups
//   mABC    waits until the scoreboards A, B and C are clear
// so "4*fma,s2,m03" is four FMAs, two cycles apart, each behind scoreboards 0
// and 3.
#ifndef TILEBOUND_MODEL_CYCLE_INSTRUCTION_STREAM_H_
#define TILEBOUND_MODEL_CYCLE_INSTRUCTION_STREAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/kernel.pb.h"

namespace tilebound::model {

enum class InstructionKind : uint8_t {
  kInteger,
  kVariable,
  kFma,
  kTensor,
  kSharedLoad,
  kSharedStore,
  kGlobalLoad,
  kGlobalStore,
  kAtomic,
  kAsyncCopy,
  kCommit,
  kWaitGroup,
  kBarrier,
};

inline constexpr uint8_t kScoreboards = 6;
inline constexpr uint8_t kNoScoreboard = 7;

struct Instruction {
  InstructionKind kind = InstructionKind::kInteger;
  // Multiply-adds, wavefronts, words or groups, by kind; 0 for the others.
  uint32_t argument = 0;
  bool not_in_last_chunk = false;
  // Cycles to the warp's next issue, at least 1.
  uint8_t stall = 1;
  uint8_t write = kNoScoreboard;
  uint8_t read = kNoScoreboard;
  // Bit i: waits for scoreboard i.
  uint8_t waits = 0;

  bool operator==(const Instruction&) const = default;
};

struct TileStream {
  std::vector<Instruction> elect;
  std::vector<Instruction> fetch;
  std::vector<Instruction> chunk;
  std::vector<Instruction> epilogue;
};

// Errors name the instruction by its place, its text, and what is accepted.
absl::StatusOr<std::vector<Instruction>> ParseInstructions(
    absl::string_view text);

// The text that ParseInstructions reads, with runs counted.
std::string FormatInstructions(const std::vector<Instruction>& instructions);

// Whether the stream can run: elect and chunk are there, elect has no barrier
// (one warp alone would wait for ever), ? only inside a chunk.
absl::Status ValidateStream(const TileStream& stream);

// All four segments. Errors as above, with the segment's name.
absl::StatusOr<TileStream> ParseStream(const pb::InstructionStream& text);

// The program's stream for a compute capability (major * 10 + minor). kNotFound
// names those that there are.
absl::StatusOr<TileStream> FindStream(const pb::TileProgram& program,
                                      uint32_t capability);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_INSTRUCTION_STREAM_H_
