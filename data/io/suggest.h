// The tail of an error about a name that nobody knows.
#ifndef TILEBOUND_DATA_IO_SUGGEST_H_
#define TILEBOUND_DATA_IO_SUGGEST_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tilebound {

// The candidate nearest to `word` by edit distance, as " (did you mean X?)", or
// "" if none is near.
std::string DidYouMean(absl::string_view word,
                       const std::vector<std::string>& candidates);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_SUGGEST_H_
