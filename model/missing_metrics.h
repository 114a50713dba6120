// What a predicted surface leaves out, and why, in a few sentences: a table has
// room for an empty field only.
//
//   for (const std::string& line : MissingMetrics(surface)) ...
//   // "wait of 1 of 3 cells: how many tiles a launch of the background has
//   ..."
#ifndef TILEBOUND_MODEL_MISSING_METRICS_H_
#define TILEBOUND_MODEL_MISSING_METRICS_H_

#include <string>
#include <vector>

#include "data/schema/surface.pb.h"

namespace tilebound::model {

// One line for each reason that cells have NOT_MODELLED metrics, in the order
// in which they first occur.
std::vector<std::string> MissingMetrics(const pb::Surface& surface);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_MISSING_METRICS_H_
