#include "runtime/pooled.h"

#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

template <int each> struct alignas(128) Item : Pooled<Item<each>, 4> {
  uint64_t words[16];
};

TEST(Pooled, MemoryIsUsedAgain) {
  using Item = Item<0>;
  auto* const first = new Item();
  auto* const second = new Item();
  EXPECT_NE(first, second);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % alignof(Item), 0u);
  const void* const before = first;
  delete first;
  auto* const third = new Item();
  EXPECT_EQ(before, third);
  delete second;
  delete third;
}

TEST(Pooled, BlocksGoFromThreadToThread) {
  using Item = Item<1>;
  for (int round = 0; round < 200; ++round) {
    std::vector<Item*> items;
    for (uint64_t i = 0; i < 64; ++i) {
      items.push_back(new Item());
      items.back()->words[15] = i;
    }
    EXPECT_EQ(items.size(), std::set(items.begin(), items.end()).size());
    std::atomic<uint64_t> sum = 0;
    std::thread other([&] {
      for (size_t i = 0; i < 32; ++i) {
        sum += items[i]->words[15];
        delete items[i];
      }
    });
    for (size_t i = 32; i < 64; ++i) {
      sum += items[i]->words[15];
      delete items[i];
    }
    other.join();
    EXPECT_EQ(63u * 32, sum);
  }
}

/// A thread gives many at once, and keeps a few: these go back to the heap when it ends.
TEST(Pooled, WhatAnotherThreadGivesBackIsUsedAgain) {
  using Item = Item<3>;
  std::vector<Item*> items;
  for (int i = 0; i < 64; ++i)
    items.push_back(new Item());
  const std::set<const void*> before(items.begin(), items.end());
  std::thread other([&] {
    for (Item* item : items)
      delete item;
  });
  other.join();
  size_t again = 0;
  for (Item*& item : items) {
    item = new Item();
    again += before.contains(item);
  }
  EXPECT_GE(again, 32u);
  for (Item* item : items)
    delete item;
}

#if __has_feature(address_sanitizer)
TEST(PooledDeathTest, FreeBlocksMayNotBeUsed) {
  using Item = Item<2>;
  auto* const item = new Item();
  volatile uint64_t* const words = item->words;
  words[7] = 1;
  delete item;
  EXPECT_DEATH(words[7] = 2, "use-after-poison");
}
#endif

} // namespace
} // namespace quern::runtime
