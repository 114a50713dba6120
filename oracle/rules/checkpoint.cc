// The checkpoint promise: once a set is surely visible, a block gets to its
// next look within P boundaries, or within P stages where it looks inside the
// tile. That, not time, is what a period promises.
//
// At sites inside a tile the records show whole tiles only. A tile that begins
// and ends after the set was visible completed all its stages; one that was
// under way completed one at least.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class Checkpoint : public Rule {
 public:
  Checkpoint(const TraceFacts& facts, TaskSet& tasks)
      : Rule(facts, tasks),
        stages_(facts.header.cell().site() == pb::BOUNDARY
                    ? 0
                    : facts.header.stages_per_tile()),
        limit_(uint64_t{facts.header.cell().period()} *
               (1 + facts.header.stale_looks())) {}

  uint32_t kinds() const override {
    return facts().cooperative()
               ? KindBits({RecordKind::kBlockStart, RecordKind::kTileEnd,
                           RecordKind::kUrgentEnd, RecordKind::kObserve})
               : 0;
  }
  bool wants_tiles() const override { return facts().cooperative(); }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    if (stream.role != StreamRole::kWorker) return;
    const Spot spot = {sequence, record};
    State& state = states_[stream];
    switch (record.kind) {
      case RecordKind::kBlockStart:
        // What was set before is not due.
        state = {};
        state.due = facts().sets.FirstFrom(facts().SurelySeen(record.time_ps));
        state.busy_until = record.time_ps;
        break;
      case RecordKind::kTileEnd:
        if (stream.doing == Doing::kTile) {
          OnEnd(stream, state, stream.tile, spot);
        }
        break;
      case RecordKind::kUrgentEnd:
        state.busy_until = record.time_ps;
        break;
      case RecordKind::kObserve:
        CheckTime(stream, state, spot);
        state.passed = 0;
        state.told = false;
        state.due = facts().sets.Find(record.value + 1);
        break;
      default:
        break;
    }
  }

  void OnTiles(const Stream& stream, const TileRun& run) override {
    if (stream.role != StreamRole::kWorker) return;
    State& state = states_[stream];
    if (state.due == nullptr) return;
    const int64_t visible = facts().SurelySeen(state.due->time_ps());
    if (run.end[run.count - 1] < visible) return;
    const int64_t* first =
        std::lower_bound(run.end, run.end + run.count, visible);
    for (size_t i = first - run.end; i < run.count; ++i) {
      OnEnd(stream, state, run.PopAt(i), run.EndAt(i));
    }
  }

  void OnMissing(const Stream& stream) override { states_[stream] = {}; }

 private:
  struct State {
    // The event that the block is to observe next; null if none or not known.
    const SetTable::Event* due = nullptr;
    // Boundaries or stages completed since it was surely visible.
    uint64_t passed = 0;
    bool told = false;
    int64_t busy_until = 0;
  };

  void OnEnd(const Stream& stream, State& state, const Spot& begin,
             const Spot& end) {
    if (state.due == nullptr || state.told) return;
    const int64_t visible = facts().SurelySeen(state.due->time_ps());
    if (end.record.time_ps < visible) return;
    const bool whole = begin.record.time_ps >= visible;
    state.passed += stages_ != 0 && whole ? stages_ : 1;
    if (state.passed <= limit_) return;
    state.told = true;
    const Place place = stream.At(end);
    wrong().Add(OrderAt(place), [&] {
      return Finding{
          .text = absl::StrCat(
              StreamName(stream.id), ": ", DescribeRecord(end.record),
              " without having observed event ", state.due->generation,
              ", set at ", Microseconds(state.due->time_ps()),
              ": it has completed ", state.passed,
              stages_ == 0 ? "" : " or more",
              stages_ == 0 ? " boundaries" : " stages",
              " since the set was surely visible, and ", limit_,
              " was promised as the most"),
          .records = {state.due->place, stream.At(begin), place}};
    });
  }

  // Where the longest stage was promised, time tells too.
  void CheckTime(const Stream& stream, const State& state, const Spot& spot) {
    const uint64_t stage = facts().header.stage_bound_ps();
    if (stages_ == 0 || stage == 0 || state.due == nullptr || state.told ||
        state.due->generation != spot.record.value) {
      return;
    }
    const int64_t from =
        std::max(facts().SurelySeen(state.due->time_ps()), state.busy_until);
    const int64_t late = spot.record.time_ps - from - facts().quantum_ps();
    if (late <= 0 || static_cast<uint64_t>(late) / stage < limit_ ||
        static_cast<uint64_t>(late) == stage * limit_) {
      return;
    }
    const Place place = stream.At(spot);
    wrong().Add(OrderAt(place), [&] {
      return Finding{
          .text = absl::StrCat(
              StreamName(stream.id), ": ", DescribeRecord(spot.record),
              ", set at ", Microseconds(state.due->time_ps()), ": later than ",
              limit_, " stages of ", Microseconds(stage), " each allow"),
          .records = {state.due->place, place}};
    });
  }

  const uint64_t stages_;
  const uint64_t limit_;
  PerStream<State> states_;
};

}  // namespace

std::unique_ptr<Rule> MakeCheckpoint(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Checkpoint>(facts, tasks);
}

}  // namespace tilebound::oracle
