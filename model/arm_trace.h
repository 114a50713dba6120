// The arms none and reserved event by event, all SMs, for a trace: workers that
// are never asked, and urgent blocks that come as a kernel of their own.
//
//   RunHistory history = TraceArm(background, key, newcomer_ps, events);
#ifndef TILEBOUND_MODEL_ARM_TRACE_H_
#define TILEBOUND_MODEL_ARM_TRACE_H_

#include <cstdint>

#include "data/schema/cell_key.pb.h"
#include "model/background.h"
#include "model/exact.h"

namespace tilebound::model {

// Urgent blocks run in free slots beside the workers, at most key.reserve of
// them at a time where that is not 0. Where no slot is free, the events wait
// until the workers have ended the tile in hand when the last event is set, and
// left.
RunHistory TraceArm(const Background& background, const pb::CellKey& key,
                    int64_t newcomer_ps, uint64_t events);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_ARM_TRACE_H_
