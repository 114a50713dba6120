// A Part from what a device says of itself, for the catalog.
#ifndef TILEBOUND_GPU_HARNESS_PART_FROM_DEVICE_H_
#define TILEBOUND_GPU_HARNESS_PART_FROM_DEVICE_H_

#include <string>

#include "absl/status/statusor.h"
#include "data/schema/part.pb.h"
#include "gpu/harness/device_facts.h"

namespace tilebound::gpu {

// `name` is the catalog name to give it. Allocation units, which no call
// reports, are those of cuda_occupancy.h for compute capability 8.0 to 9.0.
// Errors: a device below 8.0, a name that is none, figures that are missing.
absl::StatusOr<pb::Part> PartFromDevice(const DeviceFacts& facts,
                                        const std::string& name);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_PART_FROM_DEVICE_H_
