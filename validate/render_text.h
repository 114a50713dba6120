// The report for a terminal: the table of cells, then a few lines that sum up.
#ifndef TILEBOUND_VALIDATE_RENDER_TEXT_H_
#define TILEBOUND_VALIDATE_RENDER_TEXT_H_

#include <string>

#include "validate/baseline_diff.h"
#include "validate/findings.h"

namespace tilebound::validate {

// `diff` may be null.
std::string RenderText(const Findings& findings,
                       const BaselineDiff* diff = nullptr);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_RENDER_TEXT_H_
