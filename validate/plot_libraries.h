// The JavaScript that draws the plots: Vega, Vega-Lite and vega-embed, as
// tools/install_web.sh puts them under validate/web/node_modules. A report
// without them has tables only.
#ifndef TILEBOUND_VALIDATE_PLOT_LIBRARIES_H_
#define TILEBOUND_VALIDATE_PLOT_LIBRARIES_H_

#include <string>

namespace tilebound::validate {

struct PlotLibraries {
  // The sources, one after the other; empty where one is missing.
  std::string scripts;
  // What is missing and how to get it.
  std::string missing;

  bool complete() const { return !scripts.empty(); }
};

// In the folder that $TILEBOUND_WEB names, else validate/web beside the data
// folder.
PlotLibraries FindPlotLibraries();

// In `folder`, which has node_modules/.
PlotLibraries PlotLibrariesIn(const std::string& folder);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_PLOT_LIBRARIES_H_
