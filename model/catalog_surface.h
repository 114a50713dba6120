// Predictions straight from the catalog, for the tests that hold the model
// against published figures.
#ifndef TILEBOUND_MODEL_CATALOG_SURFACE_H_
#define TILEBOUND_MODEL_CATALOG_SURFACE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/io/status_macros.h"
#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "model/predict_surface.h"
#include "model/resources.h"

namespace tilebound::model {

// The cells of the published A10 surface: 16 to 288 blocks, periods 1 to 8.
inline std::vector<pb::CellKey> A10ReferenceKeys() {
  std::vector<pb::CellKey> keys;
  for (uint32_t blocks : {16, 36, 72, 144, 216, 288}) {
    for (uint32_t period : {1, 2, 4, 8}) {
      pb::CellKey key = DefaultCellKey();
      key.set_part("a10");
      key.set_kernel("sgemm64");
      key.set_k(64);
      key.set_blocks(blocks);
      key.set_period(period);
      keys.push_back(key);
    }
  }
  return keys;
}

inline absl::StatusOr<Resources> CatalogResources(
    const std::vector<pb::CellKey>& keys) {
  TILEBOUND_ASSIGN_OR_RETURN(Catalog catalog, Catalog::Open());
  ResourceLoader loader(std::move(catalog));
  const NameResolvers resolvers = loader.Resolvers();
  for (const pb::CellKey& key : keys) {
    TILEBOUND_RETURN_IF_ERROR(resolvers.part(key.part()).status());
    TILEBOUND_RETURN_IF_ERROR(resolvers.kernel(key.kernel()).status());
  }
  return loader.Load(keys, {});
}

inline absl::StatusOr<pb::Surface> PredictFromCatalog(
    const std::vector<pb::CellKey>& keys, const PredictOptions& options) {
  TILEBOUND_ASSIGN_OR_RETURN(const Resources resources, CatalogResources(keys));
  return PredictSurface(resources, keys, options);
}

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CATALOG_SURFACE_H_
