// Who may do what where: the arm says who runs urgent work, the site where a
// block may be interrupted.
#include "absl/strings/str_cat.h"
#include "data/schema/cell_key.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class SiteRule : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override { return kAllKinds; }
  bool wants_tiles() const override { return true; }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    if (stream.role == StreamRole::kHost) return;
    const std::string why = stream.role == StreamRole::kUrgent
                                ? ForUrgent(record)
                                : ForWorker(record);
    if (!why.empty()) Complain(stream, {sequence, record}, why);
  }

  void OnTiles(const Stream& stream, const TileRun& run) override {
    if (stream.role == StreamRole::kUrgent) {
      Complain(stream, run.PopAt(0),
               "a block of the urgent kernel pops no task");
    }
  }

 private:
  static std::string ForUrgent(const Record& record) {
    switch (MeaningOf(record.kind)) {
      case ValueMeaning::kTask:
        return "a block of the urgent kernel pops no task";
      case ValueMeaning::kGeneration:
        if (record.kind == RecordKind::kObserve ||
            record.kind == RecordKind::kClaim) {
          return "a block of the urgent kernel does not look at the flag";
        }
        return "";
      default:
        return "";
    }
  }

  std::string ForWorker(const Record& record) const {
    const pb::CellKey& cell = facts().header.cell();
    if (!facts().cooperative()) {
      const bool urgent = record.kind == RecordKind::kObserve ||
                          record.kind == RecordKind::kClaim ||
                          record.kind == RecordKind::kUrgentBegin ||
                          record.kind == RecordKind::kUrgentEnd ||
                          record.kind == RecordKind::kAbandon;
      return urgent ? absl::StrCat("in the arm ", ArmName(cell.arm()),
                                   " a worker block is not interrupted")
                    : "";
    }
    if (record.kind == RecordKind::kAbandon && cell.site() == pb::BOUNDARY) {
      return "the site is the boundary, where no tile is in hand";
    }
    if (record.kind == RecordKind::kClaim && record.site != cell.site() &&
        record.site != pb::BOUNDARY) {
      return absl::StrCat("the site is ", SiteName(cell.site()));
    }
    return "";
  }

  void Complain(const Stream& stream, const Spot& spot, absl::string_view why) {
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      return Finding{
          .text = absl::StrCat(StreamName(stream.id), ": ",
                               DescribeRecord(spot.record), ", but ", why),
          .records = {place}};
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeSite(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<SiteRule>(facts, tasks);
}

}  // namespace tilebound::oracle
