// The groups that make up the launch table, one .cu file each.
#ifndef TILEBOUND_GPU_KERNELS_GROUPS_H_
#define TILEBOUND_GPU_KERNELS_GROUPS_H_

#include <vector>

#include "gpu/kernels/launch_table.h"

namespace tilebound::gpu {

std::vector<KernelEntry> Sgemm64Boundary();
std::vector<KernelEntry> Sgemm64Folded();
std::vector<KernelEntry> Sgemm64CpasyncBoundary();
std::vector<KernelEntry> Sgemm64CpasyncStage();
std::vector<KernelEntry> Sgemm64CpasyncIssue();
std::vector<KernelEntry> Sgemm64CpasyncFolded();
std::vector<KernelEntry> Tensor128Boundary();
std::vector<KernelEntry> Tensor128Stage();
std::vector<KernelEntry> Tensor128Issue();
std::vector<KernelEntry> Tensor128Folded();

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_KERNELS_GROUPS_H_
