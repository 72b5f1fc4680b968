// A fixed choice of random kernels. The program random_kernels runs others, prints them, and
// reduces those that fail.
#include <gtest/gtest.h>

#include "kernels/random/runner.h"

namespace quern::tests::random {
namespace {

class RandomKernels : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomKernels, agreeWithTheInterpreter) {
  constexpr uint64_t seedsEachTest = 10;
  for (uint64_t i = 0; i < seedsEachTest; ++i) {
    Program program = generate(GetParam() * seedsEachTest + i);
    const char* options = i % 5 == 4 ? "-cl-opt-disable" : "";
    EXPECT_EQ(compareWithDevice(program, options), "");
  }
}

/// Seeds that failed once: a tile of packets whose guards are the only way out (77047).
TEST(RandomKernelsThatFailed, agreeWithTheInterpreter) {
  for (const uint64_t seed : {77047, 900186}) {
    Program program = generate(seed);
    EXPECT_EQ(compareWithDevice(program, ""), "") << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels, testing::Range<uint64_t>(0, 8));
INSTANTIATE_TEST_SUITE_P(SeedsThatDivideIds, RandomKernels,
                         testing::Range<uint64_t>(100'000, 100'003));
INSTANTIATE_TEST_SUITE_P(SeedsWithRecords, RandomKernels,
                         testing::Range<uint64_t>(300'003, 300'005));
INSTANTIATE_TEST_SUITE_P(SeedsThatReadWidely, RandomKernels,
                         testing::Range<uint64_t>(500'000, 500'003));

} // namespace
} // namespace quern::tests::random
