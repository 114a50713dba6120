// One SM of a persistent kernel, cycle by cycle: who issues what when. It
// explains how unequally the resident blocks are served, from nothing but the
// instruction stream; slot_times.h turns it into tile times.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       SmRun run, SimulateSm(stream, parameters,
//                             {.blocks = 4, .warps_per_block = 8,
//                              .chunks = 2, .tiles = 100, .seed = 1}));
//
// The rule, for every cycle in this order:
// 1. Results that are due clear their scoreboards.
// 2. If the load-store pipe comes free in this cycle it takes the first
//    instruction of a queue picked at random among the four subpartitions'
//    queues that are not empty, and is busy for that instruction's cost from
//    then on: fractions of a cycle are not lost under load.
// 3. Each subpartition issues one instruction: that of its oldest eligible
//    warp; if that is an FMA, of a warp picked evenly among those with an
//    eligible FMA. On parts where integer instructions run in FMA lanes they
//    count as FMAs. Eligible: stall over, scoreboards clear, not at a barrier,
//    a place in the subpartition's queue for memory instructions, the FMA or
//    tensor pipe free for theirs.
// Warps go to subpartitions in turn, and slot 0 is the oldest block.
//
// Time is in cycles and in 1/1024 of them, random numbers are SplitMix64's:
// results are the same on every machine. naive_sm_cycles.h has the same rule
// without any of the bookkeeping that makes this one fast.
#ifndef TILEBOUND_MODEL_CYCLE_SM_CYCLES_H_
#define TILEBOUND_MODEL_CYCLE_SM_CYCLES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cycle/cycle_parameters.h"
#include "model/cycle/instruction_stream.h"

namespace tilebound::model {

struct SmRunOptions {
  uint32_t blocks = 1;
  uint32_t warps_per_block = 8;
  // k / chunk_k.
  uint32_t chunks = 1;
  // Ends when the youngest block has begun this many tiles ...
  uint32_t tiles = 100;
  // ... or, if it starves, here.
  int64_t most_cycles = 4'000'000'000;
  uint64_t seed = 0;
};

struct SmRun {
  // By slot, the cycles at which its tiles began (elect's first issue).
  std::vector<std::vector<int64_t>> tile_starts;
  int64_t cycles = 0;
  uint64_t instructions = 0;
  // Of the load-store pipe, in cycles.
  double pipe_busy_cycles = 0;

  bool operator==(const SmRun&) const = default;
};

// The same options give the same run, whatever the machine.
// Errors: no block or over 64 warps in all, no chunk or tile, a stream or
// parameters that are not valid.
absl::StatusOr<SmRun> SimulateSm(const TileStream& stream,
                                 const CycleParameters& parameters,
                                 const SmRunOptions& options);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_SM_CYCLES_H_
