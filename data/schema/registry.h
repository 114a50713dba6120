// The hash chain of the registry of predictions.
//
//   entry.set_chain_sha256(ChainSha256(previous, entry));
//   TILEBOUND_RETURN_IF_ERROR(ValidateRegistry(registry));
#ifndef TILEBOUND_DATA_SCHEMA_REGISTRY_H_
#define TILEBOUND_DATA_SCHEMA_REGISTRY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "data/schema/registry.pb.h"

namespace tilebound {

// SHA-256 of the previous entry's chain hash ("" for the first) and every field
// of `entry` but its own chain hash, each on a line of its own.
std::string ChainSha256(absl::string_view previous,
                        const pb::RegistryEntry& entry);

// Errors name the entry (counted from 1) and the field: a chain hash that does
// not follow, a time that is no time or before the entry above, a hash that is
// not 64 hex digits, a line break inside a field.
absl::Status ValidateRegistry(const pb::Registry& registry);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_REGISTRY_H_
