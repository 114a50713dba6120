// The fast fidelity. SMs do not influence one another's timing, so one SM's
// steady state, simulated once, serves for all of them: an event looks at every
// SM at a time of its own, drawn at random. Agrees with `exact` within sampling
// error (a test says so).
#ifndef TILEBOUND_MODEL_SAMPLED_H_
#define TILEBOUND_MODEL_SAMPLED_H_

#include <cstdint>

#include "model/cell_model.h"
#include "model/handoff.h"

namespace tilebound::model {

// The metrics of `events` events. The same for any `threads`.
HandoffMetrics SampleHandoff(const CellModel& cell, uint64_t events,
                             uint32_t threads);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_SAMPLED_H_
