// What //model:calibrate prints of a calibration: every value with its group
// and interval, then what the fits leave over.
//
//   Table table = CalibrationTable(calibration);
//   AddResiduals(residuals, table);
#ifndef TILEBOUND_MODEL_CALIBRATION_TABLE_H_
#define TILEBOUND_MODEL_CALIBRATION_TABLE_H_

#include <vector>

#include "data/io/table.h"
#include "data/schema/calibration.pb.h"
#include "model/fit.h"
#include "model/trace_calibration.h"

namespace tilebound::model {

Table CalibrationTable(const pb::Calibration& calibration);

// One row for each value that a recipe's fit read: observed and predicted.
void AddResiduals(const std::vector<FitResidual>& residuals, Table& table);

// The lines through tile times at several depths, their residuals at each, and
// how many tiles were kept and left out, for what reason.
void AddTraceResults(const TraceCalibration& result,
                     const std::vector<CalibrationTrace>& traces, Table& table);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CALIBRATION_TABLE_H_
