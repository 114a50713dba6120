#include "data/trace/column_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace tilebound {
namespace {

static_assert(std::endian::native == std::endian::little,
              "groups are read eight bytes at a time");

uint64_t Load64(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// Eight values of kWidth bits begin and end with a byte, so that where each of
// them lies is known to the compiler.
template <unsigned kWidth, size_t... kIndex>
void UnpackEight(const char* at, uint64_t least, int64_t* values,
                 std::index_sequence<kIndex...>) {
  constexpr uint64_t kMask = (uint64_t{1} << kWidth) - 1;
  ((values[kIndex] = static_cast<int64_t>(
        least +
        ((Load64(at + kIndex * kWidth / 8) >> (kIndex * kWidth % 8)) & kMask))),
   ...);
}

template <unsigned kWidth>
void Unpack(const char* at, uint64_t least, int64_t* values, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8, at += kWidth) {
    UnpackEight<kWidth>(at, least, values + i, std::make_index_sequence<8>());
  }
  constexpr uint64_t kMask = (uint64_t{1} << kWidth) - 1;
  for (size_t bit = 0; i < count; ++i, bit += kWidth) {
    values[i] = static_cast<int64_t>(
        least + ((Load64(at + (bit >> 3)) >> (bit & 7)) & kMask));
  }
}

// The widest value that lies in the eight bytes from its first.
constexpr unsigned kMostNarrow = 56;

using UnpackFunction = void (*)(const char*, uint64_t, int64_t*, size_t);
template <size_t... kWidth>
constexpr std::array<UnpackFunction, sizeof...(kWidth)> UnpackTable(
    std::index_sequence<kWidth...>) {
  return {Unpack<kWidth>...};
}
constexpr auto kUnpack =
    UnpackTable(std::make_index_sequence<kMostNarrow + 1>());

// `at` must have eight readable bytes after the group's last.
void UnpackPadded(const char* at, uint64_t least, unsigned width,
                  int64_t* values, size_t count) {
  if (width <= kMostNarrow) {
    kUnpack[width](at, least, values, count);
    return;
  }
  const uint64_t mask = ~uint64_t{0} >> (64 - width);
  for (size_t i = 0; i < count; ++i) {
    const size_t bit = i * width;
    const unsigned shift = bit & 7;
    uint64_t word = Load64(at + (bit >> 3)) >> shift;
    if (shift != 0) {
      const auto high = static_cast<unsigned char>(at[(bit >> 3) + 8]);
      word |= uint64_t{high} << (64 - shift);
    }
    values[i] = static_cast<int64_t>(least + (word & mask));
  }
}

// What value kIndex of eight has in word kWord of the packed bytes.
template <unsigned kWidth, size_t kWord, size_t kIndex>
uint64_t PartInWord(uint64_t value) {
  constexpr int kShift =
      static_cast<int>(kIndex * kWidth) - static_cast<int>(kWord * 64);
  if constexpr (kShift >= 64 || kShift + static_cast<int>(kWidth) <= 0) {
    return 0;
  } else if constexpr (kShift >= 0) {
    return value << kShift;
  } else {
    return value >> -kShift;
  }
}

template <unsigned kWidth, size_t kWord, size_t... kIndex>
void PackWord(const uint64_t* values, char* out,
              std::index_sequence<kIndex...>) {
  const uint64_t word =
      (PartInWord<kWidth, kWord, kIndex>(values[kIndex]) | ...);
  std::memcpy(out + kWord * sizeof(word), &word, sizeof(word));
}

// Eight values make kWidth bytes; up to seven more are written.
template <unsigned kWidth, size_t... kWord>
void PackEight([[maybe_unused]] const uint64_t* values,
               [[maybe_unused]] char* out, std::index_sequence<kWord...>) {
  (PackWord<kWidth, kWord>(values, out, std::make_index_sequence<8>()), ...);
}

// Packs values[i] - least. As many as there are, rounded up to eights, are
// read, and so many written.
template <unsigned kWidth>
void Pack(const int64_t* values, size_t count, uint64_t least, char* out) {
  for (size_t i = 0; i < count; i += 8, out += kWidth) {
    uint64_t eight[8];
    for (size_t j = 0; j < 8; ++j) {
      eight[j] = static_cast<uint64_t>(values[i + j]) - least;
    }
    PackEight<kWidth>(eight, out, std::make_index_sequence<(kWidth + 7) / 8>());
  }
}

using PackFunction = void (*)(const int64_t*, size_t, uint64_t, char*);
template <size_t... kWidth>
constexpr std::array<PackFunction, sizeof...(kWidth)> PackTable(
    std::index_sequence<kWidth...>) {
  return {Pack<kWidth>...};
}
constexpr auto kPack = PackTable(std::make_index_sequence<65>());

}  // namespace

void AppendVarint(uint64_t value, std::string& bytes) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<char>(value));
}

bool ConsumeLongVarint(absl::string_view& bytes, uint64_t& value) {
  if (bytes.size() >= sizeof(uint64_t)) {
    uint64_t word = Load64(bytes.data());
    const uint64_t stops = ~word & 0x8080808080808080u;
    if (stops != 0) {
      // Up to the first byte without a stop bit, and then seven bits of each
      // byte pushed together: which length it is costs no branch.
      word &= (stops ^ (stops - 1)) & 0x7F7F7F7F7F7F7F7Fu;
      word = (word & 0x007F007F007F007Fu) | (word & 0x7F007F007F007F00u) >> 1;
      word = (word & 0x00003FFF00003FFFu) | (word & 0x3FFF00003FFF0000u) >> 2;
      word = (word & 0x000000000FFFFFFFu) | (word & 0x0FFFFFFF00000000u) >> 4;
      value = word;
      bytes.remove_prefix(std::countr_zero(stops) / 8 + 1);
      return true;
    }
  }
  value = 0;
  for (size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (i == 9 && byte > 1) return false;
    value |= uint64_t{byte & 0x7Fu} << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

void ColumnGroup::AppendTo(std::string& bytes) {
  const auto base = static_cast<uint64_t>(least_);
  const unsigned width = std::bit_width(static_cast<uint64_t>(most_) - base);
  AppendVarint(ZigZag(least_), bytes);
  bytes.push_back(static_cast<char>(width));
  for (size_t i = count_; i % 8 != 0; ++i) values_[i] = least_;
  char packed[(kColumnGroup + 1) * sizeof(uint64_t)];
  kPack[width](values_, count_, base, packed);
  bytes.append(packed, (count_ * width + 7) / 8);
}

void AppendColumn(const std::vector<int64_t>& values, std::string& bytes) {
  for (size_t first = 0; first < values.size(); first += kColumnGroup) {
    ColumnGroup group;
    const size_t end = std::min(first + kColumnGroup, values.size());
    for (size_t i = first; i < end; ++i) group.Add(values[i]);
    group.AppendTo(bytes);
  }
}

bool ReadColumn(absl::string_view bytes, int64_t* values, size_t count) {
  while (count > 0) {
    const size_t n = std::min(kColumnGroup, count);
    uint64_t least;
    if (!ConsumeVarint(bytes, least) || bytes.empty()) return false;
    const auto width = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    const size_t packed = (n * width + 7) / 8;
    if (width > 64 || packed > bytes.size()) return false;
    const auto base = static_cast<uint64_t>(UnZigZag(least));
    if (bytes.size() >= packed + sizeof(uint64_t)) {
      UnpackPadded(bytes.data(), base, width, values, n);
    } else {
      char padded[kColumnGroup * 8 + 2 * sizeof(uint64_t)] = {};
      std::memcpy(padded, bytes.data(), packed);
      UnpackPadded(padded, base, width, values, n);
    }
    bytes.remove_prefix(packed);
    values += n;
    count -= n;
  }
  return bytes.empty();
}

}  // namespace tilebound
