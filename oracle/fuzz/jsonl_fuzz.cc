// Any text as lines of JSON; what reads as a trace must check and read back.
#include <cstdint>
#include <cstdlib>

#include "absl/strings/string_view.h"
#include "data/trace/jsonl.h"
#include "data/trace/reader.h"
#include "oracle/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto bytes = tilebound::TraceFromJsonLines(
      absl::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!bytes.ok()) return 0;
  auto reader = tilebound::TraceReader::FromBytes(*bytes, "fuzz");
  if (!reader.ok()) std::abort();
  (void)tilebound::oracle::CheckTrace(*reader, {.threads = 1});
  (void)tilebound::JsonLinesOf(*reader);
  return 0;
}
