// The report as a list of sections with tables, which Markdown and HTML render
// each in their way: the facts and their order are decided here, once.
#ifndef TILEBOUND_VALIDATE_SECTIONS_H_
#define TILEBOUND_VALIDATE_SECTIONS_H_

#include <string>
#include <vector>

#include "data/io/table.h"
#include "validate/baseline_diff.h"
#include "validate/findings.h"

namespace tilebound::validate {

struct Section {
  // A word for links: "coverage".
  std::string id;
  std::string title;
  // Plain text, one paragraph each.
  std::vector<std::string> paragraphs;
  // Without rows: no table.
  Table table;
};

// Coverage first, then what to know, accuracy, hypotheses, changes, worst
// cells, cells, inputs. `diff` may be null.
std::vector<Section> ReportSections(const Findings& findings,
                                    const BaselineDiff* diff);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_SECTIONS_H_
