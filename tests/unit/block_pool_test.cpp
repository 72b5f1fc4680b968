#include "runtime/block_pool.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

using Pool = BlockPool<8 * sizeof(uint64_t), 1>;

TEST(BlockPool, GivesAKeptBlockAgain) {
  Pool pool;
  void* const first = pool.take();
  void* const second = pool.take();
  EXPECT_NE(first, second);
  pool.giveBack(first);
  pool.giveBack(second); // one too many: the heap's
  EXPECT_EQ(pool.take(), first);
  void* const third = pool.take();
  EXPECT_NE(third, first);
  ::operator delete(first);
  ::operator delete(third);
}

#if __has_feature(address_sanitizer)
TEST(BlockPoolDeathTest, KeptBlocksMayNotBeUsed) {
  static Pool pool;
  auto* const words = static_cast<volatile uint64_t*>(pool.take());
  words[7] = 1;
  pool.giveBack(const_cast<uint64_t*>(words));
  EXPECT_DEATH(words[7] = 2, "use-after-poison");
  EXPECT_EQ(pool.take(), words);
  words[7] = 3;
  pool.giveBack(const_cast<uint64_t*>(words));
}
#endif

} // namespace
} // namespace quern::runtime
