#include "gpu/harness/part_from_device.h"

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/part.h"

namespace tilebound::gpu {
namespace {

void AddSource(pb::Part& part, const std::string& citation,
               std::initializer_list<const char*> figures) {
  pb::FigureSource* source = part.add_sources();
  source->set_citation(citation);
  for (const char* figure : figures) source->add_figures(figure);
}

std::string Version(int number) {
  return absl::StrCat(number / 1000, ".", number % 1000 / 10);
}

}  // namespace

absl::StatusOr<pb::Part> PartFromDevice(const DeviceFacts& facts,
                                        const std::string& name) {
  if (facts.compute_capability < 80 || facts.compute_capability > 90) {
    return absl::InvalidArgumentError(absl::StrCat(
        facts.product, " has compute capability ",
        facts.compute_capability / 10, ".", facts.compute_capability % 10,
        "; allocation units are known here for 8.0 to 9.0"));
  }
  pb::Part part;
  part.set_name(name);
  part.set_product(facts.product);
  part.set_compute_capability(facts.compute_capability);
  part.set_sm_count(facts.sm_count);
  pb::ResidencyLimits& limits = *part.mutable_limits();
  limits.set_warp_size(facts.warp_size);
  limits.set_threads_per_block(facts.threads_per_block);
  limits.set_threads_per_sm(facts.threads_per_sm);
  limits.set_blocks_per_sm(facts.blocks_per_sm);
  limits.set_registers_per_block(facts.registers_per_block);
  limits.set_registers_per_sm(facts.registers_per_sm);
  limits.set_registers_per_thread(255);
  limits.set_register_allocation_unit(256);
  limits.set_subpartitions_per_sm(4);
  limits.set_shared_bytes_per_sm(facts.shared_bytes_per_sm);
  limits.set_shared_bytes_per_block(facts.shared_bytes_per_block);
  limits.set_shared_bytes_reserved_per_block(
      facts.shared_bytes_reserved_per_block);
  limits.set_shared_allocation_unit_bytes(128);
  part.set_boost_clock_mhz(facts.clock_mhz);
  part.set_timer_quantum_ps(facts.timer_tick_ns * 1000);
  part.mutable_memory()->set_size_bytes(facts.memory_bytes);
  part.mutable_memory()->set_bandwidth_gb_per_s(facts.bandwidth_gb_per_s);
  part.mutable_memory()->set_l2_bytes(facts.l2_bytes);

  AddSource(
      part,
      absl::StrCat("cudaGetDeviceProperties and cudaDeviceGetAttribute, "
                   "CUDA run time ",
                   Version(facts.runtime_version), ", driver for CUDA ",
                   Version(facts.driver_version)),
      {"compute_capability", "sm_count", "limits.warp_size",
       "limits.threads_per_block", "limits.threads_per_sm",
       "limits.blocks_per_sm", "limits.registers_per_block",
       "limits.registers_per_sm", "limits.shared_bytes_per_sm",
       "limits.shared_bytes_per_block",
       "limits.shared_bytes_reserved_per_block", "boost_clock_mhz",
       "memory.size_bytes", "memory.bandwidth_gb_per_s", "memory.l2_bytes"});
  AddSource(part, "CUDA Toolkit 13.0, cuda_occupancy.h",
            {"limits.register_allocation_unit", "limits.subpartitions_per_sm",
             "limits.shared_allocation_unit_bytes"});
  AddSource(part, "CUDA C++ Programming Guide 13.0, Compute Capabilities",
            {"limits.registers_per_thread"});
  AddSource(part, "//gpu:facts: smallest of 64 steps of %globaltimer",
            {"timer_quantum_ps"});
  TILEBOUND_RETURN_IF_ERROR(ValidatePart(part));
  return part;
}

}  // namespace tilebound::gpu
