// Residency is a fact of the hardware that registers and shared memory decide;
// a trace that shows more blocks on an SM, or two in one slot, comes from a
// recorder that mixes up its blocks.
#include <algorithm>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

struct LifeSpan {
  Place start;
  int64_t begin = 0;
  // Surely resident until `end`, maybe until `gone`; they differ if the exit is
  // not recorded.
  int64_t end = 0;
  int64_t gone = std::numeric_limits<int64_t>::max();

  int64_t sm() const { return start.sm; }
  uint32_t slot() const { return start.spot.record.detail; }
};

class Residency : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override {
    return KindBits({RecordKind::kBlockStart, RecordKind::kBlockExit});
  }

  void OnRecord(const Stream& stream, uint64_t sequence,
                const Record& record) override {
    if (record.kind == RecordKind::kBlockStart) {
      LifeSpan span;
      span.start = stream.At(sequence, record);
      span.start.sm = static_cast<int64_t>(record.value);
      span.start.slot = record.detail;
      span.begin = record.time_ps;
      open_[stream] = spans_.size() + 1;
      spans_.push_back(span);
    } else if (record.kind == RecordKind::kBlockExit) {
      if (open_[stream] == 0) return;
      LifeSpan& span = spans_[open_[stream] - 1];
      span.end = span.gone = record.time_ps;
      open_[stream] = 0;
    }
  }

  // Its exit may be among what is missing.
  void OnMissing(const Stream& stream) override { LoseSight(stream); }
  void OnStreamEnd(const Stream& stream) override { LoseSight(stream); }

  void Absorb(Rule& other) override {
    Rule::Absorb(other);
    auto& theirs = static_cast<Residency&>(other).spans_;
    spans_.insert(spans_.end(), theirs.begin(), theirs.end());
    theirs.clear();
  }

  void Conclude() override {
    std::sort(spans_.begin(), spans_.end(),
              [](const LifeSpan& a, const LifeSpan& b) {
                if (a.sm() != b.sm()) return a.sm() < b.sm();
                if (a.begin != b.begin) return a.begin < b.begin;
                if (a.slot() != b.slot()) return a.slot() < b.slot();
                return OrderAt(a.start) < OrderAt(b.start);
              });
    for (size_t first = 0; first < spans_.size();) {
      size_t last = first;
      while (last < spans_.size() && spans_[last].sm() == spans_[first].sm()) {
        ++last;
      }
      CheckSm(first, last);
      first = last;
    }
  }

 private:
  void LoseSight(const Stream& stream) {
    if (open_[stream] == 0) return;
    spans_[open_[stream] - 1].end = stream.last.record.time_ps;
    open_[stream] = 0;
  }

  bool SurelyAlive(const LifeSpan& span, int64_t time) const {
    return span.end >= time + facts().quantum_ps();
  }

  void CheckSm(size_t first, size_t last) {
    const uint32_t sms = facts().header.sm_count();
    if (sms != 0 && static_cast<uint64_t>(spans_[first].sm()) >= sms) {
      Complain(spans_[first], {},
               absl::StrCat("the part has SMs 0 to ", sms - 1));
    }
    const int64_t quantum = facts().quantum_ps();
    std::vector<const LifeSpan*> near;
    for (size_t i = first; i < last; ++i) {
      const LifeSpan& span = spans_[i];
      near.erase(std::remove_if(near.begin(), near.end(),
                                [&](const LifeSpan* other) {
                                  return other->gone < span.begin - quantum;
                                }),
                 near.end());
      CheckStart(span, near, i + 1 < last ? &spans_[i + 1] : nullptr);
      // Past this many the same fault would be told over and over.
      if (near.size() < kMostNear) near.push_back(&span);
    }
  }

  // `near` holds the blocks that started before and may still be there.
  void CheckStart(const LifeSpan& span,
                  const std::vector<const LifeSpan*>& near,
                  const LifeSpan* next) {
    const int64_t quantum = facts().quantum_ps();
    const uint32_t most = facts().header.blocks_per_sm();
    std::vector<Place> alive;
    uint32_t least_rank = 0;
    uint32_t most_rank = 0;
    const LifeSpan* twin = nullptr;
    bool exits = false;
    for (const LifeSpan* other : near) {
      const bool surely = SurelyAlive(*other, span.begin);
      if (surely) alive.push_back(other->start);
      ++most_rank;
      if (surely && other->begin + quantum <= span.begin) ++least_rank;
      if (surely && other->begin + quantum > span.begin &&
          other->slot() == span.slot()) {
        twin = other;
      }
      exits |= !surely;
    }
    // One that starts within the same tick may yet be the elder.
    if (next != nullptr && next->begin < span.begin + quantum) {
      most_rank = std::max(most_rank, most - 1);
    }
    if (alive.size() >= most) {
      Complain(
          span, alive,
          absl::StrCat(alive.size(), " blocks are resident there already, and ",
                       most, " was promised as the most"));
    } else if (twin != nullptr && !exits) {
      Complain(span, {twin->start},
               absl::StrCat(StreamName(twin->start.stream),
                            " holds that slot from the same moment"));
    } else if (span.slot() < least_rank || span.slot() > most_rank) {
      // A rank that is too high may be due to a block that was not recorded.
      Complain(
          span, alive,
          absl::StrCat(
              "its rank by age there is ", least_rank,
              most_rank > least_rank ? absl::StrCat(" to ", most_rank) : ""),
          span.slot() < least_rank ? wrong() : absent());
    }
  }

  void Complain(const LifeSpan& span, std::vector<Place> others,
                const std::string& why) {
    Complain(span, std::move(others), why, wrong());
  }

  void Complain(const LifeSpan& span, std::vector<Place> others,
                const std::string& why, FindingLog& log) {
    log.Add(OrderAt(span.start), [&] {
      Finding finding;
      finding.text =
          absl::StrCat(StreamName(span.start.stream), ": ",
                       DescribeRecord(span.start.spot.record), ", but ", why);
      finding.records = std::move(others);
      finding.records.push_back(span.start);
      return finding;
    });
  }

  static constexpr size_t kMostNear = 8192;

  std::vector<LifeSpan> spans_;
  // Place in spans_ plus 1 of the life that has no exit yet.
  PerStream<size_t> open_;
};

}  // namespace

std::unique_ptr<Rule> MakeResidency(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Residency>(facts, tasks);
}

}  // namespace tilebound::oracle
