// A block sees the generations one by one: one that it skips is an interrupt
// that it never answered.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class Generation : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override { return KindBits({RecordKind::kObserve}); }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    const Spot spot = {sequence, record};
    if (stream.seen == Seen::kSome) {
      const uint64_t before = stream.observed.record.value;
      if (record.value == before) {
        Complain(stream, spot, "which it had observed already");
      } else if (record.value < before) {
        Complain(stream, spot,
                 absl::StrCat("after it had observed event ", before));
      } else if (record.value != before + 1) {
        Complain(stream, spot,
                 absl::StrCat("skipping ", before + 1,
                              record.value > before + 2
                                  ? absl::StrCat(" to ", record.value - 1)
                                  : ""));
      }
    } else if (stream.seen == Seen::kNothing && stream.life == Life::kAlive) {
      First(stream, spot);
    }
  }

 private:
  // What was set before the block started, it need not observe.
  void First(const Stream& stream, const Spot& spot) {
    const int64_t start = stream.start.record.time_ps;
    const SetTable::Event* due =
        facts().sets.FirstFrom(facts().SurelySeen(start));
    if (due == nullptr || due->generation >= spot.record.value) return;
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      return Finding{
          .text = absl::StrCat(
              StreamName(stream.id), ": the first it observes is the ",
              DescribeRecord(spot.record), ", skipping event ", due->generation,
              ", which was set at ", Microseconds(due->time_ps()),
              ", after the block's start at ", Microseconds(start)),
          .records = {stream.At(stream.start), due->place, place}};
    });
  }

  void Complain(const Stream& stream, const Spot& spot, absl::string_view how) {
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      return Finding{
          .text = absl::StrCat(StreamName(stream.id), ": ",
                               DescribeRecord(spot.record), ", ", how),
          .records = {stream.At(stream.observed), place}};
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeGeneration(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Generation>(facts, tasks);
}

}  // namespace tilebound::oracle
