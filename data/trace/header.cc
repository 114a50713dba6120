#include "data/trace/header.h"

#include "absl/strings/str_cat.h"

namespace tilebound {
namespace {

absl::Status Refuse(absl::string_view field, uint64_t value,
                    absl::string_view accepted) {
  return absl::InvalidArgumentError(absl::StrCat(
      "trace header: ", field, " is ", value, "; accepted: ", accepted));
}

absl::Status CheckRange(absl::string_view field, uint64_t value, uint64_t least,
                        uint64_t most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return Refuse(field, value, absl::StrCat(least, " to ", most));
}

// Longest promised time: eleven days, so that sums of a few stay in 64 bits.
constexpr uint64_t kMostPicoseconds = uint64_t{1'000'000} * 1'000'000'000'000;

}  // namespace

absl::Status ValidateTraceHeader(const pb::TraceHeader& header) {
  const pb::CellKey& cell = header.cell();
  if (header.schema_major() > kTraceMajor) {
    return absl::InvalidArgumentError(absl::StrCat(
        "trace header: schema version ", header.schema_major(),
        " is newer than this tool, which reads up to ", kTraceMajor));
  }
  if (header.schema_major() == 0) {
    return Refuse("schema_major", 0, absl::StrCat(kTraceMajor));
  }
  if (cell.arm() < pb::NONE || cell.arm() > pb::RESERVED) {
    return Refuse("cell.arm", cell.arm(), "NONE, COOPERATIVE, RESERVED");
  }
  const bool cooperative = cell.arm() == pb::COOPERATIVE;
  if (cooperative && (cell.site() < pb::BOUNDARY || cell.site() > pb::FOLDED)) {
    return Refuse("cell.site", cell.site(), "BOUNDARY, STAGE, ISSUE, FOLDED");
  }
  const bool inside = cooperative && cell.site() != pb::BOUNDARY;
  struct Range {
    absl::string_view field;
    uint64_t value, least, most;
  };
  for (const Range& r :
       {Range{"blocks", header.blocks(), 1, kMostStreams},
        Range{"urgent_streams", header.urgent_streams(), 0, kMostStreams},
        Range{"tasks", header.tasks(), 0, kMostTasks},
        Range{"events", header.events(), 0, kMostTasks},
        Range{"cell.period", cell.period(), cooperative ? 1u : 0u, 1u << 20},
        Range{"cell.urgent_tiles", cell.urgent_tiles(), 0, kMostUrgentTiles},
        Range{"blocks_per_sm", header.blocks_per_sm(), 1, 4096},
        Range{"stale_looks", header.stale_looks(), 0, 64},
        Range{"stages_per_tile", header.stages_per_tile(), inside ? 1u : 0u,
              1u << 20},
        Range{"quantum_ps", header.quantum_ps(), 0, kMostPicoseconds},
        Range{"visibility_allowance_ps", header.visibility_allowance_ps(), 0,
              kMostPicoseconds},
        Range{"stage_bound_ps", header.stage_bound_ps(), 0,
              kMostPicoseconds / (1u << 20)},
        Range{"handoff_bound_ps", header.handoff_bound_ps(), 0,
              kMostPicoseconds},
        Range{"time_unit_ps", header.time_unit_ps(), 0, kMostPicoseconds}}) {
    if (absl::Status range = CheckRange(r.field, r.value, r.least, r.most);
        !range.ok()) {
      return range;
    }
  }
  return absl::OkStatus();
}

}  // namespace tilebound
