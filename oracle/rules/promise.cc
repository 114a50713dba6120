// A trace is held against its own header. Where the user expects a stricter
// promise, a header that promises less must not pass.
#include "absl/strings/str_cat.h"
#include "oracle/expect.h"
#include "oracle/rules/make.h"

namespace tilebound::oracle {
namespace {

class Promise : public Rule {
 public:
  using Rule::Rule;
  uint32_t kinds() const override { return 0; }

  void Conclude() override {
    for (size_t i = 0; i < facts().expectations.size(); ++i) {
      const Expectation& expected = facts().expectations[i];
      const std::string promised = PromisedValue(facts().header, expected.name);
      if (promised == expected.value) continue;
      wrong().Add({i, 0, 0}, [&] {
        return Finding{.text = absl::StrCat("the header promises ",
                                            expected.name, "=", promised,
                                            "; expected was ", expected.value)};
      });
    }
  }
};

}  // namespace

std::unique_ptr<Rule> MakePromise(const TraceFacts& facts, TaskSet& tasks) {
  return std::make_unique<Promise>(facts, tasks);
}

}  // namespace tilebound::oracle
