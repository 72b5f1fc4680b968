// That a wrong result is found, whatever computes it: each output of each kernel of the benchmark,
// at its beginning, its middle and its end, and results that an earlier run has left.
#include "bench/platforms.h"
#include "bench/problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace quern::bench {
namespace {

/// Of the widest numbers: a double.
constexpr size_t numberBytes = 8;

class WrongResults : public testing::TestWithParam<size_t> {
protected:
  static Target& target() {
    static std::vector<Target> targets = choosePlatforms(std::getenv("QUERN_DRIVER"), {"Quern"});
    return targets.front();
  }

  static void run(const Variant& variant) {
    spoilResults(target(), variant);
    variant.run();
  }
};

TEST_P(WrongResults, AreFound) {
  const Family& family = families()[GetParam()];
  const std::unique_ptr<Problem> problem = family.make(family.quickSizes.front());
  problem->runHost();
  for (const std::string& name : problem->variantNames()) {
    SCOPED_TRACE(family.name + " " + name);
    const Variant variant = problem->prepare(target(), name);
    run(variant);
    ASSERT_EQ("", variant.check());
    spoilResults(target(), variant); // a run that does nothing
    EXPECT_NE("", variant.check());
    for (const Output& output : variant.outputs)
      for (const size_t place : {size_t{0}, output.bytes / 2, output.bytes - 1}) {
        const size_t offset = place / numberBytes * numberBytes;
        run(variant);
        target().spoil(output, offset, std::min(numberBytes, output.bytes - offset));
        EXPECT_NE("", variant.check()) << "byte " << offset;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, WrongResults, testing::Range<size_t>(0, families().size()));

} // namespace
} // namespace quern::bench
