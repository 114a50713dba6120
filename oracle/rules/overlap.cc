// A block has one tile in hand at a time, and urgent work only between tiles: a
// second one would overwrite the first one's accumulators.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class Overlap : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override { return kAllKinds; }
  bool wants_tiles() const override { return true; }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    if (stream.doing == Doing::kUnknown) return;
    const Spot spot = {sequence, record};
    switch (record.kind) {
      case RecordKind::kPop:
      case RecordKind::kRestart:
      case RecordKind::kUrgentBegin:
      case RecordKind::kBlockExit:
        if (stream.doing != Doing::kIdle) Busy(stream, spot);
        break;
      case RecordKind::kTileEnd:
      case RecordKind::kAbandon:
        if (stream.doing != Doing::kTile) {
          Complain(stream, spot, "no tile is in hand");
        } else if (stream.tile.record.value != record.value) {
          Busy(stream, spot);
        }
        break;
      case RecordKind::kUrgentEnd:
        if (stream.doing != Doing::kUrgent) {
          Complain(stream, spot, "no urgent tile is in hand");
        } else if (stream.urgent.record.value != record.value ||
                   stream.urgent.record.detail != record.detail) {
          Busy(stream, spot);
        }
        break;
      default:
        break;
    }
  }

  void OnTiles(const Stream& stream, const TileRun& run) override {
    if (stream.doing == Doing::kTile || stream.doing == Doing::kUrgent) {
      Busy(stream, run.PopAt(0));
    }
  }

 private:
  void Busy(const Stream& stream, const Spot& spot) {
    const Spot& in_hand =
        stream.doing == Doing::kTile ? stream.tile : stream.urgent;
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      return Finding{
          .text = absl::StrCat(StreamName(stream.id), ": ",
                               DescribeRecord(spot.record),
                               " while it has in hand what began with the ",
                               DescribeRecord(in_hand.record)),
          .records = {stream.At(in_hand), place}};
    });
  }

  void Complain(const Stream& stream, const Spot& spot, absl::string_view why) {
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      Finding finding;
      finding.text = absl::StrCat(StreamName(stream.id), ": ",
                                  DescribeRecord(spot.record), ", but ", why);
      if (stream.any_record) finding.records.push_back(stream.At(stream.last));
      finding.records.push_back(place);
      return finding;
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeOverlap(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Overlap>(facts, tasks);
}

}  // namespace tilebound::oracle
