#include "oracle/set_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tilebound::oracle {
namespace {

auto OrderOf(const SetTable::Event& event) {
  return std::tuple(event.generation, event.time_ps(), event.place.stream,
                    event.place.spot.sequence);
}

}  // namespace

SetTable::SetTable(std::vector<Event> sets) : all_(std::move(sets)) {
  std::sort(all_.begin(), all_.end(), [](const Event& a, const Event& b) {
    return OrderOf(a) < OrderOf(b);
  });
  std::unique_copy(all_.begin(), all_.end(), std::back_inserter(events_),
                   [](const Event& a, const Event& b) {
                     return a.generation == b.generation;
                   });
}

const SetTable::Event* SetTable::Search(uint64_t generation) const {
  const auto at = std::lower_bound(
      events_.begin(), events_.end(), generation,
      [](const Event& event, uint64_t g) { return event.generation < g; });
  return at != events_.end() && at->generation == generation ? &*at : nullptr;
}

const SetTable::Event* SetTable::FirstFrom(int64_t time_ps) const {
  // Times rise with generations in any trace that keeps the setter's rule.
  const auto at = std::lower_bound(
      events_.begin(), events_.end(), time_ps,
      [](const Event& event, int64_t t) { return event.time_ps() < t; });
  return at != events_.end() ? &*at : nullptr;
}

}  // namespace tilebound::oracle
