// Claims keep two blocks from running the same urgent tile. An event's first
// claimant is the one that takes its tile 0.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"
#include "oracle/urgent_set.h"

namespace tilebound::oracle {
namespace {

class Claim : public Rule {
 public:
  Claim(const TraceFacts& facts, TaskSet& tasks)
      : Rule(facts, tasks),
        tiles_(facts.header.cell().urgent_tiles()),
        claimed_(facts.sets, tiles_) {}

  uint32_t kinds() const override {
    if (!facts().cooperative()) return 0;
    return KindBits({RecordKind::kClaim, RecordKind::kUrgentBegin});
  }
  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    if (stream.role != StreamRole::kWorker) return;
    const Spot spot = {sequence, record};
    if (record.kind == RecordKind::kClaim) {
      OnClaim(stream, spot);
    } else if (stream.seen != Seen::kUnknown &&
               !(stream.any_claim &&
                 stream.claimed.record.value == record.value)) {
      Complain(stream, spot, "without having claimed any of that event");
    }
  }

  void Absorb(Rule& other) override {
    Rule::Absorb(other);
    claimed_.Absorb(static_cast<Claim&>(other).claimed_);
  }

  void Conclude() override {
    if (!facts().cooperative() || tiles_ == 0) return;
    for (const auto& [generation, tile] : claimed_.again()) {
      wrong().Add({generation, tile, 0}, [&, g = generation, t = tile] {
        return Finding{
            .text = absl::StrCat("urgent tile ", t, " of event ", g,
                                 " was claimed more than once",
                                 t == 0 ? ": it has two first claimants" : ""),
            .event = g,
            .urgent_tile = t,
            .kinds = KindBits({RecordKind::kClaim})};
      });
    }
    wrong().AddUnseen(claimed_.again_count() - claimed_.again().size());
    const auto& events = facts().sets.events();
    for (size_t e = 0; e < events.size(); ++e) {
      if (claimed_.Contains(e, 0)) continue;
      absent().Add({events[e].generation, 0, 0}, [&] {
        return Finding{.text = absl::StrCat("event ", events[e].generation,
                                            " has no first claimant"),
                       .records = {events[e].place},
                       .event = events[e].generation,
                       .urgent_tile = 0,
                       .kinds = KindBits({RecordKind::kUrgentBegin})};
      });
    }
  }

 private:
  void OnClaim(const Stream& stream, const Spot& spot) {
    const Record& record = spot.record;
    if (record.detail >= tiles_) {
      Complain(stream, spot,
               absl::StrCat("where an event has ", tiles_, " urgent tiles"));
      return;
    }
    const bool observed = stream.seen == Seen::kUnknown ||
                          (stream.seen == Seen::kSome &&
                           stream.observed.record.value >= record.value);
    if (!observed) Complain(stream, spot, "without having observed it");
    if (const SetTable::Event* event = facts().sets.Find(record.value)) {
      claimed_.Insert(*event, record.detail);
    }
  }

  void Complain(const Stream& stream, const Spot& spot, absl::string_view how) {
    const Place place = stream.At(spot);
    wrong().Add(
        {spot.record.value, spot.record.detail, OrderAt(place)[0]}, [&] {
          Finding finding;
          finding.text = absl::StrCat(StreamName(stream.id), ": ",
                                      DescribeRecord(spot.record), " ", how);
          if (stream.seen == Seen::kSome) {
            finding.records.push_back(stream.At(stream.observed));
          }
          finding.records.push_back(place);
          return finding;
        });
  }

  const uint32_t tiles_;
  UrgentSet claimed_;
};

}  // namespace

std::unique_ptr<Rule> MakeClaim(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Claim>(facts, tasks);
}

}  // namespace tilebound::oracle
