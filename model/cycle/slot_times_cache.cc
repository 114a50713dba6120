#include "model/cycle/slot_times_cache.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "data/io/atomic_file.h"
#include "data/schema/sha256.h"

namespace tilebound::model {
namespace {

constexpr char kHeader[] = "tilebound slot times 1";

std::string PathOf(const std::string& folder, const std::string& key) {
  return absl::StrCat(folder, "/", key, ".slots");
}

std::string Format(const std::string& key,
                   const std::vector<CycleSlotTime>& slots) {
  std::string text = absl::StrCat(kHeader, "\n", key, "\n");
  for (const CycleSlotTime& slot : slots) {
    char line[256];
    // 17 digits bring every double back.
    std::snprintf(line, sizeof(line),
                  "%.17g %.17g %.17g %.17g %.17g %.17g %llu", slot.mean_us,
                  slot.mean_error_us, slot.spread, slot.spread_error, slot.lag1,
                  slot.lag1_error, static_cast<unsigned long long>(slot.tiles));
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

std::optional<CycleSlotTime> ParseSlot(absl::string_view line) {
  const std::vector<absl::string_view> fields = absl::StrSplit(line, ' ');
  CycleSlotTime slot;
  double* const numbers[] = {&slot.mean_us, &slot.mean_error_us,
                             &slot.spread,  &slot.spread_error,
                             &slot.lag1,    &slot.lag1_error};
  if (fields.size() != std::size(numbers) + 1) return std::nullopt;
  for (size_t i = 0; i < std::size(numbers); ++i) {
    if (!absl::SimpleAtod(fields[i], numbers[i])) return std::nullopt;
    if (!std::isfinite(*numbers[i])) return std::nullopt;
  }
  if (!absl::SimpleAtoi(fields.back(), &slot.tiles)) return std::nullopt;
  return slot;
}

}  // namespace

std::optional<std::vector<CycleSlotTime>> ReadSlotTimes(
    const std::string& folder, const std::string& key) {
  const absl::StatusOr<std::string> text = ReadWholeFile(PathOf(folder, key));
  if (!text.ok()) return std::nullopt;
  // Body, and its hash as the last line.
  constexpr size_t kHashLine = 65;
  if (text->size() <= kHashLine) return std::nullopt;
  const std::string body = text->substr(0, text->size() - kHashLine);
  if (text->substr(body.size()) != absl::StrCat(Sha256Hex(body), "\n")) {
    return std::nullopt;
  }
  const std::vector<absl::string_view> lines =
      absl::StrSplit(body, '\n', absl::SkipEmpty());
  if (lines.size() < 3 || lines[0] != kHeader || lines[1] != key) {
    return std::nullopt;
  }
  std::vector<CycleSlotTime> slots;
  for (size_t i = 2; i < lines.size(); ++i) {
    const std::optional<CycleSlotTime> slot = ParseSlot(lines[i]);
    if (!slot) return std::nullopt;
    slots.push_back(*slot);
  }
  return slots;
}

absl::Status WriteSlotTimes(const std::string& folder, const std::string& key,
                            const std::vector<CycleSlotTime>& slots) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot create ", folder, ": ", error.message()));
  }
  const std::string body = Format(key, slots);
  return WriteFileAtomically(PathOf(folder, key),
                             absl::StrCat(body, Sha256Hex(body), "\n"));
}

}  // namespace tilebound::model
