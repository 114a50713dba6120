// A worker block lives once. A stream of the urgent kernel holds many lives,
// each of them on one SM.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class LifeRule : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override { return kAllKinds; }
  bool wants_tiles() const override { return true; }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    const Spot spot = {sequence, record};
    if (record.kind == RecordKind::kDrop) return;
    if (stream.role == StreamRole::kHost) {
      if (record.kind != RecordKind::kFlagSet) {
        Complain(stream, spot, "only blocks do that");
      }
      return;
    }
    if (record.kind != RecordKind::kBlockStart) {
      NeedsLife(stream, spot);
    } else if (stream.life == Life::kAlive) {
      Complain(stream, spot, "it had started before and has not exited");
    } else if (stream.life == Life::kGone &&
               stream.role == StreamRole::kWorker) {
      Complain(stream, spot, "it had exited, and a worker block starts once");
    }
  }

  void OnTiles(const Stream& stream, const TileRun& run) override {
    if (stream.role == StreamRole::kHost) {
      Complain(stream, run.PopAt(0), "only blocks do that");
    } else {
      NeedsLife(stream, run.PopAt(0));
    }
  }

 private:
  void NeedsLife(const Stream& stream, const Spot& spot) {
    if (stream.life == Life::kUnborn && !stream.any_record) {
      Complain(stream, spot, "it has not started yet");
    } else if (stream.life == Life::kGone) {
      Complain(stream, spot, "it has exited");
    }
  }

  void Complain(const Stream& stream, const Spot& spot, absl::string_view why) {
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      Finding finding;
      finding.text = absl::StrCat(StreamName(stream.id), ": ",
                                  DescribeRecord(spot.record), ", but ", why);
      if (stream.life == Life::kAlive) {
        finding.records.push_back(stream.At(stream.start));
      } else if (stream.any_record) {
        finding.records.push_back(stream.At(stream.last));
      }
      finding.records.push_back(place);
      return finding;
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeLife(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<LifeRule>(facts, tasks);
}

}  // namespace tilebound::oracle
