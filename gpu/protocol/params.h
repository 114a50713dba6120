// What a persistent kernel is told and what it leaves behind, as plain structs
// that nvcc and the host compiler read alike.
//
//   KernelParams params = {};
//   params.operands = ...; params.k = 64; params.events = 10000; ...
//   cudaLaunchKernel(entry.function, blocks, entry.threads, {&params}, ...);
//
// Use PersistentRun (gpu/harness/persistent_run.h) rather than filling one by
// hand: it allocates, orders the fills before the launch, and reads back.
//
// Every pointer is to device memory unless its comment says otherwise. Times
// are nanoseconds of %globaltimer, which is one clock for the whole device.
#ifndef TILEBOUND_GPU_PROTOCOL_PARAMS_H_
#define TILEBOUND_GPU_PROTOCOL_PARAMS_H_

#include <cstdint>

#include "gpu/protocol/recorder.cuh"

namespace tilebound::gpu {

// The ticket counter is raised to this to end a run: no queue is that long, so
// every later ticket says that there is no more work.
inline constexpr uint64_t kStopTicket = uint64_t{1} << 62;
// A flag of this value ends the run; the host's way of stopping it.
inline constexpr uint32_t kStopGeneration = 0xFFFFFFFFu;
// Blocks keep generations in 20 bits and count periods in the other 12
// (protocol/looks.cuh).
inline constexpr uint32_t kMostGeneration = (1u << 20) - 1;
inline constexpr uint32_t kMostEvents = kMostGeneration - 1;
inline constexpr uint32_t kMostPeriod = (1u << 12) - 1;
inline constexpr uint64_t kNoTask = ~uint64_t{0};

// Two matrices and where the tiles of their product go. Row-major A is
// [tiles_m * kM][k] and B is [k][tiles_n * kN], fp32 or fp16 as the tile has
// it. Tile (i, j) has the index i * tiles_n + j; its kM x kN fp32 outputs lie
// together, row-major, at c + index * kM * kN.
struct Operands {
  const void* a;
  const void* b;
  uint32_t tiles_m;
  uint32_t tiles_n;
};

// The words that blocks share, a 128-byte line each so that they do not slow
// one another down. Zero before the launch.
struct alignas(128) CacheLine {
  uint64_t value;
};
struct SharedState {
  // Next ticket of the background queue, by fetch-add.
  CacheLine ticket;
  // Generation flag: number of events set so far (protocol/flag.cuh).
  alignas(128) uint32_t generation;
  // Tickets that had been drawn when the run was stopped.
  alignas(128) CacheLine stopped_at;
  // 1 if the deadline ended the run.
  CacheLine expired;
  // Blocks that have started on each SM, by SM id.
  uint32_t arrivals[1024];
};

// What thread 0 of each block writes, once.
struct BlockInfo {
  uint32_t sm;
  // Order of arrival at NoteStart; the host replaces it by the rank by age on
  // the SM, 0 = oldest.
  uint32_t slot;
  uint64_t start_ns;
  uint64_t end_ns;
  // clock64() of the block's SM at the same points.
  uint64_t start_cycle;
  uint64_t end_cycle;
  // Background tiles finished, tiles abandoned, urgent tiles finished.
  uint64_t tiles;
  uint64_t abandoned;
  uint64_t urgent;
};

// What a block does with copies in flight, where an instantiation takes it at
// run time (Discipline::kAny).
enum RuntimeDiscipline : uint32_t {
  kRunDrain = 0,
  kRunNaive = 1,
  kRunPoison = 2,
};

struct KernelParams {
  // -- Background work: task t is tile t % (tiles_m * tiles_n), which is a
  // power of two.
  Operands operands;
  float* c;
  uint32_t k;
  // A block looks at every period-th site.
  uint32_t period;
  // The run ends when so many tickets are drawn; with events it is
  // kStopTicket / 2 and the setter ends the run.
  uint64_t tasks;

  // -- Urgent work (events * urgent_tiles < 2^32): event e, tile u computes
  // tile u of these operands into urgent_c + (e * urgent_tiles + u) * kM * kN.
  Operands urgent_operands;
  float* urgent_c;
  uint32_t urgent_tiles;
  uint32_t events;
  // A background tile that was abandoned for urgent tile (e, u) and restarted
  // goes here, at the index of (e, u), so that it can be checked; and
  // restarted_task says which it was. Null at sites outside tiles.
  float* restarted_c;
  uint64_t* restarted_task;

  // -- Shared words.
  SharedState* state;
  // The flag that blocks look at: &state->generation, or a mapped host word.
  uint32_t* flag;
  // [events] next urgent tile to hand out, and urgent tiles finished.
  uint32_t* claim_next;
  uint32_t* done;

  // -- Device setter. Event e is set gap_ns[e] after event e - 1 was complete
  // (the first: after the start). The run goes on for final_wait_ns after the
  // last, so that every block gets to look.
  const uint32_t* gap_ns;
  uint32_t final_wait_ns;
  // Ends the run from inside this long after its start.
  uint64_t deadline_ns;

  // -- Log. [events] set and complete; [events] first claim.
  uint64_t* set_ns;
  uint64_t* claim_ns;
  uint64_t* end_ns;
  // [events * blocks] when the block saw the event; 0 if it never did.
  uint64_t* observed_ns;
  // Mapped host memory, [events]: end_ns again. Host setter only.
  uint64_t* host_end_ns;
  // [blocks].
  BlockInfo* blocks;

  // -- Recording::kCounters only.
  // [tasks] executions of each task; null if they are not counted.
  uint32_t* executions;
  // [events * urgent_tiles] executions of each urgent tile.
  uint32_t* urgent_executions;
  // [events * urgent_tiles] 1 + copy groups in flight when the claimant
  // yielded; 0 where nobody yielded a tile.
  uint32_t* yield_groups;
  uint32_t discipline;  // RuntimeDiscipline

  // -- Recording::kTrace only.
  RecorderView recorder;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_PARAMS_H_
