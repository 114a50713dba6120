// CUDA errors as absl::Status, and device memory that frees itself.
//
//   TILEBOUND_RETURN_IF_ERROR(CudaStatus(cudaStreamSynchronize(s), "run"));
//   TILEBOUND_ASSIGN_OR_RETURN(auto stamps, DeviceArray<uint64_t>::Make(100));
//   cudaMemsetAsync(stamps.data(), 0, stamps.bytes(), s);
//   TILEBOUND_ASSIGN_OR_RETURN(std::vector<uint64_t> host, stamps.Read());
#ifndef TILEBOUND_GPU_HARNESS_CUDA_STATUS_H_
#define TILEBOUND_GPU_HARNESS_CUDA_STATUS_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "data/io/status_macros.h"

namespace tilebound::gpu {

// OK, or kUnavailable (exit status 3) "what: what CUDA says". An error that
// a kernel left behind is an error of whatever is asked next.
absl::Status CudaStatus(cudaError_t error, absl::string_view what);

// Device memory, or mapped host memory that the device sees too.
enum class Where { kDevice, kMapped };

template <typename T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(DeviceArray&& other) noexcept { *this = std::move(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(host_, other.host_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceArray() {
    if (host_ != nullptr) {
      cudaFreeHost(host_);
    } else {
      cudaFree(data_);
    }
  }

  // Not initialized. Of size 0: null.
  static absl::StatusOr<DeviceArray> Make(uint64_t size,
                                          Where where = Where::kDevice) {
    DeviceArray array;
    array.size_ = size;
    if (size == 0) return array;
    void* memory = nullptr;
    if (where == Where::kMapped) {
      TILEBOUND_RETURN_IF_ERROR(CudaStatus(
          cudaHostAlloc(&memory, size * sizeof(T), cudaHostAllocMapped),
          absl::StrCat("mapped memory of ", size * sizeof(T), " bytes")));
      array.host_ = static_cast<T*>(memory);
      TILEBOUND_RETURN_IF_ERROR(CudaStatus(
          cudaHostGetDevicePointer(&memory, array.host_, 0), "mapped memory"));
    } else {
      TILEBOUND_RETURN_IF_ERROR(CudaStatus(
          cudaMalloc(&memory, size * sizeof(T)),
          absl::StrCat("device memory of ", size * sizeof(T), " bytes")));
    }
    array.data_ = static_cast<T*>(memory);
    return array;
  }

  // As the device sees it.
  T* data() const { return data_; }
  // As the host sees it; null for device memory.
  volatile T* host() const { return host_; }
  uint64_t size() const { return size_; }
  uint64_t bytes() const { return size_ * sizeof(T); }

  // Copies in order with the default stream, and waits.
  absl::StatusOr<std::vector<T>> Read() const {
    std::vector<T> values(size_);
    TILEBOUND_RETURN_IF_ERROR(
        CudaStatus(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDefault),
                   "copy to the host"));
    return values;
  }
  absl::Status Write(const std::vector<T>& values) {
    return CudaStatus(cudaMemcpy(data_, values.data(),
                                 values.size() * sizeof(T), cudaMemcpyDefault),
                      "copy to the device");
  }

 private:
  T* data_ = nullptr;
  T* host_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_CUDA_STATUS_H_
