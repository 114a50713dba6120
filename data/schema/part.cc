#include "data/schema/part.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/io/suggest.h"
#include "data/schema/cell_key.h"

namespace tilebound {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Path -> value of every numeric field of the message, zero ones included.
void CollectFigures(const Message& message, const std::string& prefix,
                    std::map<std::string, double>& figures) {
  const auto* type = message.GetDescriptor();
  const auto* reflection = message.GetReflection();
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    if (field->is_repeated()) continue;
    const std::string path = absl::StrCat(prefix, field->name());
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_UINT32:
        figures[path] = reflection->GetUInt32(message, field);
        break;
      case FieldDescriptor::CPPTYPE_UINT64:
        figures[path] =
            static_cast<double>(reflection->GetUInt64(message, field));
        break;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        figures[path] = reflection->GetDouble(message, field);
        break;
      case FieldDescriptor::CPPTYPE_MESSAGE:
        CollectFigures(reflection->GetMessage(message, field), path + ".",
                       figures);
        break;
      default:
        break;
    }
  }
}

// Far above any part, and low enough that no product of figures overflows.
constexpr uint32_t kMostSms = 4096;
constexpr uint64_t kMostTimerQuantumPs = 1'000'000'000;

// The timer's tick may be unknown until somebody measures it.
bool MayBeUnknown(const std::string& path) {
  return path == "timer_quantum_ps";
}

std::vector<std::string> Paths(const std::map<std::string, double>& figures) {
  std::vector<std::string> paths;
  for (const auto& [path, value] : figures) paths.push_back(path);
  return paths;
}

absl::Status CheckSources(const pb::Part& part,
                          const std::map<std::string, double>& figures) {
  std::map<std::string, int> named;
  for (const pb::FigureSource& source : part.sources()) {
    if (source.citation().empty()) {
      return absl::InvalidArgumentError(
          "part.sources has an entry without citation; the document, or the "
          "command that measured it, is needed");
    }
    for (const std::string& figure : source.figures()) {
      if (figures.count(figure) == 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            "part.sources names \"", figure, "\", which is no figure of a part",
            DidYouMean(figure, Paths(figures))));
      }
      ++named[figure];
    }
  }
  for (const auto& [path, value] : figures) {
    if (value == 0 && MayBeUnknown(path)) continue;
    if (named[path] != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("part.", path, " is named by ", named[path],
                       " sources; every figure needs exactly one"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidatePart(const pb::Part& part) {
  TILEBOUND_RETURN_IF_ERROR(ValidateName("part.name", part.name()));
  std::map<std::string, double> figures;
  CollectFigures(part, "", figures);
  for (const auto& [path, value] : figures) {
    if (!std::isfinite(value) || value < 0 ||
        (value == 0 && !MayBeUnknown(path))) {
      return absl::InvalidArgumentError(absl::StrCat(
          "part.", path, " is ", value, "; a number over 0 is needed"));
    }
  }
  if (part.sm_count() > kMostSms) {
    return absl::InvalidArgumentError(absl::StrCat("part.sm_count is ",
                                                   part.sm_count(), "; 1 to ",
                                                   kMostSms, " are accepted"));
  }
  if (part.timer_quantum_ps() > kMostTimerQuantumPs) {
    return absl::InvalidArgumentError(
        absl::StrCat("part.timer_quantum_ps is ", part.timer_quantum_ps(),
                     "; up to ", kMostTimerQuantumPs, " (1 ms) is accepted"));
  }
  const pb::ResidencyLimits& limits = part.limits();
  if (limits.threads_per_sm() % limits.warp_size() != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "part.limits.threads_per_sm is ", limits.threads_per_sm(),
        "; a multiple of warp_size ", limits.warp_size(), " is needed"));
  }
  if (limits.shared_bytes_per_block() > limits.shared_bytes_per_sm()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "part.limits.shared_bytes_per_block is ",
        limits.shared_bytes_per_block(), "; at most shared_bytes_per_sm ",
        limits.shared_bytes_per_sm(), " is possible"));
  }
  return CheckSources(part, figures);
}

}  // namespace tilebound
