// Sequence numbers are what tells a lost record from one that never was.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class Sequence : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override { return kAllKinds; }
  bool wants_tiles() const override { return true; }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    const bool drop = record.kind == RecordKind::kDrop;
    if (!stream.back && stream.gap == (drop ? record.value : 0)) return;
    Complain(stream, {sequence, record});
  }

  void OnTiles(const Stream& stream, const TileRun& run) override {
    if (stream.back || stream.gap != 0) Complain(stream, run.PopAt(0));
  }

 private:
  void Complain(const Stream& stream, const Spot& spot) {
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      Finding finding;
      finding.text =
          absl::StrCat(StreamName(stream.id), ": record ", spot.sequence, " (",
                       DescribeRecord(spot.record), ") ");
      const uint64_t expected = stream.next_sequence;
      if (stream.back) {
        absl::StrAppend(&finding.text, "stands where record ", expected,
                        " should: the numbers go back");
      } else if (spot.record.kind == RecordKind::kDrop) {
        absl::StrAppend(&finding.text, "says that ", spot.record.value,
                        " records were lost, but ", stream.gap,
                        " numbers are left out");
      } else {
        absl::StrAppend(&finding.text, "stands where record ", expected,
                        " should: ", stream.gap,
                        " records are missing and no drop says so");
      }
      if (stream.any_record) finding.records.push_back(stream.At(stream.last));
      finding.records.push_back(place);
      return finding;
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeSequence(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Sequence>(facts, tasks);
}

}  // namespace tilebound::oracle
