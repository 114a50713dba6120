// The promise that everything else serves: no task is lost and none is done
// twice. Ends are counted, so that a tile that was abandoned on the way counts
// once.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

static_assert(Repeats::kKept >= FindingLog::kKept);

class ExactlyOnce : public Rule {
 public:
  ExactlyOnce(const TraceFacts& facts, TaskSet& tasks)
      : Rule(facts, tasks), adder_(tasks) {}
  uint32_t kinds() const override { return KindBits({RecordKind::kTileEnd}); }
  bool wants_tiles() const override { return true; }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    if (record.value >= facts().header.tasks()) {
      OutOfRange(stream, {sequence, record});
    } else {
      adder_.Add(record.value);
    }
  }

  void OnTiles(const Stream& stream, const TileRun& run) override {
    const uint64_t promised = facts().header.tasks();
    for (size_t i = 0; i < run.count; ++i) {
      const auto task = static_cast<uint64_t>(run.task[i]);
      if (task >= promised) {
        OutOfRange(stream, run.EndAt(i));
      } else {
        adder_.Add(task);
      }
    }
  }

  void Absorb(Rule& other) override {
    Rule::Absorb(other);
    auto& theirs = static_cast<ExactlyOnce&>(other);
    theirs.adder_.Flush();
    adder_.repeats().Absorb(theirs.adder_.repeats());
  }

  void Conclude() override {
    adder_.Flush();
    Repeats& repeats = adder_.repeats();
    repeats.Absorb(tasks().Close());
    for (const uint64_t task : repeats.least()) {
      wrong().Add({0, task, 0}, [&] {
        return Finding{
            .text = absl::StrCat("task ", task, " was executed more than once"),
            .task = task};
      });
    }
    wrong().AddUnseen(repeats.count() - repeats.least().size());
    const std::vector<uint64_t> lost = tasks().FirstAbsent(FindingLog::kKept);
    for (const uint64_t task : lost) {
      absent().Add({0, task, 0}, [&] {
        return Finding{.text = absl::StrCat("task ", task, " was not executed"),
                       .task = task};
      });
    }
    absent().AddUnseen(tasks().AbsentCount() - lost.size());
  }

 private:
  void OutOfRange(const Stream& stream, const Spot& spot) {
    const Place place = stream.At(spot);
    wrong().Add({1, spot.record.value, OrderAt(place)[0]}, [&] {
      const uint64_t tasks = facts().header.tasks();
      return Finding{
          .text = absl::StrCat(
              StreamName(stream.id), ": ", DescribeRecord(spot.record),
              tasks == 0
                  ? ", but no task was promised"
                  : absl::StrCat(", but the tasks are 0 to ", tasks - 1)),
          .records = {place}};
    });
  }

  TaskAdder adder_;
};

}  // namespace

std::unique_ptr<Rule> MakeExactlyOnce(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<ExactlyOnce>(facts, tasks);
}

}  // namespace tilebound::oracle
