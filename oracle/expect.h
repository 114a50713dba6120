// What the user expects a trace's header to promise:
// --expect=tasks=1000,site=stage.
//
//   TILEBOUND_ASSIGN_OR_RETURN(auto expected, ParseExpectations("period=1"));
//   PromisedValue(header, expected[0].name) == expected[0].value
#ifndef TILEBOUND_ORACLE_EXPECT_H_
#define TILEBOUND_ORACLE_EXPECT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/trace/trace.pb.h"

namespace tilebound::oracle {

struct Expectation {
  std::string name;
  std::string value;
};

// "" gives none. Errors name the item and the accepted names.
absl::StatusOr<std::vector<Expectation>> ParseExpectations(
    absl::string_view text);

// What the header says of one of PromiseNames(), as text.
std::string PromisedValue(const pb::TraceHeader& header,
                          absl::string_view name);

// In the order in which reports show them.
const std::vector<std::string>& PromiseNames();

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_EXPECT_H_
