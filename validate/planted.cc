#include "validate/planted.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "data/schema/metric.h"

namespace tilebound::validate {

double PlantedRandom::Uniform() {
  return (static_cast<double>(Next() >> 11) + 0.5) * 0x1p-53;
}

double PlantedRandom::Normal() {
  const double radius = std::sqrt(-2 * std::log(Uniform()));
  return radius * std::cos(2 * std::numbers::pi * Uniform());
}

pb::CellKey PlantedKey(uint32_t blocks, uint32_t period) {
  pb::CellKey key = DefaultCellKey();
  key.set_part("a10");
  key.set_kernel("sgemm64");
  key.set_k(64);
  key.set_blocks(blocks);
  key.set_period(period);
  return key;
}

pb::Surface PlantedSurface(const PlantedOptions& options) {
  pb::Surface surface;
  surface.set_name(options.name);
  surface.mutable_provenance()->set_kind(options.kind);
  surface.mutable_provenance()->set_citation("planted truth");
  surface.mutable_provenance()->set_started_utc("2026-08-01T12:00:00Z");
  surface.mutable_conditions()->set_sm_clock_mhz(options.sm_clock_mhz);
  surface.mutable_conditions()->set_events(10000);
  surface.mutable_conditions()->set_warmup_events(100);
  surface.mutable_conditions()->set_timer_quantum_ps(kPlantedQuantumPs);
  for (const uint32_t blocks : options.blocks) {
    for (const uint32_t period : options.period) {
      pb::Cell* cell = surface.add_cells();
      *cell->mutable_key() = PlantedKey(blocks, period);
      pb::Metric* latency = cell->add_metrics();
      latency->set_name(kLatency);
      latency->set_unit("us");
      latency->set_n(9900);
      const double p50 = static_cast<double>(blocks) * period;
      latency->mutable_quantiles()->add_q(0.5);
      latency->mutable_quantiles()->add_value(p50);
      latency->mutable_quantiles()->add_q(0.99);
      latency->mutable_quantiles()->add_value(1.25 * p50);
      *cell->add_metrics() = ScalarMetric(kOverhead, 2, 20);
    }
  }
  return surface;
}

pb::Surface Scaled(pb::Surface surface, double factor) {
  surface.mutable_provenance()->set_kind(pb::Provenance::PREDICTED);
  for (pb::Cell& cell : *surface.mutable_cells()) {
    for (pb::Metric& metric : *cell.mutable_metrics()) {
      if (!metric.has_quantiles()) continue;
      for (double& value : *metric.mutable_quantiles()->mutable_value()) {
        value *= factor;
      }
    }
  }
  return surface;
}

Histogram LognormalHistogram(double median_quanta, double sigma, uint64_t n,
                             PlantedRandom& random) {
  Histogram histogram(kPlantedQuantumPs);
  for (uint64_t i = 0; i < n; ++i) {
    histogram.Add(static_cast<uint64_t>(median_quanta *
                                        std::exp(sigma * random.Normal())));
  }
  return histogram;
}

Input AsInput(pb::Surface surface) {
  Input input;
  input.path = surface.name() + ".textproto";
  input.sha256 = ContentSha256(MakeFile(surface));
  input.surface = std::move(surface);
  return input;
}

}  // namespace tilebound::validate
