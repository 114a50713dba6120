#include "model/predict_surface.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "data/schema/kernel.h"
#include "data/schema/metric.h"
#include "model/cell_model.h"
#include "model/error_band.h"
#include "model/occupancy.h"
#include "model/parallel.h"

namespace tilebound::model {
namespace {

absl::StatusOr<CellInputs> InputsOf(const Resources& resources,
                                    const pb::CellKey& key) {
  const auto part = resources.parts.find(key.part());
  const auto kernel = resources.kernels.find(key.kernel());
  if (part == resources.parts.end() || kernel == resources.kernels.end()) {
    return absl::NotFoundError(absl::StrCat(
        "no part ", key.part(), " or no kernel ", key.kernel(), " was loaded"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Calibration* calibration,
                             resources.Calibration(key));
  return CellInputs{part->second, kernel->second, *calibration};
}

absl::Status SetConditions(const Resources& resources,
                           const std::vector<pb::CellKey>& keys,
                           const PredictOptions& options,
                           pb::Conditions* conditions) {
  conditions->set_events(options.events);
  if (options.fidelity == Fidelity::kExact) {
    conditions->set_warmup_events(options.warmup_events);
  }
  conditions->set_clock_hold("simulated");
  conditions->set_sharing(SharingName(options.sharing));
  conditions->set_fidelity(FidelityName(options.fidelity));
  for (const pb::CellKey& key : keys) {
    TILEBOUND_ASSIGN_OR_RETURN(const CellInputs inputs,
                               InputsOf(resources, key));
    const double clock = inputs.calibration.sm_clock_mhz();
    const uint64_t quantum = StampQuantumPs(inputs.part);
    if (conditions->sm_clock_mhz() == 0) {
      conditions->set_sm_clock_mhz(clock);
      conditions->set_timer_quantum_ps(quantum);
      conditions->set_build(inputs.calibration.build());
    }
    if (conditions->sm_clock_mhz() != clock ||
        conditions->timer_quantum_ps() != quantum) {
      return absl::InvalidArgumentError(
          absl::StrCat("cells of ", key.part(), " and ", key.kernel(),
                       " are calibrated at ", clock, " MHz with a tick of ",
                       quantum, " ps, others at ", conditions->sm_clock_mhz(),
                       " MHz with ", conditions->timer_quantum_ps(),
                       " ps; a surface has one clock, so predict them apart"));
    }
  }
  return absl::OkStatus();
}

template <typename Message>
void AddInput(const std::string& name, const Message& message,
              pb::Provenance* provenance) {
  pb::InputFile* input = provenance->add_inputs();
  input->set_name(name);
  input->set_sha256(ContentSha256(MakeFile(message)));
}

}  // namespace

absl::StatusOr<const pb::Calibration*> Resources::Calibration(
    const pb::CellKey& key) const {
  const auto found = calibrations.find({key.part(), key.kernel()});
  if (found != calibrations.end()) return &found->second;
  return absl::NotFoundError(absl::StrCat(
      "no calibration of kernel ", key.kernel(), " on part ", key.part()));
}

absl::Status CheckCells(const Resources& resources,
                        const std::vector<pb::CellKey>& keys) {
  for (const pb::CellKey& key : keys) {
    TILEBOUND_ASSIGN_OR_RETURN(const CellInputs inputs,
                               InputsOf(resources, key));
    TILEBOUND_RETURN_IF_ERROR(ValidateCellKey(key));
    TILEBOUND_RETURN_IF_ERROR(ValidateCellForKernel(key, inputs.kernel));
    TILEBOUND_RETURN_IF_ERROR(
        CheckResident(inputs.part, inputs.kernel, key.blocks()));
  }
  return absl::OkStatus();
}

absl::StatusOr<pb::Surface> PredictSurface(const Resources& resources,
                                           const std::vector<pb::CellKey>& keys,
                                           const PredictOptions& options) {
  TILEBOUND_RETURN_IF_ERROR(CheckCells(resources, keys));
  if (options.events == 0 || options.events > kMostEvents) {
    return absl::InvalidArgumentError(absl::StrCat("events is ", options.events,
                                                   "; 1 to ", kMostEvents,
                                                   " a cell are accepted"));
  }
  pb::Surface surface;
  pb::Provenance* provenance = surface.mutable_provenance();
  provenance->set_kind(pb::Provenance::PREDICTED);
  provenance->set_seed(options.seed);
  for (const auto& [name, part] : resources.parts) {
    AddInput(absl::StrCat("part ", name), part, provenance);
  }
  for (const auto& [name, kernel] : resources.kernels) {
    AddInput(absl::StrCat("kernel ", name), kernel, provenance);
  }
  for (const auto& [names, calibration] : resources.calibrations) {
    AddInput(absl::StrCat("calibration of ", names.second, " on ", names.first),
             calibration, provenance);
  }
  TILEBOUND_RETURN_IF_ERROR(
      SetConditions(resources, keys, options, surface.mutable_conditions()));

  // The largest cells first, so that no thread is left with one at the end.
  std::vector<size_t> order(keys.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return uint64_t{keys[a].blocks()} * keys[a].period() >
           uint64_t{keys[b].blocks()} * keys[b].period();
  });
  const uint32_t across = static_cast<uint32_t>(
      std::clamp<size_t>(keys.size(), 1, std::max(1u, options.threads)));
  const uint32_t within = std::max(1u, options.threads / across);
  std::vector<absl::StatusOr<pb::Cell>> cells(
      keys.size(), absl::StatusOr<pb::Cell>(pb::Cell()));
  ParallelFor(keys.size(), across, [&](size_t position) {
    const size_t i = order[position];
    const absl::StatusOr<CellInputs> inputs = InputsOf(resources, keys[i]);
    cells[i] = inputs.ok() ? PredictCell(*inputs, keys[i], options, within)
                           : absl::StatusOr<pb::Cell>(inputs.status());
    if (cells[i].ok() && options.sharing == Sharing::kSlot) {
      AddErrorBand(
          BandOf(inputs->calibration, keys[i], inputs->part.sm_count()),
          StampQuantumPs(inputs->part), *cells[i]);
    }
    options.on_cell();
  });
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].ok() && options.keep_going) {
      pb::Cell cell;
      *cell.mutable_key() = keys[i];
      for (const char* name : {kLatency, kE2e, kWait}) {
        *cell.add_metrics() = AbsentMetric(name, pb::Metric::NOT_MODELLED,
                                           cells[i].status().message());
      }
      cells[i] = std::move(cell);
    }
    if (!cells[i].ok()) {
      return absl::Status(cells[i].status().code(),
                          absl::StrCat(CanonicalText(keys[i]), ": ",
                                       cells[i].status().message()));
    }
    *surface.add_cells() = *std::move(cells[i]);
  }
  return surface;
}

}  // namespace tilebound::model
