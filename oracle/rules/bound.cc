// The latency that the user was promised: from the set to the last block's
// observation, the setter's own left out.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class Bound : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override {
    return facts().bound_ps == 0 ? 0 : KindBits({RecordKind::kObserve});
  }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    const SetTable::Event* set = facts().sets.Find(record.value);
    if (set == nullptr || set->place.stream == stream.id) return;
    const int64_t latency = record.time_ps - set->time_ps();
    // Each stamp may be up to a tick (less the least unit) too early.
    if (latency < facts().bound_ps + facts().quantum_ps()) return;
    const Place place = stream.At(sequence, record);
    wrong().Add(OrderAt(place), [&] {
      return Finding{.text = absl::StrCat(StreamName(stream.id), ": ",
                                          DescribeRecord(record), ", ",
                                          Microseconds(latency),
                                          " after its set; the bound is ",
                                          Microseconds(facts().bound_ps)),
                     .records = {set->place, place}};
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeBound(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Bound>(facts, tasks);
}

}  // namespace tilebound::oracle
