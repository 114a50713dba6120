// A tile that was given up in the middle must be begun anew by the block that
// gave it up: nobody else knows of it.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class Restart : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override {
    return KindBits(
        {RecordKind::kRestart, RecordKind::kPop, RecordKind::kBlockExit});
  }
  bool wants_tiles() const override { return true; }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    const Spot spot = {sequence, record};
    switch (record.kind) {
      case RecordKind::kRestart:
        if (stream.abandon_open) {
          if (stream.abandoned.record.value != record.value) {
            Complain(stream, spot, "is of another task than");
          }
        } else if (!stream.abandon_unknown) {
          NoAbandon(stream, spot);
        }
        break;
      case RecordKind::kPop:
      case RecordKind::kBlockExit:
        if (stream.abandon_open) {
          Complain(stream, spot, "comes before the restart of the tile of");
        }
        break;
      default:
        break;
    }
  }

  void OnTiles(const Stream& stream, const TileRun& run) override {
    if (stream.abandon_open) {
      Complain(stream, run.PopAt(0), "comes before the restart of the tile of");
    }
  }

 private:
  void Complain(const Stream& stream, const Spot& spot, absl::string_view how) {
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      return Finding{
          .text = absl::StrCat(StreamName(stream.id), ": ",
                               DescribeRecord(spot.record), " ", how, " the ",
                               DescribeRecord(stream.abandoned.record)),
          .records = {stream.At(stream.abandoned), place}};
    });
  }

  void NoAbandon(const Stream& stream, const Spot& spot) {
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      Finding finding;
      finding.text =
          absl::StrCat(StreamName(stream.id), ": ", DescribeRecord(spot.record),
                       ", which it had not abandoned");
      if (stream.any_record) finding.records.push_back(stream.At(stream.last));
      finding.records.push_back(place);
      return finding;
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeRestart(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Restart>(facts, tasks);
}

}  // namespace tilebound::oracle
