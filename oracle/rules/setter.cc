// The flag is a generation number that one setter counts up. With two, a block
// could see it go back.
#include "absl/strings/str_cat.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class SetterRule : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override { return 0; }

  // The sets were gathered before the pass; there is nothing to gather again.
  void Conclude() override {
    const std::vector<SetTable::Event>& sets = facts().sets.all();
    const uint64_t promised = facts().header.events();
    for (size_t i = 0; i < sets.size(); ++i) {
      const SetTable::Event& set = sets[i];
      if (i > 0) CheckAfter(sets[i - 1], set, sets[0]);
      if (i == 0) CheckFirst(set);
      if (set.generation == 0 || (promised != 0 && set.generation > promised)) {
        Complain(set, nullptr,
                 promised == 0
                     ? "generations count from 1"
                     : absl::StrCat("the events are 1 to ", promised));
      }
    }
    const uint64_t last = sets.empty() ? 0 : sets.back().generation;
    if (last < promised) {
      absent().Add({last + 1, 0, 0}, [&] {
        return Finding{.text = absl::StrCat("event ", last + 1,
                                            " was never set; the events are 1 "
                                            "to ",
                                            promised),
                       .event = last + 1};
      });
    }
  }

 private:
  void CheckFirst(const SetTable::Event& set) {
    if (set.generation > 1) MissingBefore(set, nullptr);
    const pb::Setter promised = facts().header.cell().setter();
    const bool host = set.place.stream == kHostStream;
    if (promised == pb::HOST && !host) {
      Complain(set, nullptr, "the host was promised as the setter");
    } else if (promised == pb::DEVICE && host) {
      Complain(set, nullptr, "a block was promised as the setter");
    }
  }

  void CheckAfter(const SetTable::Event& before, const SetTable::Event& set,
                  const SetTable::Event& first) {
    if (set.generation == before.generation) {
      Complain(set, &before,
               absl::StrCat("it was set before by ",
                            StreamName(before.place.stream)));
    } else if (set.place.stream != first.place.stream) {
      Complain(set, &first,
               absl::StrCat("the setter is ", StreamName(first.place.stream)));
    } else if (set.time_ps() + facts().quantum_ps() <= before.time_ps()) {
      Complain(set, &before,
               absl::StrCat("event ", before.generation, " was set later"));
    }
    if (set.generation > before.generation + 1) MissingBefore(set, &before);
  }

  void MissingBefore(const SetTable::Event& set,
                     const SetTable::Event* before) {
    absent().Add(OrderAt(set.place), [&] {
      Finding finding;
      finding.text =
          absl::StrCat("event ", set.generation - 1, " was never set, but ",
                       StreamName(set.place.stream), " did a ",
                       DescribeRecord(set.place.spot.record));
      if (before != nullptr) finding.records.push_back(before->place);
      finding.records.push_back(set.place);
      return finding;
    });
  }

  void Complain(const SetTable::Event& set, const SetTable::Event* other,
                const std::string& why) {
    wrong().Add(OrderAt(set.place), [&] {
      Finding finding;
      finding.text =
          absl::StrCat(StreamName(set.place.stream), ": ",
                       DescribeRecord(set.place.spot.record), ", but ", why);
      if (other != nullptr) finding.records.push_back(other->place);
      finding.records.push_back(set.place);
      return finding;
    });
  }
};

}  // namespace

std::unique_ptr<Rule> MakeSetter(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<SetterRule>(facts, tasks);
}

}  // namespace tilebound::oracle
