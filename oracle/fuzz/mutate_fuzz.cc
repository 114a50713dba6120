// Any bytes as a trace to plant a fault in; the first two choose the fault and
// the seed.
#include <cstdint>
#include <cstdlib>

#include "data/trace/reader.h"
#include "oracle/check.h"
#include "oracle/mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  auto reader = tilebound::TraceReader::FromBytes(
      std::string(reinterpret_cast<const char*>(data) + 2, size - 2), "fuzz");
  if (!reader.ok()) return 0;
  const auto& kinds = tilebound::oracle::MutationKinds();
  auto mutated = tilebound::oracle::MutateTrace(
      *reader, kinds[data[0] % kinds.size()].name, data[1]);
  if (!mutated.ok()) return 0;
  auto broken = tilebound::TraceReader::FromBytes(mutated->bytes, "mutated");
  if (!broken.ok()) std::abort();
  (void)tilebound::oracle::CheckTrace(*broken, {.threads = 1});
  return 0;
}
