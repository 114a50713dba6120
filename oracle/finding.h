// What a rule found wrong, with the records that show it.
//
// A rule adds findings to its FindingLog, which counts them all and keeps the
// first kKept by FindingOrder. That order does not depend on threads, so the
// same ones are kept however many threads there are:
//
//   log.Add(OrderAt(place), [&] {
//     return Finding{.text = "block 3 ...", .records = {place}};
//   });
//
// The function is called only if the finding is kept: a trace with a million
// faults costs a million comparisons, not a million sentences.
#ifndef TILEBOUND_ORACLE_FINDING_H_
#define TILEBOUND_ORACLE_FINDING_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "oracle/stream.h"

namespace tilebound::oracle {

// A set of kinds: bit k for kind k.
constexpr uint32_t KindBits(std::initializer_list<RecordKind> kinds) {
  uint32_t bits = 0;
  for (const RecordKind kind : kinds) bits |= 1u << static_cast<int>(kind);
  return bits;
}
inline constexpr uint32_t kAllKinds = ~0u;

// Compared from left to right.
using FindingOrder = std::array<uint64_t, 3>;

// By time, then block, then sequence number.
inline FindingOrder OrderAt(const Place& place) {
  const auto time = static_cast<uint64_t>(place.spot.record.time_ps);
  return {time ^ (uint64_t{1} << 63), place.stream, place.spot.sequence};
}

struct Finding {
  // One sentence, with ids and times.
  std::string text;
  // The least records that show it, in the order in which to read them.
  std::vector<Place> records = {};
  // Records of this task, or of this event (or of one urgent tile of it), are
  // to be looked up in a second pass and shown too.
  absl::optional<uint64_t> task = absl::nullopt;
  absl::optional<uint64_t> event = absl::nullopt;
  absl::optional<uint32_t> urgent_tile = absl::nullopt;
  // Which kinds of record are to be looked up: bit k for kind k.
  uint32_t kinds = kAllKinds;
  FindingOrder order = {};
};

class FindingLog {
 public:
  static constexpr size_t kKept = 10;

  template <typename Make>
  void Add(const FindingOrder& order, Make make) {
    ++count_;
    if (kept_.size() == kKept && !(order < kept_.back().order)) return;
    Finding finding = make();
    finding.order = order;
    Keep(std::move(finding));
  }

  // Takes over another thread's findings.
  void Absorb(FindingLog& other) {
    count_ += other.count_;
    for (Finding& finding : other.kept_) Keep(std::move(finding));
  }

  uint64_t count() const { return count_; }
  void AddUnseen(uint64_t more) { count_ += more; }
  std::vector<Finding>& kept() { return kept_; }

 private:
  void Keep(Finding finding) {
    const auto at = std::upper_bound(
        kept_.begin(), kept_.end(), finding,
        [](const Finding& a, const Finding& b) { return a.order < b.order; });
    kept_.insert(at, std::move(finding));
    if (kept_.size() > kKept) kept_.pop_back();
  }

  uint64_t count_ = 0;
  // In order.
  std::vector<Finding> kept_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_FINDING_H_
