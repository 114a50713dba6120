#include "data/trace/column_codec.h"

#include <algorithm>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

std::string Packed(const std::vector<int64_t>& values) {
  std::string bytes;
  AppendColumn(values, bytes);
  return bytes;
}

void ExpectReadsBack(const std::vector<int64_t>& values) {
  const std::string bytes = Packed(values);
  std::vector<int64_t> read(values.size());
  ASSERT_TRUE(ReadColumn(bytes, read.data(), read.size()));
  EXPECT_EQ(read, values);
  EXPECT_GE(MostColumnValues(bytes.size()), values.size());
}

TEST(ColumnCodec, EveryWidthReadsBack) {
  for (int width = 0; width <= 64; ++width) {
    for (const size_t count : {1u, 7u, 127u, 128u, 129u, 300u}) {
      std::vector<int64_t> values;
      uint64_t state = width * 1000 + count;
      for (size_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values.push_back(
            width == 0 ? -5
                       : static_cast<int64_t>((state >> (64 - width)) - 77));
      }
      SCOPED_TRACE(testing::Message() << width << " bits, " << count);
      ExpectReadsBack(values);
    }
  }
}

TEST(ColumnCodec, ExtremesReadBack) {
  ExpectReadsBack({});
  ExpectReadsBack({kMin, kMax, 0, -1, 1, kMax, kMin});
  ExpectReadsBack({kMax});
}

TEST(ColumnCodec, SpendsTheBitsThatTheSpreadNeedsAndNoMore) {
  std::vector<int64_t> values;
  for (int i = 0; i < 128; ++i) values.push_back(1000000 + i % 16);
  // Three bytes for zigzag(1000000), one for the width, 128 values of 4 bits.
  EXPECT_EQ(Packed(values).size(), 3 + 1 + 128 * 4 / 8);
}

TEST(ColumnCodec, WorkedExampleOfTheDocument) {
  EXPECT_THAT(Packed({-3, 5, 4}),
              testing::ElementsAre(5, 4, static_cast<char>(0x80), 7));
}

TEST(ColumnCodec, RefusesAnyOtherNumberOfValuesAndAnyCut) {
  const std::string bytes = Packed({9, 1, 4, 1000, 33});
  std::vector<int64_t> read(1000);
  EXPECT_FALSE(ReadColumn(bytes, read.data(), 0));
  EXPECT_FALSE(ReadColumn(bytes, read.data(), 129));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ReadColumn(bytes.substr(0, size), read.data(), 5)) << size;
  }
}

TEST(ColumnCodec, VarintsAreProtobufs) {
  std::string bytes;
  AppendVarint(300, bytes);
  EXPECT_THAT(bytes, testing::ElementsAre(static_cast<char>(0xAC), 2));
  AppendVarint(~uint64_t{0}, bytes);
  absl::string_view rest = bytes;
  uint64_t value;
  ASSERT_TRUE(ConsumeVarint(rest, value));
  EXPECT_EQ(value, 300u);
  ASSERT_TRUE(ConsumeVarint(rest, value));
  EXPECT_EQ(value, ~uint64_t{0});
  EXPECT_FALSE(ConsumeVarint(rest, value));
  for (const int64_t v : {kMin, kMax, int64_t{0}, int64_t{-1}}) {
    EXPECT_EQ(UnZigZag(ZigZag(v)), v);
  }
}

TEST(ColumnCodec, VarintsOfEveryLengthReadTheSameWhateverStandsBehind) {
  for (int bits = 0; bits <= 64; ++bits) {
    const uint64_t value = bits == 0 ? 0 : ~uint64_t{0} >> (64 - bits);
    std::string bytes;
    AppendVarint(value, bytes);
    EXPECT_EQ(bytes.size(), std::max<size_t>(1, (bits + 6) / 7));
    for (const std::string& behind :
         {std::string(), std::string(1, '\0'), std::string(20, '\xFF')}) {
      const std::string whole = bytes + behind;
      absl::string_view rest = whole;
      uint64_t read = 1;
      ASSERT_TRUE(ConsumeVarint(rest, read)) << bits << " bits";
      EXPECT_EQ(read, value);
      EXPECT_EQ(rest, behind);
    }
    for (size_t size = 0; size < bytes.size(); ++size) {
      absl::string_view cut = absl::string_view(bytes).substr(0, size);
      uint64_t read;
      EXPECT_FALSE(ConsumeVarint(cut, read)) << bits << " bits, cut " << size;
    }
  }
}

}  // namespace
}  // namespace tilebound
