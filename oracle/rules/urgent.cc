// The urgent work of an event is as much a promise as the tasks: each of its
// tiles is run once.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"
#include "oracle/urgent_set.h"

namespace tilebound::oracle {
namespace {

class Urgent : public Rule {
 public:
  Urgent(const TraceFacts& facts, TaskSet& tasks)
      : Rule(facts, tasks),
        tiles_(facts.header.cell().urgent_tiles()),
        begun_(facts.sets, tiles_),
        ended_(facts.sets, tiles_) {}

  uint32_t kinds() const override {
    return KindBits({RecordKind::kUrgentBegin, RecordKind::kUrgentEnd});
  }
  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    const bool begin = record.kind == RecordKind::kUrgentBegin;
    if (record.detail >= tiles_) {
      if (begin) OneTooMany(stream.At(sequence, record));
      return;
    }
    // What was never set is another rule's finding.
    if (const SetTable::Event* event = facts().sets.Find(record.value)) {
      (begin ? begun_ : ended_).Insert(*event, record.detail);
    }
  }

  void Absorb(Rule& other) override {
    Rule::Absorb(other);
    begun_.Absorb(static_cast<Urgent&>(other).begun_);
    ended_.Absorb(static_cast<Urgent&>(other).ended_);
  }

  void Conclude() override {
    for (const UrgentSet* set : {&begun_, &ended_}) {
      const absl::string_view what = set == &begun_ ? "begun" : "ended";
      for (const auto& [generation, tile] : set->again()) {
        wrong().Add(
            {generation, tile, set == &ended_}, [&, g = generation, t = tile] {
              return Finding{
                  .text = absl::StrCat("urgent tile ", t, " of event ", g,
                                       " was ", what, " more than once"),
                  .event = g,
                  .urgent_tile = t,
                  .kinds = kinds()};
            });
      }
      wrong().AddUnseen(set->again_count() - set->again().size());
    }
    const auto& events = facts().sets.events();
    for (size_t e = 0; e < events.size(); ++e) {
      if (ended_.CountOf(e) == tiles_) continue;
      for (uint32_t tile = 0; tile < tiles_; ++tile) {
        if (!ended_.Contains(e, tile)) Missing(events[e], e, tile);
      }
    }
  }

 private:
  void OneTooMany(const Place& place) {
    wrong().Add(
        {place.spot.record.value, place.spot.record.detail, OrderAt(place)[0]},
        [&] {
          return Finding{
              .text = absl::StrCat(
                  StreamName(place.stream), ": ",
                  DescribeRecord(place.spot.record), ", but an event has ",
                  tiles_, tiles_ == 1 ? " urgent tile" : " urgent tiles",
                  ", numbered from 0"),
              .records = {place}};
        });
  }

  void Missing(const SetTable::Event& event, size_t index, uint32_t tile) {
    absent().Add({event.generation, tile, 0}, [&] {
      return Finding{.text = absl::StrCat("urgent tile ", tile, " of event ",
                                          event.generation, " was ",
                                          begun_.Contains(index, tile)
                                              ? "begun and never ended"
                                              : "never run"),
                     .records = {event.place},
                     .event = event.generation,
                     .urgent_tile = tile};
    });
  }

  const uint32_t tiles_;
  UrgentSet begun_;
  UrgentSet ended_;
};

}  // namespace

std::unique_ptr<Rule> MakeUrgent(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Urgent>(facts, tasks);
}

}  // namespace tilebound::oracle
