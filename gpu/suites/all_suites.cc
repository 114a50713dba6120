#include "gpu/suites/baseline.h"
#include "gpu/suites/calibrate.h"
#include "gpu/suites/handoff.h"
#include "gpu/suites/oracle.h"
#include "gpu/suites/reserve.h"
#include "gpu/suites/safety.h"
#include "gpu/suites/suite.h"
#include "gpu/suites/visibility.h"

namespace tilebound::gpu {

const std::vector<Suite>& AllSuites() {
  static const auto* suites = new std::vector<Suite>{
      {"calibrate", "tile times by slot, and the small costs the model needs",
       CalibrateCells, RunCalibrate},
      {"handoff", "flag set to every block aware of it, and what looking costs",
       HandoffCells, RunHandoff},
      {"baseline",
       "the wait of a kernel that the host launches beside one "
       "that never yields",
       BaselineCells, RunBaseline},
      {"visibility",
       "a set flag on its way to every block, without and beside "
       "DRAM traffic",
       VisibilityCells, RunVisibility},
      {"safety", "outputs under every discipline and site, against float64",
       SafetyCells, RunSafety},
      {"reserve", "slots held free for kernels that the host launches",
       ReserveCells, RunReserve},
      {"oracle",
       "every task and every event exactly once, counted and recorded",
       OracleCells, RunOracle},
  };
  return *suites;
}

}  // namespace tilebound::gpu
