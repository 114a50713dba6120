// What every part of a fit reads.
#ifndef TILEBOUND_MODEL_FIT_INPUTS_H_
#define TILEBOUND_MODEL_FIT_INPUTS_H_

#include <cstdint>
#include <vector>

#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "data/schema/surface.pb.h"
#include "model/cycle_calibration.h"

namespace tilebound::model {

struct FitOptions {
  CycleOptions cycle = {};
  // Of each simulated handoff or e2e.
  uint64_t events = 10'000;
};

struct FitInputs {
  const pb::Part& part;
  const pb::Kernel& kernel;
  const pb::FitRecipe& recipe;
  const std::vector<pb::Surface>& surfaces;
  const FitOptions& options;

  const pb::TileProgram& program() const { return kernel.programs(0); }
  uint32_t reference_k() const { return program().reference_k(); }
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_FIT_INPUTS_H_
