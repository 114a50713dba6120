#include "model/cycle/sm_program.h"

#include <algorithm>
#include <cmath>

namespace tilebound::model {
namespace {

struct Fraction {
  int64_t whole;
  uint64_t rest;
};

// A number as whole part and 1/1024s.
Fraction Split(double value) {
  const int64_t units = std::llround(value * kCostUnit);
  return {units / kCostUnit, static_cast<uint64_t>(units % kCostUnit)};
}

SmOp MakeOp(const Instruction& instruction, const CycleParameters& p) {
  SmOp op;
  op.kind = instruction.kind;
  op.not_in_last_chunk = instruction.not_in_last_chunk;
  op.stall = std::max<uint8_t>(1, instruction.stall);
  op.write = instruction.write;
  op.read = instruction.read;
  op.waits = instruction.waits;
  op.argument = instruction.argument;
  const auto memory = [&](double cost, double latency, double jitter) {
    op.group = IssueGroup::kMemory;
    op.cost = std::llround(cost * p.lsu_cost_scale * kCostUnit);
    op.latency = std::max<int64_t>(1, std::llround(latency));
    op.jitter = std::llround(latency * jitter);
  };
  // Words after the first pass as one wavefront each.
  const double more_words =
      instruction.argument > 1
          ? p.shared_wavefront_cycles * (instruction.argument - 1)
          : 0;
  const double l2_cycles = p.l2_latency_us * p.clock_mhz;
  switch (instruction.kind) {
    case InstructionKind::kCommit:
    case InstructionKind::kWaitGroup:
    case InstructionKind::kBarrier:
      break;
    case InstructionKind::kInteger:
      if (p.integer_takes_fma > 0) op.group = IssueGroup::kFma;
      op.latency = std::llround(p.variable_latency_cycles);
      break;
    case InstructionKind::kVariable:
      op.latency = std::llround(p.variable_latency_cycles);
      break;
    case InstructionKind::kFma:
      op.group = IssueGroup::kFma;
      op.latency = std::llround(p.variable_latency_cycles);
      break;
    case InstructionKind::kTensor:
      op.group = IssueGroup::kTensor;
      op.cost =
          std::max<int64_t>(1, std::llround(instruction.argument /
                                            p.tensor_multiply_adds_per_cycle));
      op.latency = op.cost + std::llround(p.variable_latency_cycles);
      break;
    case InstructionKind::kSharedLoad:
      memory(p.shared_wavefront_cycles * instruction.argument,
             p.shared_latency_cycles, 0);
      break;
    case InstructionKind::kSharedStore:
      memory(p.shared_store_cycles + more_words, p.shared_latency_cycles, 0);
      break;
    case InstructionKind::kGlobalLoad:
      memory(p.global_load_cycles + more_words, l2_cycles, p.memory_jitter);
      break;
    case InstructionKind::kGlobalStore:
      memory(p.global_store_cycles + more_words, p.store_latency_cycles, 0);
      break;
    case InstructionKind::kAsyncCopy:
      memory(p.async_copy_cycles, l2_cycles, p.memory_jitter);
      break;
    case InstructionKind::kAtomic:
      memory(p.atomic_cycles, p.atomic_round_trip_us * p.clock_mhz,
             p.memory_jitter);
      break;
  }
  return op;
}

}  // namespace

SmProgram MakeSmProgram(const TileStream& stream,
                        const CycleParameters& parameters) {
  SmProgram program;
  const auto append = [&](const std::vector<Instruction>& segment) {
    for (const Instruction& instruction : segment) {
      program.ops.push_back(MakeOp(instruction, parameters));
    }
    return static_cast<uint32_t>(program.ops.size());
  };
  program.fetch_begin = append(stream.elect);
  program.chunk_begin = append(stream.fetch);
  program.epilogue_begin = append(stream.chunk);
  append(stream.epilogue);
  const Fraction fma = Split(parameters.fma_interval_cycles);
  program.fma_interval = fma.whole;
  program.fma_extra = fma.rest;
  const Fraction queue = Split(parameters.queue_places);
  program.queue_places = static_cast<uint32_t>(queue.whole);
  program.queue_extra = queue.rest;
  program.operand_read_cycles = std::llround(parameters.operand_read_cycles);
  program.barrier_cycles = std::llround(parameters.barrier_cycles);
  for (const SmOp& op : program.ops) {
    program.most_latency =
        std::max({program.most_latency, op.latency + op.jitter,
                  program.operand_read_cycles});
    program.most_cost = std::max(program.most_cost, op.cost / kCostUnit + 2);
  }
  return program;
}

}  // namespace tilebound::model
