// Any bytes as a trace: read, checked, exported.
#include <cstdint>

#include "data/trace/jsonl.h"
#include "data/trace/reader.h"
#include "oracle/check.h"
#include "oracle/report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto reader = tilebound::TraceReader::FromBytes(
      std::string(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!reader.ok()) return 0;
  const auto report = tilebound::oracle::CheckTrace(*reader, {.threads = 1});
  tilebound::oracle::ReportsJson({report});
  tilebound::oracle::ReportText(report);
  // A trace that is whole reads back from its JSON.
  auto text = tilebound::JsonLinesOf(*reader);
  if (text.ok()) (void)tilebound::TraceFromJsonLines(*text, "fuzz");
  return 0;
}
