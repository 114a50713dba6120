// Cause before effect: nothing is seen, claimed or begun for an event that has
// not been set.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class SetFirst : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override {
    return KindBits({RecordKind::kObserve, RecordKind::kClaim,
                     RecordKind::kUrgentBegin, RecordKind::kUrgentEnd});
  }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    const SetTable::Event* set = facts().sets.Find(record.value);
    const Place place = stream.At(sequence, record);
    if (set == nullptr) {
      absent().Add(OrderAt(place), [&] {
        return Finding{
            .text = absl::StrCat(StreamName(stream.id), ": ",
                                 DescribeRecord(record), ", which nobody set"),
            .records = {place}};
      });
    } else if (record.time_ps + facts().quantum_ps() <= set->time_ps()) {
      wrong().Add(OrderAt(place), [&] {
        return Finding{
            .text = absl::StrCat(StreamName(stream.id), ": ",
                                 DescribeRecord(record), ", before its set by ",
                                 StreamName(set->place.stream), " at ",
                                 Microseconds(set->time_ps())),
            .records = {place, set->place}};
      });
    }
  }
};

}  // namespace

std::unique_ptr<Rule> MakeSetFirst(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<SetFirst>(facts, tasks);
}

}  // namespace tilebound::oracle
