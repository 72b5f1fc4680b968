#include "runtime/build_threads.h"

#include <atomic>
#include <latch>

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

// Threads may still be ending when a test returns, so what they use is never destroyed.
BuildThreads& threads() {
  static auto* instance = new BuildThreads();
  return *instance;
}

TEST(BuildThreads, RunsEveryBuildOnce) {
  constexpr int count = 200;
  auto* done = new std::latch(count);
  std::atomic<int> runs{0};
  for (int i = 0; i < count; ++i)
    threads().post([&runs, done] {
      ++runs;
      done->count_down();
    });
  done->wait();
  EXPECT_EQ(runs, count);
}

TEST(BuildThreads, ABuildMayPostAnother) {
  auto* done = new std::latch(1);
  threads().post([done] { threads().post([done] { done->count_down(); }); });
  done->wait();
}

} // namespace
} // namespace quern::runtime
