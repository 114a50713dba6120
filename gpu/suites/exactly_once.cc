#include "gpu/suites/exactly_once.h"

namespace tilebound::gpu {

void ExactlyOnce::Add(const RunLog& log) {
  for (uint64_t task = 0; task < log.executions.size(); ++task) {
    const uint32_t count = log.executions[task];
    executions += count;
    tasks_wrong += count != (task < log.tasks ? 1 : 0);
  }
  // A task beyond the counters was executed unseen.
  if (log.tasks > log.executions.size()) {
    tasks_wrong += log.tasks - log.executions.size();
  }
  urgent += log.urgent_executions.size();
  for (const uint32_t count : log.urgent_executions) urgent_wrong += count != 1;
  events += log.events;
  anomalies += log.anomalies();
  corrupt += log.background_corrupt;
  for (const uint8_t wrong : log.urgent_corrupt) corrupt += wrong;
  for (const uint8_t wrong : log.restarted_corrupt) corrupt += wrong;
  // 1 + groups in flight; 0 where no tile was given up.
  for (const uint32_t groups : log.yield_groups) conflicts += groups > 1;
}

}  // namespace tilebound::gpu
