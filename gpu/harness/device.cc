#include "gpu/harness/device.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "absl/strings/str_cat.h"
#include "gpu/harness/cuda_status.h"
#include "gpu/harness/part_from_device.h"

namespace tilebound::gpu {
namespace {

absl::StatusOr<pb::Part> CatalogPart(const DeviceFacts& facts,
                                     const std::string& name,
                                     const Catalog& catalog) {
  if (!name.empty()) {
    TILEBOUND_ASSIGN_OR_RETURN(pb::Part part, catalog.FindPart(name));
    if (part.sm_count() != facts.sm_count ||
        part.compute_capability() != facts.compute_capability) {
      return absl::UnavailableError(absl::StrCat(
          "--part=", name, " has ", part.sm_count(), " SMs of ",
          part.compute_capability(), ", but this GPU, ", facts.product,
          ", has ", facts.sm_count, " of ", facts.compute_capability));
    }
    return part;
  }
  for (const std::string& known : catalog.PartNames()) {
    TILEBOUND_ASSIGN_OR_RETURN(pb::Part part, catalog.FindPart(known));
    if (part.product() == facts.product && part.sm_count() == facts.sm_count) {
      return part;
    }
  }
  return PartFromDevice(facts, "this_gpu");
}

}  // namespace

absl::StatusOr<Code> ParseCode(absl::string_view word) {
  if (word == "ptx80") return Code::kPtx80;
  if (word == "native") return Code::kNative;
  return absl::InvalidArgumentError(absl::StrCat(
      "--code=", word, " is not known; accepted are ptx80 and native"));
}

void UseCode(Code code) {
  if (code == Code::kPtx80) setenv("CUDA_FORCE_PTX_JIT", "1", 1);
}

absl::StatusOr<Device> Device::Open(int ordinal, const std::string& part,
                                    const Catalog& catalog) {
  Device device;
  device.facts_ = ReadDeviceFacts(ordinal);
  if (!device.facts_.error.empty()) {
    return absl::UnavailableError(
        absl::StrCat("device ", ordinal, ": ", device.facts_.error,
                     "; predict, report and check need no GPU"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(device.part_,
                             CatalogPart(device.facts_, part, catalog));
  return device;
}

absl::StatusOr<KernelFacts> Device::Facts(const KernelEntry& entry) const {
  cudaFuncAttributes attributes;
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaFuncGetAttributes(&attributes, entry.function),
                 Describe(entry.variant)));
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      cudaFuncSetAttribute(entry.function,
                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(entry.dynamic_shared_bytes)),
      "dynamic shared memory"));
  int blocks = 0;
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                     &blocks, entry.function, static_cast<int>(entry.threads),
                     entry.dynamic_shared_bytes),
                 "occupancy"));
  return KernelFacts{
      .registers = attributes.numRegs,
      .local_bytes = static_cast<int>(attributes.localSizeBytes),
      .shared_bytes = static_cast<uint32_t>(attributes.sharedSizeBytes) +
                      entry.dynamic_shared_bytes,
      .ptx_version = attributes.ptxVersion,
      .binary_version = attributes.binaryVersion,
      .blocks_per_sm = static_cast<uint32_t>(blocks)};
}

absl::StatusOr<std::string> Device::MachineCode(
    const KernelEntry& entry) const {
  TILEBOUND_ASSIGN_OR_RETURN(const KernelFacts facts, Facts(entry));
  // CUDA reports the PTX that the code came from and the machine that it is
  // for: sm_90's own comes from compute_90.
  if (facts.ptx_version != facts.binary_version) {
    return absl::StrCat("compute_", facts.ptx_version, " PTX, JIT to sm_",
                        facts.binary_version);
  }
  return absl::StrCat("sm_", facts.binary_version);
}

}  // namespace tilebound::gpu
