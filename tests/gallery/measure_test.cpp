// How the benchmark takes samples, with sides that are functions.
#include "bench/measure.h"

#include <gtest/gtest.h>

namespace quern::bench {
namespace {

/// A side that counts, and is right while `isRight` says so of the number of runs.
struct CountingSide {
  explicit CountingSide(std::function<bool(int)> isRight) : isRight(std::move(isRight)) {}

  Side side() {
    return {.name = "counting",
            .run =
                [this] {
                  ++runs;
                  result = isRight(runs);
                },
            .spoil = [this] { result = false; },
            .check = [this] { return result ? std::string() : "wrong"; }};
  }

  std::function<bool(int)> isRight;
  int runs = 0;
  bool result = false;
};

std::string errorOf(CountingSide& counting) {
  std::vector<Side> sides = {counting.side()};
  measure(sides, 1, 1);
  return sides.front().error;
}

TEST(Measure, FindsAResultThatIsWrongFromTheBeginning) {
  CountingSide wrong([](int) { return false; });
  EXPECT_EQ("wrong", errorOf(wrong));
}

TEST(Measure, FindsAResultThatBecomesWrong) {
  CountingSide later([](int run) { return run < 3; });
  EXPECT_EQ("wrong", errorOf(later));
}

TEST(Measure, AcceptsAResultThatStaysRight) {
  CountingSide right([](int) { return true; });
  EXPECT_EQ("", errorOf(right));
}

/// What is left of an earlier run would be right.
TEST(Measure, FindsRunsThatDoNothing) {
  bool result = true;
  std::vector<Side> sides = {{.name = "idle",
                              .run = [] {},
                              .spoil = [&] { result = false; },
                              .check = [&] { return result ? std::string() : "wrong"; }}};
  measure(sides, 1, 1);
  EXPECT_EQ("wrong", sides.front().error);
}

/// A first run may compile: it is no sample, even where it has used up all time.
TEST(Measure, TakesASampleAfterTheFirstRun) {
  int runs = 0;
  std::vector<Side> sides = {{.name = "slow", .run = [&] { ++runs; }}};
  measure(sides, 7, 0);
  EXPECT_EQ(1u, sides.front().samples.size());
  EXPECT_GE(runs, 3); // the first, the sample's, and the last one, which is checked
}

TEST(Measure, ChangesTheOrderFromRoundToRound) {
  std::string order;
  const auto side = [&order](char name) {
    return Side{.name = {name}, .run = [&order, name] {
                  if (!order.ends_with(name))
                    order += name;
                }};
  };
  std::vector<Side> sides = {side('a'), side('b'), side('c')};
  measure(sides, 2, 1);
  // The first runs, two rounds, of which the second begins with c, and the last runs.
  EXPECT_EQ("abcabcbabc", order);
}

TEST(Measure, ReportsWhatIsThrown) {
  std::vector<Side> sides = {
      {.name = "throwing", .run = [] { throw std::runtime_error("out of breath"); }},
      {.name = "other", .run = [] {}}};
  measure(sides, 1, 1);
  EXPECT_EQ("out of breath", sides[0].error);
  EXPECT_TRUE(sides[0].samples.empty());
  EXPECT_EQ(1u, sides[1].samples.size());
}

} // namespace
} // namespace quern::bench
