// Checks on a Kernel, and on a cell against the kernel that it runs.
#ifndef TILEBOUND_DATA_SCHEMA_KERNEL_H_
#define TILEBOUND_DATA_SCHEMA_KERNEL_H_

#include <cstdint>

#include "absl/status/status.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/kernel.pb.h"

namespace tilebound {

// Errors name the field, its value, and what is accepted.
absl::Status ValidateKernel(const pb::Kernel& kernel);

// Depth of the program's tiles in a cell of depth `k`: its own where it has one.
inline uint32_t DepthOf(const pb::TileProgram& program, uint32_t k) {
  return program.fixed_k() != 0 ? program.fixed_k() : k;
}

// Whether `key` can be run by `kernel`: k is a multiple of every program's
// chunk, and every program has the site. Errors as above.
absl::Status ValidateCellForKernel(const pb::CellKey& key,
                                   const pb::Kernel& kernel);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_KERNEL_H_
