// The report as one HTML file that needs nothing beside it.
#ifndef TILEBOUND_VALIDATE_RENDER_HTML_H_
#define TILEBOUND_VALIDATE_RENDER_HTML_H_

#include <string>

#include "absl/strings/string_view.h"
#include "validate/baseline_diff.h"
#include "validate/findings.h"
#include "validate/plot_libraries.h"

namespace tilebound::validate {

// `diff` may be null. Without plot libraries there are tables only, and the
// page says so. The page may load nothing and send nothing: a policy inside it
// forbids both.
std::string RenderHtml(const Findings& findings, const BaselineDiff* diff,
                       const PlotLibraries& libraries);

// Any text as HTML text or as a quoted attribute's value.
std::string EscapeHtml(absl::string_view text);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_RENDER_HTML_H_
