// A thread's memory for work-groups.
#include <cstring>

#include <gtest/gtest.h>

#include "devices/cpu/scratch.h"

namespace quern::test {
namespace {

TEST(ScratchTest, PartsAreAlignedAndApart) {
  cpu::Scratch scratch;
  for (uint64_t local : {0u, 1u, 200u, 1u << 20})
    for (uint64_t context : {0u, 7u, 5u << 20}) {
      const abi::GroupScratch* group = scratch.prepare(local, context, false);
      ASSERT_NE(group, nullptr);
      EXPECT_EQ(reinterpret_cast<uint64_t>(group->local) % 128, 0u);
      EXPECT_EQ(reinterpret_cast<uint64_t>(group->context) % 128, 0u);
      std::memset(group->local, 1, local);
      std::memset(group->context, 2, context);
      EXPECT_TRUE(local == 0 || group->local[local - 1] == std::byte(1));
    }
}

TEST(ScratchTest, TooMuchIsRefusedAndLessIsHadAgain) {
  cpu::Scratch scratch;
  EXPECT_EQ(scratch.prepare(0, uint64_t(1) << 60, false), nullptr);
  const abi::GroupScratch* group = scratch.prepare(100, 100, false);
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(scratch.prepare(0, uint64_t(1) << 60, false), nullptr);
  std::memset(group->context, 1, 100);
  EXPECT_EQ(group->contextBytes, 100u) << "what was prepared before is still there";
}

TEST(ScratchTest, KernelsWithChecksFindMoreBehindIt) {
  cpu::Scratch scratch;
  EXPECT_EQ(scratch.prepare(100, 100, true), &scratch.checked().scratch);
  EXPECT_EQ(scratch.checked().scratch.localBytes, 100u);
}

TEST(ScratchTest, LargeMemoryIsKeptForAWhile) {
  cpu::Scratch scratch;
  const abi::GroupScratch* group = scratch.prepare(0, 64 << 20, false);
  ASSERT_NE(group, nullptr);
  const std::byte* const large = group->context;
  // Kernels that take turns find their memory again.
  EXPECT_EQ(scratch.prepare(0, 100, false)->context, large);
  EXPECT_EQ(scratch.prepare(0, 64 << 20, false)->context, large);
  group->context[0] = std::byte(1);
  for (int i = 0; i < 2000; ++i)
    group = scratch.prepare(0, 100, false);
  EXPECT_EQ(group->context[0], std::byte(0)) << "this is new memory";
}

} // namespace
} // namespace quern::test
