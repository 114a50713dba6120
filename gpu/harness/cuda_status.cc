#include "gpu/harness/cuda_status.h"

namespace tilebound::gpu {

absl::Status CudaStatus(cudaError_t error, absl::string_view what) {
  if (error == cudaSuccess) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat(what, ": ", cudaGetErrorString(error)));
}

}  // namespace tilebound::gpu
