#include "gpu/kernels/launch_table.h"

#include "gpu/kernels/groups.h"

namespace tilebound::gpu {
namespace {

void Append(std::vector<KernelEntry> more, std::vector<KernelEntry>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<KernelEntry> MakeTable() {
  std::vector<KernelEntry> all;
  Append(Sgemm64Boundary(), all);
  Append(Sgemm64Folded(), all);
  Append(Sgemm64CpasyncBoundary(), all);
  Append(Sgemm64CpasyncStage(), all);
  Append(Sgemm64CpasyncIssue(), all);
  Append(Sgemm64CpasyncFolded(), all);
  Append(Tensor128Boundary(), all);
  Append(Tensor128Stage(), all);
  Append(Tensor128Issue(), all);
  Append(Tensor128Folded(), all);
  return all;
}

const std::vector<KernelEntry>& Table() {
  static const auto* table = new std::vector<KernelEntry>(MakeTable());
  return *table;
}

// The instantiation that serves the variant, where it is another's.
KernelVariant Canonical(KernelVariant variant) {
  const bool own_barrier =
      variant.site == LookSite::kStage || variant.site == LookSite::kIssue;
  if (own_barrier && variant.flag == FlagRead::kSync) {
    variant.flag = FlagRead::kDefault;
  }
  if (variant.control != Control::kPolling) {
    // Without looks no site differs from another but in where the dummy word is
    // read: at the boundary, or on the barriers of the chunk loop.
    if (own_barrier) variant.site = LookSite::kFolded;
    if (variant.control == Control::kPlain) variant.site = LookSite::kBoundary;
    variant.flag = FlagRead::kDefault;
    variant.discipline = CopyDiscipline::kDrain;
    variant.setter = SetterKind::kHost;
  }
  return variant;
}

}  // namespace

const TileShape& ShapeOf(TileKind tile) {
  static constexpr TileShape kShapes[] = {
      {"sgemm64", 64, 64, 32, 4},
      {"sgemm64_cpasync", 64, 64, 16, 4},
      {"tensor128", 128, 128, 32, 2},
  };
  return kShapes[static_cast<int>(tile)];
}

const KernelEntry* FindKernel(const KernelVariant& variant) {
  const KernelVariant wanted = Canonical(variant);
  for (const KernelEntry& entry : Table()) {
    if (entry.variant == wanted) return &entry;
  }
  return nullptr;
}

std::vector<KernelEntry> AllKernels() { return Table(); }

std::string Describe(const KernelVariant& variant) {
  static constexpr const char* kSites[] = {"boundary", "stage", "issue",
                                           "folded"};
  static constexpr const char* kFlags[] = {"default", "sync", "pipelined"};
  static constexpr const char* kDisciplines[] = {"drain", "naive", "any"};
  static constexpr const char* kRecordings[] = {"none", "counters", "trace"};
  static constexpr const char* kSetters[] = {"device", "host"};
  static constexpr const char* kControls[] = {"polling", "dummy", "plain"};
  std::string text = ShapeOf(variant.tile).kernel;
  for (const char* word : {kSites[static_cast<int>(variant.site)],
                           kFlags[static_cast<int>(variant.flag)],
                           kDisciplines[static_cast<int>(variant.discipline)],
                           kRecordings[static_cast<int>(variant.recording)],
                           kSetters[static_cast<int>(variant.setter)],
                           kControls[static_cast<int>(variant.control)]}) {
    text.append(" ").append(word);
  }
  return text;
}

}  // namespace tilebound::gpu
