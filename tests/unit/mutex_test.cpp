#include "base/mutex.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/mutex_protected.h"

namespace quern {
namespace {

TEST(Mutex, OneThreadAtATimeHasIt) {
  constexpr int threadCount = 4, rounds = 20'000;
  Mutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < threadCount; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const std::lock_guard lock(mutex);
        ++count;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(count, threadCount * rounds);
}

/// Held for much longer than a thread tries before it blocks.
TEST(Mutex, WakesThoseThatBlock) {
  constexpr int threadCount = 3;
  Mutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  mutex.lock();
  for (int i = 0; i < threadCount; ++i)
    threads.emplace_back([&] {
      const std::lock_guard lock(mutex);
      ++count;
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(count, 0);
  mutex.unlock();
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(count, threadCount);
}

TEST(Mutex, IsReleasedWhileAThreadWaitsForACondition) {
  MutexProtected<bool> isReady(false);
  std::condition_variable_any changed;
  std::thread other([&] {
    *isReady.lock() = true;
    changed.notify_one();
  });
  auto ready = isReady.lock();
  ready.wait(changed, [](bool now) { return now; });
  EXPECT_TRUE(*ready);
  other.join();
}

} // namespace
} // namespace quern
