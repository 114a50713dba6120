#include "model/calibration_table.h"

#include <cstdint>
#include <string>
#include <utility>

#include "data/schema/calibration.h"

namespace tilebound::model {
namespace {

TableValue OrAbsent(uint32_t number) {
  return number == 0 ? TableValue() : uint64_t{number};
}

// A row of the table; members in column order.
struct Row {
  std::string group;
  std::string quantity;
  TableValue k = {};
  TableValue blocks = {};
  TableValue blocks_per_sm = {};
  TableValue slot = {};
  TableValue quantile = {};
  TableValue value = {};
  std::string unit = {};
  TableValue low = {};
  TableValue high = {};
  TableValue predicted = {};
  TableValue residual_pct = {};

  std::vector<TableValue> Values() const {
    return {group, quantity, k,   blocks, blocks_per_sm, slot,        quantile,
            value, unit,     low, high,   predicted,     residual_pct};
  }
};

void AddEstimate(const SlotDepthFit& slot, const char* quantity,
                 const char* unit, const Estimate& estimate, Table& table) {
  table.AddRow(Row{.group = "line",
                   .quantity = quantity,
                   .blocks_per_sm = uint64_t{slot.blocks_per_sm},
                   .slot = uint64_t{slot.slot},
                   .value = estimate.value,
                   .unit = unit,
                   .low = estimate.low,
                   .high = estimate.high}
                   .Values());
}

}  // namespace

Table CalibrationTable(const pb::Calibration& calibration) {
  Table table({"group", "quantity", "k", "blocks", "blocks_per_sm", "slot",
               "quantile", "value", "unit", "low", "high", "predicted",
               "residual_pct"});
  for (const auto& [group, values] : CalibrationGroups(calibration)) {
    for (const pb::CalibrationValue& value : *values) {
      const bool interval = value.low() != 0 || value.high() != 0;
      const bool by_slot = value.blocks_per_sm() != 0;
      table.AddRow(Row{
          .group = group,
          .quantity = value.quantity(),
          .k = OrAbsent(value.k()),
          .blocks = OrAbsent(value.blocks()),
          .blocks_per_sm = OrAbsent(value.blocks_per_sm()),
          .slot = by_slot ? TableValue(uint64_t{value.slot()}) : TableValue(),
          .value = value.value(),
          .unit = value.unit(),
          .low = interval ? TableValue(value.low()) : TableValue(),
          .high = interval ? TableValue(value.high()) : TableValue()}
                       .Values());
    }
  }
  return table;
}

void AddResiduals(const std::vector<FitResidual>& residuals, Table& table) {
  for (const FitResidual& residual : residuals) {
    const pb::FitObservation& observation = residual.observation;
    table.AddRow(
        Row{.group = "residual",
            .quantity = observation.quantity(),
            .k = uint64_t{observation.cell().k()},
            .blocks = uint64_t{observation.cell().blocks()},
            .quantile = observation.quantile() > 0
                            ? TableValue(observation.quantile())
                            : TableValue(),
            .value = residual.observed,
            .unit = "us",
            .predicted = residual.predicted,
            .residual_pct = 100 * (residual.predicted / residual.observed - 1)}
            .Values());
  }
}

void AddTraceResults(const TraceCalibration& result,
                     const std::vector<CalibrationTrace>& traces,
                     Table& table) {
  for (const SlotDepthFit& slot : result.depth_fits) {
    AddEstimate(slot, "tile_time_slot at k 0", "us", slot.fit.fixed_us, table);
    AddEstimate(slot, "tile_time_slot per k", "us", slot.fit.per_k_us, table);
    for (size_t i = 0; i < slot.points.size(); ++i) {
      const DepthPoint& point = slot.points[i];
      const double predicted = slot.fit.predicted_us[i];
      table.AddRow(Row{.group = "residual",
                       .quantity = "tile_time_slot on its line",
                       .k = uint64_t{point.k},
                       .blocks_per_sm = uint64_t{slot.blocks_per_sm},
                       .slot = uint64_t{slot.slot},
                       .value = point.tile_us,
                       .unit = "us",
                       .predicted = predicted,
                       .residual_pct = 100 * (predicted / point.tile_us - 1)}
                       .Values());
    }
  }
  for (const CalibrationTrace& trace : traces) {
    const TilesLeftOut& left_out = trace.tiles.left_out;
    uint64_t kept = 0;
    for (const BlockTiles& block : trace.tiles.blocks) {
      kept += block.tiles.size();
    }
    const std::pair<const char*, uint64_t> counts[] = {
        {"kept", kept},
        {"left out: warm-up", left_out.warm_up},
        {"left out: cut by events", left_out.cut_by_events},
        {"left out: records lost", left_out.lost},
        {"left out: residency changing", left_out.residency_changing}};
    for (const auto& [what, count] : counts) {
      table.AddRow(Row{.group = "tiles",
                       .quantity = what,
                       .k = uint64_t{trace.k},
                       .blocks = uint64_t{trace.tiles.grid_blocks},
                       .blocks_per_sm = uint64_t{trace.tiles.blocks_per_sm},
                       .value = count,
                       .unit = "tiles"}
                       .Values());
    }
  }
}

}  // namespace tilebound::model
