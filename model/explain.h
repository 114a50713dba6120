// Where the latency of a cell comes from, and who observes last.
//
//   TILEBOUND_ASSIGN_OR_RETURN(Explanation why, ExplainLatency(cell, 2000));
//   std::cout << ExplanationText(why);
//
// The latency of an event is the last observer's. Its time from the set to the
// observation is cut at four points:
//   set -> visible                    notification
//   visible -> reading at next site   residual: what the tile in hand still has
//                                     to go through, service and memory latency
//   -> reading at the site looked at  period
//   -> acting on what was read        notification
// How much of a residual is service is not looked up but taken from the tile:
// service, with the wait for it, is what a slot's tiles take beyond the tile's
// latency phases.
#ifndef TILEBOUND_MODEL_EXPLAIN_H_
#define TILEBOUND_MODEL_EXPLAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/io/table.h"
#include "model/cell_model.h"

namespace tilebound::model {

struct SlotExplanation {
  uint32_t blocks_per_sm = 0;
  uint32_t slot = 0;
  // Blocks of the grid in such a slot.
  uint32_t blocks = 0;
  double tile_us = 0;
  // Share of events in which one of them observes last.
  double last_pct = 0;
  // What its residual service adds to the mean latency.
  double service_us = 0;
};

struct Explanation {
  uint64_t events = 0;
  // Mean latency, and the four parts that add up to it.
  double latency_us = 0;
  double notification_us = 0;
  double service_us = 0;
  double memory_us = 0;
  double period_us = 0;
  // Of the SMs with most blocks first, oldest slot first.
  std::vector<SlotExplanation> slots;
};

// From `events` sampled events, as SampleHandoff draws them. Error for
// independent tiles (Sharing::kIid), which have neither service nor latency.
absl::StatusOr<Explanation> ExplainLatency(const CellModel& cell,
                                           uint64_t events);

// A paragraph for people.
std::string ExplanationText(const Explanation& explanation);

// Columns cell, what, blocks_per_sm, slot, us, pct.
Table ExplanationTable();
void AddExplanation(const std::string& cell, const Explanation& explanation,
                    Table& table);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_EXPLAIN_H_
