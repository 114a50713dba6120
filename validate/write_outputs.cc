#include "validate/write_outputs.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "data/io/atomic_file.h"
#include "data/io/status_macros.h"

namespace tilebound::validate {
namespace {

absl::Status WriteInto(const std::filesystem::path& folder,
                       const std::vector<OutputFile>& files) {
  std::vector<AtomicFile> written;
  for (const OutputFile& file : files) {
    TILEBOUND_ASSIGN_OR_RETURN(
        AtomicFile out, AtomicFile::Create((folder / file.name).string()));
    TILEBOUND_RETURN_IF_ERROR(out.Write(file.bytes));
    written.push_back(std::move(out));
  }
  for (AtomicFile& out : written) {
    TILEBOUND_RETURN_IF_ERROR(out.Commit());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteOutputs(const std::string& folder,
                          const std::vector<OutputFile>& files) {
  std::error_code error;
  const bool made = std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot make the folder ", folder, ": ", error.message()));
  }
  const absl::Status status = WriteInto(folder, files);
  // Fails, as it should, if anything is in it.
  if (!status.ok() && made) std::filesystem::remove(folder, error);
  return status;
}

}  // namespace tilebound::validate
