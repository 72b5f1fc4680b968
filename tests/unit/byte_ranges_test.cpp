#include "base/byte_ranges.h"

#include <random>

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

using List = std::vector<ByteRange>;
constexpr ByteRange all = {0, 1000};

TEST(ByteRanges, JoinWhatTouches) {
  ByteRanges ranges;
  EXPECT_TRUE(ranges.isEmpty());
  ranges.add({10, 20});
  ranges.add({30, 40});
  EXPECT_EQ((List{{10, 20}, {30, 40}}), ranges.within(all));
  ranges.add({20, 25});
  EXPECT_EQ((List{{10, 25}, {30, 40}}), ranges.within(all));
  ranges.add({25, 30});
  EXPECT_EQ((List{{10, 40}}), ranges.within(all));
  ranges.add({15, 15});
  ranges.add({0, 5});
  EXPECT_EQ((List{{0, 5}, {10, 40}}), ranges.within(all));
  ranges.add(all);
  EXPECT_EQ(List{all}, ranges.within(all));
}

TEST(ByteRanges, AreCutByWhatIsRemoved) {
  ByteRanges ranges;
  ranges.add({10, 40});
  ranges.remove({20, 30});
  EXPECT_EQ((List{{10, 20}, {30, 40}}), ranges.within(all));
  ranges.remove({35, 100});
  EXPECT_EQ((List{{10, 20}, {30, 35}}), ranges.within(all));
  ranges.remove({0, 32});
  EXPECT_EQ((List{{32, 35}}), ranges.within(all));
  ranges.remove(all);
  EXPECT_TRUE(ranges.isEmpty());
}

TEST(ByteRanges, SayWhatIsThereAndWhatIsMissing) {
  ByteRanges ranges;
  EXPECT_EQ((List{{5, 7}}), ranges.missing({5, 7}));
  ranges.add({10, 20});
  ranges.add({30, 40});
  EXPECT_EQ((List{{15, 20}, {30, 35}}), ranges.within({15, 35}));
  EXPECT_EQ((List{{20, 30}}), ranges.missing({15, 35}));
  EXPECT_EQ((List{{0, 10}, {20, 30}, {40, 50}}), ranges.missing({0, 50}));
  EXPECT_TRUE(ranges.missing({12, 20}).empty());
  EXPECT_TRUE(ranges.contains({12, 20}));
  EXPECT_TRUE(ranges.contains({25, 25}));
  EXPECT_FALSE(ranges.contains({12, 21}));
  EXPECT_FALSE(ranges.contains({15, 35}));
}

TEST(ByteRanges, AreWhatASetOfBytesWouldBe) {
  std::mt19937 random(1);
  ByteRanges ranges;
  std::vector<bool> bytes(100);
  for (int i = 0; i < 5000; ++i) {
    const uint64_t a = random() % 101, b = random() % 101;
    const ByteRange range = {std::min(a, b), std::max(a, b)};
    const bool adds = random() % 2;
    adds ? ranges.add(range) : ranges.remove(range);
    std::fill(bytes.begin() + static_cast<ptrdiff_t>(range.begin),
              bytes.begin() + static_cast<ptrdiff_t>(range.end), adds);
    uint64_t end = 0;
    for (const ByteRange& part : ranges.within({0, 100})) {
      EXPECT_TRUE(part.begin > end || part.begin == 0);
      for (; end < part.begin; ++end)
        EXPECT_FALSE(bytes[end]);
      for (; end < part.end; ++end)
        EXPECT_TRUE(bytes[end]);
    }
    for (; end < 100; ++end)
      EXPECT_FALSE(bytes[end]);
  }
}

} // namespace
} // namespace quern::runtime
