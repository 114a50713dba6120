#include "gpu/suites/handoff.h"
#include "gpu/suites/oracle.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

const std::vector<Suite>& AllSuites() {
  static const auto* suites = new std::vector<Suite>{
      {"handoff", "flag set to every block aware of it, and what looking costs",
       HandoffCells, RunHandoff},
      {"oracle", "every task and every event exactly once, counted and recorded",
       OracleCells, RunOracle},
  };
  return *suites;
}

}  // namespace tilebound::gpu
