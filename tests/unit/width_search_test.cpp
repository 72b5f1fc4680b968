#include "runtime/width_search.h"

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

TEST(WidthSearch, asksForNothingWhereTheCompilerNamesNothing) {
  WidthSearch search({}, 0);
  EXPECT_EQ(search.next(16), 0u);
  EXPECT_TRUE(search.asked().empty());
}

TEST(WidthSearch, asksForWhatTheCompilerNamesInThatOrder) {
  WidthSearch search({16, 1, 8}, 3);
  EXPECT_EQ(search.next(16), 1u);
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_EQ(search.next(16), 0u);
  EXPECT_EQ(search.asked(), (std::vector<uint32_t>{16, 1, 8}));
}

TEST(WidthSearch, goesOnAsLongAsHalfTheWidthIsFaster) {
  WidthSearch search({16, 8}, 2);
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(4), 1u);
  EXPECT_EQ(search.next(1), 0u);
}

TEST(WidthSearch, endsWhereHalfTheWidthIsSlower) {
  WidthSearch search({16, 8}, 2);
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(8), 0u);
}

TEST(WidthSearch, asksForNoWidthTwice) {
  WidthSearch search({16, 1, 8}, 3);
  EXPECT_EQ(search.next(16), 1u);
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(4), 0u);
}

TEST(WidthSearch, prefersNarrowerPacketsWhereThatIsFaster) {
  WidthSearch search({32, 8, 16}, 3);
  EXPECT_EQ(search.next(32), 8u);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(4), 1u);
  EXPECT_EQ(search.next(4), 16u);
  EXPECT_EQ(search.next(16), 0u);
}

TEST(WidthSearch, asksLastForWhatIsUnlikely) {
  WidthSearch search({16, 8, 1}, 2);
  EXPECT_FALSE(search.isNextUnlikely(16));
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_TRUE(search.isNextUnlikely(16));
  EXPECT_FALSE(search.isNextUnlikely(8));
  EXPECT_EQ(search.next(16), 1u);
  EXPECT_EQ(search.next(16), 0u);
}

TEST(WidthSearch, asksEarlierForItWhereNarrowerIsFaster) {
  WidthSearch search({8, 4, 1}, 2);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(4), 1u);
  EXPECT_EQ(search.next(4), 0u);
  WidthSearch none({1, 16}, 1);
  EXPECT_TRUE(none.isNextUnlikely(1));
  EXPECT_EQ(none.next(1), 16u);
  EXPECT_EQ(none.next(16), 0u);
}

TEST(WidthSearch, findsNothingBeyondTheDoubleWidth) {
  WidthSearch search({8, 16}, 2);
  EXPECT_EQ(search.next(8), 16u);
  EXPECT_EQ(search.next(16), 0u);
}

} // namespace
} // namespace quern::runtime
