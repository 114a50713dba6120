// Traces whose tile times are known, to prove what reads them.
//
//   PlantedTrace plan = {.slot_us = {10, 14}, .sms = 4, .seed = 1};
//   TraceReader reader = MakePlantedTrace(plan);
#ifndef TILEBOUND_MODEL_PLANTED_TRACE_H_
#define TILEBOUND_MODEL_PLANTED_TRACE_H_

#include <cmath>
#include <string>
#include <vector>

#include "data/trace/reader.h"
#include "data/trace/writer.h"
#include "model/random.h"

namespace tilebound::model {

struct PlantedTrace {
  // Mean tile time of each slot; as many blocks on each SM.
  std::vector<double> slot_us;
  uint32_t sms = 4;
  double length_us = 20'000;
  // Coefficient of variation of a tile, and its correlation with the next.
  double spread = 0.1;
  double correlation = 0;
  // Each SM's own factor, one entry an SM; empty: all 1.
  std::vector<double> sm_factors = {};
  // Every so many tiles of a block, urgent work follows; 0: never.
  uint32_t urgent_every = 0;
  uint64_t quantum_ps = 0;
  uint32_t k = 64;
  uint64_t seed = 1;
};

inline std::string PlantedTraceBytes(const PlantedTrace& plan) {
  const auto slots = static_cast<uint32_t>(plan.slot_us.size());
  pb::TraceHeader header;
  header.mutable_cell()->set_arm(pb::COOPERATIVE);
  header.mutable_cell()->set_site(pb::BOUNDARY);
  header.mutable_cell()->set_period(1);
  header.mutable_cell()->set_part("a10");
  header.mutable_cell()->set_kernel("sgemm64");
  header.mutable_cell()->set_k(plan.k);
  header.set_blocks(slots * plan.sms);
  header.set_tasks(1u << 20);
  header.set_blocks_per_sm(slots);
  header.set_quantum_ps(plan.quantum_ps);
  header.set_time_unit_ps(plan.quantum_ps);
  TraceWriter writer = *TraceWriter::CreateInMemory(header);
  uint64_t task = 0;
  for (uint32_t block = 0; block < header.blocks(); ++block) {
    const uint32_t sm = block % plan.sms;
    const uint32_t slot = block / plan.sms;
    const double mean_us = plan.slot_us[slot] *
                           (plan.sm_factors.empty() ? 1 : plan.sm_factors[sm]);
    Random random(StreamSeed({plan.seed, block}));
    double deviation = random.Normal();
    // A start at random, so that ticks fall anywhere.
    double now_us = mean_us * random.Unit();
    const auto at = [](double us) { return std::llround(us * 1e6); };
    writer.Append(block, Record::BlockStart(at(now_us), sm, slot));
    uint64_t generation = 0;
    for (uint32_t i = 1; now_us < plan.length_us; ++i) {
      deviation =
          plan.correlation * deviation +
          std::sqrt(1 - plan.correlation * plan.correlation) * random.Normal();
      const double next_us = now_us + mean_us * (1 + plan.spread * deviation);
      // A twentieth of the tile is its boundary.
      writer.AppendTile(block, task++, at(now_us),
                        at(next_us - 0.05 * mean_us));
      now_us = next_us;
      if (plan.urgent_every == 0 || i % plan.urgent_every != 0) continue;
      ++generation;
      writer.Append(block, Record::Observe(at(now_us), generation));
      writer.Append(block,
                    Record::Claim(at(now_us), generation, 0, pb::BOUNDARY));
      writer.Append(block, Record::UrgentBegin(at(now_us), generation, 0));
      now_us += mean_us;
      writer.Append(block, Record::UrgentEnd(at(now_us), generation, 0));
    }
    writer.Append(block, Record::BlockExit(at(now_us)));
  }
  return *writer.TakeBytes();
}

inline TraceReader MakePlantedTrace(const PlantedTrace& plan) {
  return *TraceReader::FromBytes(PlantedTraceBytes(plan), "planted.tbtrace");
}

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_PLANTED_TRACE_H_
