#include "gpu/harness/plan.h"

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "gpu/harness/residency.h"

namespace tilebound::gpu {

absl::StatusOr<TileKind> TileOfKernel(absl::string_view kernel) {
  for (TileKind tile :
       {TileKind::kSgemm64, TileKind::kSgemm64Cpasync, TileKind::kTensor128}) {
    if (kernel == ShapeOf(tile).kernel) return tile;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("kernel \"", kernel,
                   "\" has no device code; accepted are sgemm64, "
                   "sgemm64_cpasync, tensor128"));
}

absl::StatusOr<KernelVariant> VariantOfKey(const pb::CellKey& key,
                                           Recording recording,
                                           Control control) {
  KernelVariant variant;
  TILEBOUND_ASSIGN_OR_RETURN(variant.tile, TileOfKernel(key.kernel()));
  switch (key.site()) {
    case pb::BOUNDARY:
      variant.site = LookSite::kBoundary;
      break;
    case pb::STAGE:
      variant.site = LookSite::kStage;
      break;
    case pb::ISSUE:
      variant.site = LookSite::kIssue;
      break;
    default:
      variant.site = LookSite::kFolded;
  }
  // With the host's setter the flag may be in its memory: the same code, since
  // all of it is at system scope there.
  const bool mapped =
      key.variant() == "mapped_flag" && key.setter() == pb::HOST;
  if (key.variant() == "default" || mapped) {
    variant.flag = FlagRead::kDefault;
  } else if (key.variant() == "sync_flag") {
    variant.flag = FlagRead::kSync;
  } else if (key.variant() == "pipelined_flag") {
    variant.flag = FlagRead::kPipelined;
  } else {
    return absl::UnimplementedError(
        absl::StrCat("variant ", key.variant(),
                     " is not instantiated; default, sync_flag, "
                     "pipelined_flag and, with the host's setter, mapped_flag "
                     "are"));
  }
  variant.recording = recording;
  variant.control = control;
  variant.setter =
      key.setter() == pb::HOST ? SetterKind::kHost : SetterKind::kDevice;
  variant.discipline = recording == Recording::kCounters ? CopyDiscipline::kAny
                       : key.discipline() == pb::NAIVE ? CopyDiscipline::kNaive
                                                       : CopyDiscipline::kDrain;
  if (key.discipline() == pb::POISON && recording != Recording::kCounters) {
    return absl::UnimplementedError(
        "discipline poison is a control, not measured code; suite safety has "
        "it");
  }
  return variant;
}

absl::StatusOr<Plan> PlanVariant(const Device& device, const pb::Kernel& kernel,
                                 const KernelVariant& variant,
                                 uint32_t blocks) {
  const KernelEntry* entry = FindKernel(variant);
  if (entry == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("no instantiation of ", Describe(variant)));
  }
  Plan plan;
  plan.entry = *entry;
  plan.blocks = blocks;
  plan.blocks_per_sm = (blocks + device.sm_count() - 1) / device.sm_count();
  TILEBOUND_ASSIGN_OR_RETURN(plan.facts, device.Facts(*entry));
  const BlockNeeds needs = {
      .threads = entry->threads,
      .registers = static_cast<uint32_t>(plan.facts.registers),
      .shared_bytes = plan.facts.shared_bytes};
  const std::string binding =
      DescribeBinding(ComputeResidency(device.part().limits(), needs), needs);
  // No times are taken of runs that count or record.
  if (plan.facts.local_bytes != 0 && variant.recording == Recording::kNone) {
    return absl::FailedPreconditionError(absl::StrCat(
        Describe(variant), " spills ", plan.facts.local_bytes,
        " bytes a thread to local memory; its times would be those of the "
        "spills"));
  }
  if (plan.facts.blocks_per_sm < kernel.min_blocks_per_sm()) {
    return absl::FailedPreconditionError(absl::StrCat(
        Describe(variant), ": an SM holds ", plan.facts.blocks_per_sm,
        " blocks, the kernel file promises ", kernel.min_blocks_per_sm(),
        "; bound by ", binding));
  }
  if (blocks == 0 || plan.blocks_per_sm > plan.facts.blocks_per_sm) {
    return absl::FailedPreconditionError(absl::StrCat(
        "blocks ", blocks, " are not resident at once: ", device.sm_count(),
        " SMs hold ", plan.facts.blocks_per_sm, " each, bound by ", binding,
        "; 1 to ", device.sm_count() * plan.facts.blocks_per_sm, " fit"));
  }
  return plan;
}

absl::StatusOr<Plan> PlanCell(const Device& device, const pb::Kernel& kernel,
                              const pb::CellKey& key) {
  TILEBOUND_ASSIGN_OR_RETURN(
      const KernelVariant variant,
      VariantOfKey(key, Recording::kNone, Control::kPolling));
  return PlanVariant(device, kernel, variant, key.blocks());
}

}  // namespace tilebound::gpu
