#include "gpu/suites/trace_promise.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "data/io/build_info.h"
#include "data/schema/cell_key.h"

namespace tilebound::gpu {
namespace {

// A look may miss a set that is younger: several times the slowest loaded
// notification that we have seen on an H200, and less than a tile.
constexpr uint64_t kVisibilityAllowancePs = 10'000'000;

}  // namespace

pb::TraceHeader TracePromise(const pb::CellKey& key, uint32_t blocks_per_sm,
                             uint32_t chunk_k, uint64_t quantum_ps) {
  pb::TraceHeader header;
  *header.mutable_cell() = key;
  header.set_blocks(key.blocks());
  header.set_blocks_per_sm(blocks_per_sm);
  header.set_quantum_ps(quantum_ps);
  header.set_visibility_allowance_ps(kVisibilityAllowancePs);
  // A pipelined look acts on the value that the look before asked for.
  if (key.variant() == "pipelined_flag") header.set_stale_looks(1);
  if (key.site() != pb::BOUNDARY) {
    header.set_stages_per_tile(key.k() / chunk_k);
  }
  header.set_provenance(
      absl::StrCat("sweep ", ToolVersion(), " ", Commit(), ", suite oracle"));
  return header;
}

std::string TracePath(absl::string_view trace_out, const pb::CellKey& key) {
  return absl::StrCat(absl::StripSuffix(trace_out, ".tbtrace"), "_",
                      key.kernel(), "_", SiteName(key.site()), ".tbtrace");
}

}  // namespace tilebound::gpu
