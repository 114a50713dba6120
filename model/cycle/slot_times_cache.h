// Files that keep slot tile times: FOLDER/KEY.slots, text, closed by the
// SHA-256 of what stands before it.
#ifndef TILEBOUND_MODEL_CYCLE_SLOT_TIMES_CACHE_H_
#define TILEBOUND_MODEL_CYCLE_SLOT_TIMES_CACHE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "model/cycle/slot_times.h"

namespace tilebound::model {

// nullopt if there is no such file or it is not what WriteSlotTimes wrote.
std::optional<std::vector<CycleSlotTime>> ReadSlotTimes(
    const std::string& folder, const std::string& key);

// Creates the folder if need be. Two writers of one key at a time write the
// same bytes; a reader that comes between finds half a file and passes it over.
absl::Status WriteSlotTimes(const std::string& folder, const std::string& key,
                            const std::vector<CycleSlotTime>& slots);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_SLOT_TIMES_CACHE_H_
