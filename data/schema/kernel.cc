#include "data/schema/kernel.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"

namespace tilebound {
namespace {

// A tile of more chunks than this is a typing error.
constexpr uint32_t kMostChunks = 100'000;

absl::Status ValidateProgram(const std::string& at,
                             const pb::TileProgram& program) {
  if (!(program.weight() > 0) || !std::isfinite(program.weight())) {
    return absl::InvalidArgumentError(absl::StrCat(
        at, ".weight is ", program.weight(), "; a number over 0 is needed"));
  }
  if (program.chunk_k() == 0 || program.reference_k() == 0 ||
      program.reference_k() % program.chunk_k() != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(at, ".chunk_k is ", program.chunk_k(),
                     " and reference_k is ", program.reference_k(),
                     "; a chunk over 0 and a multiple of it are needed"));
  }
  if (program.pipeline_stages() == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(at, ".pipeline_stages is 0; 1 or more is needed"));
  }
  if (program.sites().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(at, ".sites is empty; at least boundary is needed"));
  }
  for (const std::string& site : program.sites()) {
    const auto parsed = ParseSite(site);
    if (!parsed.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(at, ".sites: ", parsed.status().message()));
    }
  }
  const double chunks = program.reference_k() / program.chunk_k();
  const double total =
      chunks * program.chunk_service_share() + program.epilogue_service_share();
  if (!(program.chunk_service_share() > 0) ||
      !(program.epilogue_service_share() >= 0) || !(total <= 1 + 1e-9)) {
    return absl::InvalidArgumentError(absl::StrCat(
        at, ": chunk_service_share ", program.chunk_service_share(), " x ",
        chunks, " chunks + epilogue_service_share ",
        program.epilogue_service_share(), " is ", total,
        "; positive shares that add up to at most 1 are needed"));
  }
  if (program.fixed_k() % program.chunk_k() != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        at, ".fixed_k is ", program.fixed_k(),
        "; 0 or a multiple of chunk_k, ", program.chunk_k(), ", is accepted"));
  }
  if (!(program.relative_service() >= 0) ||
      !(program.relative_service() <= 1000)) {
    return absl::InvalidArgumentError(
        absl::StrCat(at, ".relative_service is ", program.relative_service(),
                     "; 0 to 1000 is accepted"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateKernel(const pb::Kernel& kernel) {
  TILEBOUND_RETURN_IF_ERROR(ValidateName("kernel.name", kernel.name()));
  if (kernel.threads_per_block() == 0 || kernel.threads_per_block() > 1024) {
    return absl::InvalidArgumentError(
        absl::StrCat("kernel.threads_per_block is ", kernel.threads_per_block(),
                     "; 1 to 1024 is accepted"));
  }
  if (kernel.registers_per_thread() == 0 ||
      kernel.registers_per_thread() > 255) {
    return absl::InvalidArgumentError(
        absl::StrCat("kernel.registers_per_thread is ",
                     kernel.registers_per_thread(), "; 1 to 255 is accepted"));
  }
  if (kernel.programs().empty()) {
    return absl::InvalidArgumentError(
        "kernel.programs is empty; at least one tile program is needed");
  }
  for (int i = 0; i < kernel.programs_size(); ++i) {
    TILEBOUND_RETURN_IF_ERROR(ValidateProgram(
        absl::StrCat("kernel.programs[", i, "]"), kernel.programs(i)));
  }
  return absl::OkStatus();
}

absl::Status ValidateCellForKernel(const pb::CellKey& key,
                                   const pb::Kernel& kernel) {
  for (const pb::TileProgram& program : kernel.programs()) {
    const uint32_t k = DepthOf(program, key.k());
    if (k % program.chunk_k() != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "k ", k, " is not a multiple of the chunk of ", kernel.name(),
          "; accepted are multiples of ", program.chunk_k()));
    }
    if (k / program.chunk_k() > kMostChunks) {
      return absl::InvalidArgumentError(absl::StrCat(
          "k ", k, " is ", k / program.chunk_k(), " chunks of ",
          kernel.name(), "; up to ", kMostChunks, " are accepted"));
    }
    const std::string site = SiteName(key.site());
    if (std::find(program.sites().begin(), program.sites().end(), site) ==
        program.sites().end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "site ", site, " does not exist in ", kernel.name(),
          "; accepted are ", absl::StrJoin(program.sites(), ", ")));
    }
  }
  return absl::OkStatus();
}

}  // namespace tilebound
