// Registering predictions, and whether a prediction was registered before a
// measurement began. docs/report.md says what that proves.
//
//   TILEBOUND_RETURN_IF_ERROR(Register(path, predicted, "", commit, now));
//   Standing standing = StandingOf(registry, predicted, measured.surface);
#ifndef TILEBOUND_VALIDATE_REGISTRY_H_
#define TILEBOUND_VALIDATE_REGISTRY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "data/schema/registry.pb.h"
#include "validate/comparison.h"

namespace tilebound::validate {

// The registry at `path`, its chain checked; an empty one if there is no file.
// A prediction whose registered file is still there must still have its hash:
// an edited one is an error that names the entry.
absl::StatusOr<pb::Registry> ReadRegistry(const std::string& path);

// Appends an entry for each prediction and writes the registry. Errors, with
// nothing written: a hash that is registered already with the same hypotheses,
// a file that an entry registered with another content, a time before the last
// entry's.
absl::Status Register(const std::string& path,
                      const std::vector<Input>& predicted,
                      const std::string& hypotheses_sha256,
                      const std::string& commit, absl::Time now);

// How a comparison stands to the registry.
struct Standing {
  bool registered = false;
  // For a registered one which entry, counted from 1, and when; otherwise why
  // it is POST HOC.
  std::string reason;
};

Standing StandingOf(const pb::Registry& registry, const Input& predicted,
                    const pb::Surface& measured);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_REGISTRY_H_
