// Time may stand still inside a block, since stamps are floored to a tick, but
// it never falls: one block reads one clock.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class Clock : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override { return kAllKinds; }
  bool wants_tiles() const override { return true; }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    if (stream.any_record && record.time_ps < stream.last.record.time_ps) {
      Complain(stream, stream.last, {sequence, record});
    }
  }

  void OnTiles(const Stream& stream, const TileRun& run) override {
    const bool falls =
        stream.any_record && run.pop[0] < stream.last.record.time_ps;
    if (run.rising && !falls) return;
    Spot last = stream.any_record ? stream.last : run.PopAt(0);
    for (size_t i = 0; i < run.count; ++i) {
      for (const Spot& spot : {run.PopAt(i), run.EndAt(i)}) {
        if (spot.record.time_ps < last.record.time_ps) {
          Complain(stream, last, spot);
        }
        last = spot;
      }
    }
  }

 private:
  void Complain(const Stream& stream, const Spot& last, const Spot& spot) {
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      return Finding{
          .text = absl::StrCat(StreamName(stream.id), ": ",
                               DescribeRecord(spot.record),
                               " is earlier than the record before it, the ",
                               DescribeRecord(last.record)),
          .records = {stream.At(last), place}};
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeClock(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Clock>(facts, tasks);
}

}  // namespace tilebound::oracle
