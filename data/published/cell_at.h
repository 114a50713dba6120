// Finds one cell of one published surface by the fields in which its key
// differs from the default one, for the tests in this folder.
//
//   MetricQuantile(At("a10_reference").Blocks(288)["latency"], 0.5)
#ifndef TILEBOUND_DATA_PUBLISHED_CELL_AT_H_
#define TILEBOUND_DATA_PUBLISHED_CELL_AT_H_

#include <string>

#include "data/io/data_root.h"
#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "data/schema/metric.h"
#include "gtest/gtest.h"

namespace tilebound {

inline pb::Surface SurfaceOrDie(const std::string& name) {
  const auto root = DataRoot();
  EXPECT_TRUE(root.ok()) << root.status();
  const auto surface =
      ReadContent<pb::Surface>(*root + "/published/" + name + ".textproto");
  EXPECT_TRUE(surface.ok()) << surface.status();
  return *surface;
}

// One cell of one file, found by a few fields of its key.
class At {
 public:
  explicit At(const std::string& file) : file_(file) {
    key_ = DefaultCellKey();
    key_.set_part(file.substr(0, 4) == "a100" ? "a100_sxm4_40gb" : "a10");
    key_.set_kernel("sgemm64");
    key_.set_k(64);
  }
  At& Blocks(uint32_t blocks) { return key_.set_blocks(blocks), *this; }
  At& Period(uint32_t period) { return key_.set_period(period), *this; }
  At& K(uint32_t k) { return key_.set_k(k), *this; }
  At& Kernel(const std::string& name) { return key_.set_kernel(name), *this; }
  At& Site(pb::Site site) { return key_.set_site(site), *this; }
  At& Variant(const std::string& v) { return key_.set_variant(v), *this; }
  At& Urgent(uint32_t tiles) { return key_.set_urgent_tiles(tiles), *this; }
  At& Alone() { return key_.set_arm(pb::NONE), *this; }
  At& Host() { return key_.set_setter(pb::HOST), *this; }
  At& With(pb::Discipline d) { return key_.set_discipline(d), *this; }
  At& Reserve(uint32_t slots) {
    key_.set_arm(pb::RESERVED);
    key_.set_reserve(slots);
    return Host();
  }

  // A copy of the metric; empty, after a failure, if the file lacks it.
  pb::Metric operator[](const std::string& name) const {
    const pb::Surface surface = SurfaceOrDie(file_);
    for (const pb::Cell& cell : surface.cells()) {
      if (Fingerprint(cell.key()) != Fingerprint(key_)) continue;
      const pb::Metric* metric = FindMetric(cell, name);
      if (metric != nullptr) return *metric;
    }
    ADD_FAILURE() << file_ << " has no " << name << " at "
                  << CanonicalText(key_);
    return {};
  }

 private:
  std::string file_;
  pb::CellKey key_;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_PUBLISHED_CELL_AT_H_
