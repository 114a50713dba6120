// The report as Markdown: the same facts as the HTML, for a pull request or a
// terminal.
#ifndef TILEBOUND_VALIDATE_RENDER_MARKDOWN_H_
#define TILEBOUND_VALIDATE_RENDER_MARKDOWN_H_

#include <string>

#include "absl/strings/string_view.h"
#include "data/io/table.h"
#include "validate/baseline_diff.h"
#include "validate/findings.h"

namespace tilebound::validate {

// `diff` may be null.
std::string RenderMarkdown(const Findings& findings,
                           const BaselineDiff* diff = nullptr);

// Any text as one line of Markdown that shows it as it is, also inside a table.
std::string EscapeMarkdown(absl::string_view text);

std::string MarkdownTable(const Table& table);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_RENDER_MARKDOWN_H_
