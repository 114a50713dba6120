#include "validate/plot_libraries.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "data/io/atomic_file.h"
#include "data/io/data_root.h"

namespace tilebound::validate {
namespace {

constexpr const char* kFiles[] = {
    "node_modules/vega/build/vega.min.js",
    "node_modules/vega-lite/build/vega-lite.min.js",
    "node_modules/vega-embed/build/vega-embed.min.js",
};

}  // namespace

PlotLibraries PlotLibrariesIn(const std::string& folder) {
  PlotLibraries libraries;
  for (const char* file : kFiles) {
    const auto bytes = ReadWholeFile(absl::StrCat(folder, "/", file));
    if (!bytes.ok()) {
      return {"",
              absl::StrCat(folder, "/", file,
                           " is missing; tools/install_web.sh installs it")};
    }
    // Inside a script element these would end it or open a comment; in
    // JavaScript strings and expressions the backslash changes nothing.
    absl::StrAppend(&libraries.scripts,
                    absl::StrReplaceAll(*bytes, {{"</script", "<\\/script"},
                                                 {"<!--", "<\\!--"}}),
                    "\n");
  }
  return libraries;
}

PlotLibraries FindPlotLibraries() {
  if (const char* folder = std::getenv("TILEBOUND_WEB")) {
    return PlotLibrariesIn(folder);
  }
  const auto root = DataRoot();
  if (!root.ok()) return {"", "no data folder to look beside"};
  return PlotLibrariesIn(absl::StrCat(*root, "/../validate/web"));
}

}  // namespace tilebound::validate
