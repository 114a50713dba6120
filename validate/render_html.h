// The report as one HTML file that needs nothing beside it.
#ifndef TILEBOUND_VALIDATE_RENDER_HTML_H_
#define TILEBOUND_VALIDATE_RENDER_HTML_H_

#include <string>

#include "absl/strings/string_view.h"
#include "validate/findings.h"

namespace tilebound::validate {

std::string RenderHtml(const Findings& findings);

// Any text as HTML text or as a quoted attribute's value.
std::string EscapeHtml(absl::string_view text);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_RENDER_HTML_H_
