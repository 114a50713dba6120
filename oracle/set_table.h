// Which generation was set when and by whom: gathered before the pass over the
// trace, since a block's records may come in the file before the set that they
// answer.
//
//   SetTable sets = SurveyTrace(reader).sets;
//   const SetTable::Event* event = sets.Find(7);
//   if (event != nullptr) ... event->place.spot.record.time_ps ...
#ifndef TILEBOUND_ORACLE_SET_TABLE_H_
#define TILEBOUND_ORACLE_SET_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/stream.h"

namespace tilebound::oracle {

class SetTable {
 public:
  struct Event {
    uint64_t generation = 0;
    Place place;

    int64_t time_ps() const { return place.spot.record.time_ps; }
  };

  SetTable() = default;
  // In any order.
  explicit SetTable(std::vector<Event> sets);

  // Every set record, by generation, then time, block and sequence number.
  const std::vector<Event>& all() const { return all_; }
  // The first of each generation, by generation.
  const std::vector<Event>& events() const { return events_; }

  // Null if the generation was never set.
  const Event* Find(uint64_t generation) const {
    if (events_.empty() || generation < events_[0].generation) return nullptr;
    // Generations nearly always follow one another.
    const uint64_t guess = generation - events_[0].generation;
    if (guess < events_.size() && events_[guess].generation == generation) {
      return &events_[guess];
    }
    return Search(generation);
  }
  // The first generation of those set at `time_ps` or later; null if none.
  const Event* FirstFrom(int64_t time_ps) const;
  // Place of the event in events().
  size_t IndexOf(const Event& event) const { return &event - events_.data(); }

 private:
  const Event* Search(uint64_t generation) const;

  std::vector<Event> all_;
  std::vector<Event> events_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_SET_TABLE_H_
