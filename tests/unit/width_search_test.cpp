#include "runtime/width_search.h"

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

TEST(WidthSearch, asksForNothingWhereTheCompilerNamesNothing) {
  WidthSearch search(std::vector<uint32_t>{});
  EXPECT_EQ(search.next(16), 0u);
  EXPECT_TRUE(search.asked().empty());
}

TEST(WidthSearch, asksForWhatTheCompilerNamesInThatOrder) {
  WidthSearch search({16, 1, 8});
  EXPECT_EQ(search.next(16), 1u);
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_EQ(search.next(16), 0u);
  EXPECT_EQ(search.asked(), (std::vector<uint32_t>{16, 1, 8}));
}

TEST(WidthSearch, goesOnAsLongAsHalfTheWidthIsFaster) {
  WidthSearch search({16, 8});
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(4), 1u);
  EXPECT_EQ(search.next(1), 0u);
}

TEST(WidthSearch, endsWhereHalfTheWidthIsSlower) {
  WidthSearch search({16, 8});
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(8), 0u);
}

TEST(WidthSearch, asksForNoWidthTwice) {
  WidthSearch search({16, 1, 8});
  EXPECT_EQ(search.next(16), 1u);
  EXPECT_EQ(search.next(16), 8u);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(4), 0u);
}

TEST(WidthSearch, prefersNarrowerPacketsWhereThatIsFaster) {
  WidthSearch search({32, 8, 16});
  EXPECT_EQ(search.next(32), 8u);
  EXPECT_EQ(search.next(8), 4u);
  EXPECT_EQ(search.next(4), 1u);
  EXPECT_EQ(search.next(4), 16u);
  EXPECT_EQ(search.next(16), 0u);
}

TEST(WidthSearch, findsNothingBeyondTheDoubleWidth) {
  WidthSearch search({8, 16});
  EXPECT_EQ(search.next(8), 16u);
  EXPECT_EQ(search.next(16), 0u);
}

} // namespace
} // namespace quern::runtime
