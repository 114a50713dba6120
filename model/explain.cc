#include "model/explain.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/random.h"
#include "model/stationary.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kTraceStream = 16;
constexpr uint64_t kEventStream = 96;

// As long a stretch as a few thousand events can tell apart.
constexpr int64_t kWarmupTiles = 100;
constexpr int64_t kTiles = 4'000;

// Latency phases of a tile, of a mix the mean.
int64_t LatencyPs(const TileTiming& timing) {
  return timing.SoloPs() - timing.ServicePs();
}

// The parts of one block's time from set to observation.
struct Parts {
  int64_t notification_ps = 0;
  int64_t residual_ps = 0;
  int64_t period_ps = 0;
  int64_t total() const { return notification_ps + residual_ps + period_ps; }
};

struct Slot {
  SlotExplanation shown;
  // Share of a residual that is service.
  double service_share = 0;
  uint64_t last = 0;
  double service_ps = 0;
};

class Explainer {
 public:
  explicit Explainer(const CellModel& cell) : cell_(cell) {
    const uint32_t margin = cell.period * (1 + cell.timing.stale_looks) + 3;
    length_ps_ = kTiles * cell.FairTilePs();
    const uint32_t sms = cell.placement.busy_sms();
    for (uint32_t sm = 0; sm < sms; ++sm) {
      const uint32_t blocks = cell.placement.BlocksOn(sm);
      if (traces_.count(blocks) == 0) {
        traces_.emplace(
            blocks,
            StationaryTrace(cell.MakeServer(blocks, kTraceStream, 1),
                            cell.timing.marks, kWarmupTiles * cell.FairTilePs(),
                            length_ps_ + cell.setter_delay_ps, margin));
        AddSlots(blocks);
      }
      for (Slot& slot : slots_[blocks]) ++slot.shown.blocks;
      scale_.push_back(cell.SmScale(sm));
    }
  }

  Explanation Run(uint64_t events) {
    Explanation sum;
    sum.events = events;
    Random random(StreamSeed({cell_.stream, kEventStream}));
    for (uint64_t event = 0; event < events; ++event) AddEvent(random, sum);
    const double to_us = 1e-6 / static_cast<double>(events);
    for (double* part : {&sum.latency_us, &sum.notification_us, &sum.service_us,
                         &sum.memory_us, &sum.period_us}) {
      *part *= to_us;
    }
    for (auto group = slots_.rbegin(); group != slots_.rend(); ++group) {
      for (Slot& slot : group->second) {
        slot.shown.last_pct = 100.0 * slot.last / events;
        slot.shown.service_us = slot.service_ps * to_us;
        sum.slots.push_back(slot.shown);
      }
    }
    return sum;
  }

 private:
  void AddSlots(uint32_t blocks) {
    const StationaryTrace& trace = traces_.at(blocks);
    for (uint32_t slot = 0; slot < blocks; ++slot) {
      const std::vector<int64_t>& starts = trace.Starts(slot);
      const double tile_ps =
          static_cast<double>(starts.back() - starts.front()) /
          static_cast<double>(starts.size() - 1);
      Slot added;
      added.shown.blocks_per_sm = blocks;
      added.shown.slot = slot;
      added.shown.tile_us = tile_ps * 1e-6;
      added.service_share =
          std::max(0.0, 1 - LatencyPs(cell_.timing) / tile_ps);
      slots_[blocks].push_back(added);
    }
  }

  void AddEvent(Random& random, Explanation& sum) {
    Parts last;
    Slot* last_slot = nullptr;
    const bool alone = scale_.size() == 1 && cell_.placement.BlocksOn(0) == 1;
    for (uint32_t sm = 0; sm < scale_.size(); ++sm) {
      const uint32_t blocks = cell_.placement.BlocksOn(sm);
      const StationaryTrace& trace = traces_.at(blocks);
      size_t setter_look = 0;
      const int64_t origin = Origin(trace, sm, random, setter_look);
      for (uint32_t slot = 0; slot < blocks; ++slot) {
        const bool setter = sm == 0 && slot == 0;
        const Parts parts =
            PartsOf(trace, slot, origin, setter ? setter_look + 1 : 0,
                    scale_[sm], random);
        if ((setter && !alone) ||
            (last_slot != nullptr && parts.total() <= last.total())) {
          continue;
        }
        last = parts;
        last_slot = &slots_[blocks][slot];
      }
    }
    const double service = last_slot->service_share * last.residual_ps;
    sum.latency_us += last.total();
    sum.notification_us += last.notification_ps;
    sum.service_us += service;
    sum.memory_us += last.residual_ps - service;
    sum.period_us += last.period_ps;
    ++last_slot->last;
    last_slot->service_ps += service;
  }

  // When the set happens in an SM's trace: at a look of the setter on its own
  // SM, any time on the others.
  int64_t Origin(const StationaryTrace& trace, uint32_t sm, Random& random,
                 size_t& setter_look) const {
    if (sm != 0) {
      return static_cast<int64_t>(
          random.Below(static_cast<uint64_t>(length_ps_)));
    }
    int64_t origin;
    do {
      setter_look = random.Below(trace.Looks(0));
      origin = cell_.at_boundaries() ? trace.Starts(0)[setter_look]
                                     : trace.ObservePs(0, setter_look);
    } while (origin >= length_ps_);
    return origin;
  }

  Parts PartsOf(const StationaryTrace& trace, uint32_t slot, int64_t origin,
                size_t least_look, double scale, Random& random) const {
    const size_t period = cell_.period;
    const int64_t visible = origin + cell_.setter_delay_ps;
    const size_t site =
        std::max(trace.FirstLookAtOrAfter(slot, visible), least_look);
    const size_t read = site + (period > 1 ? random.Below(period) : 0);
    const size_t act = read + cell_.timing.stale_looks * period;
    const auto scaled = [&](int64_t ps) {
      return static_cast<int64_t>(static_cast<double>(ps) * scale);
    };
    Parts parts;
    parts.notification_ps =
        scaled(visible - origin + trace.ObservePs(slot, act) -
               trace.SamplePs(slot, read));
    parts.residual_ps = scaled(trace.SamplePs(slot, site) - visible);
    parts.period_ps =
        scaled(trace.SamplePs(slot, read) - trace.SamplePs(slot, site));
    return parts;
  }

  const CellModel& cell_;
  int64_t length_ps_;
  // By blocks per SM.
  std::map<uint32_t, StationaryTrace> traces_;
  std::map<uint32_t, std::vector<Slot>> slots_;
  std::vector<double> scale_;
};

}  // namespace

absl::StatusOr<Explanation> ExplainLatency(const CellModel& cell,
                                           uint64_t events) {
  if (cell.sharing == Sharing::kIid) {
    return absl::InvalidArgumentError(
        "independent tiles (--sharing=iid) have no parts to explain; slot and "
        "fair are accepted");
  }
  return Explainer(cell).Run(events);
}

std::string ExplanationText(const Explanation& explanation) {
  const auto part = [&](double us) {
    return absl::StrFormat("%.1f us (%.0f %%)", us,
                           100 * us / explanation.latency_us);
  };
  std::string text = absl::StrFormat(
      "A handoff takes %.1f us on average. Of that the last block's tile in "
      "hand takes %s of service, waiting for it included, and %s of memory "
      "latency; looking only at every period-th site adds %s; telling the "
      "block, from the set and from its reading of the flag, takes %s.\n",
      explanation.latency_us, part(explanation.service_us),
      part(explanation.memory_us), part(explanation.period_us),
      part(explanation.notification_us));
  std::vector<SlotExplanation> slots = explanation.slots;
  std::stable_sort(slots.begin(), slots.end(),
                   [](const SlotExplanation& a, const SlotExplanation& b) {
                     return a.last_pct > b.last_pct;
                   });
  for (const SlotExplanation& slot : slots) {
    if (slot.last_pct == 0) continue;
    absl::StrAppendFormat(
        &text,
        "In %.1f %% of events a block in slot %d of %d observes last (%d such "
        "blocks, %.1f us a tile).\n",
        slot.last_pct, slot.slot, slot.blocks_per_sm, slot.blocks,
        slot.tile_us);
  }
  return text;
}

Table ExplanationTable() {
  return Table({"cell", "what", "blocks_per_sm", "slot", "us", "pct"});
}

void AddExplanation(const std::string& cell, const Explanation& explanation,
                    Table& table) {
  const auto share = [&](double us) {
    return 100 * us / explanation.latency_us;
  };
  const std::pair<const char*, double> parts[] = {
      {"latency", explanation.latency_us},
      {"notification", explanation.notification_us},
      {"residual service", explanation.service_us},
      {"memory latency", explanation.memory_us},
      {"period", explanation.period_us}};
  for (const auto& [what, us] : parts) {
    table.AddRow({cell, what, TableValue(), TableValue(), us, share(us)});
  }
  for (const SlotExplanation& slot : explanation.slots) {
    const auto add = [&](const char* what, TableValue us, double pct) {
      table.AddRow({cell, what, uint64_t{slot.blocks_per_sm},
                    uint64_t{slot.slot}, us, pct});
    };
    add("observes last", TableValue(), slot.last_pct);
    add("residual service", slot.service_us, share(slot.service_us));
  }
}

}  // namespace tilebound::model
