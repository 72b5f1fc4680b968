#include "runtime/build_threads.h"

#include <atomic>
#include <latch>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

// Threads may still be ending when a test returns: what they use is never destroyed, or is theirs
// as well.
BuildThreads& threads() {
  static auto* instance = new BuildThreads();
  return *instance;
}

TEST(BuildThreads, RunsEveryBuildOnce) {
  constexpr int count = 200;
  const auto done = std::make_shared<std::latch>(count);
  std::atomic<int> runs{0};
  for (int i = 0; i < count; ++i)
    threads().post([&runs, done] {
      ++runs;
      done->count_down();
    });
  done->wait();
  EXPECT_EQ(runs, count);
}

TEST(BuildThreads, OneThreadRunsBuildsInTheirOrder) {
  static auto* one = new BuildThreads({.most = 1, .name = "one", .niceness = 1});
  const auto done = std::make_shared<std::latch>(1);
  std::vector<int> order; // only seen by that thread before the latch
  for (int i = 0; i < 50; ++i)
    one->post([&order, i] { order.push_back(i); });
  one->post([done] { done->count_down(); });
  done->wait();
  std::vector<int> expected(50);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(BuildThreads, ABuildMayPostAnother) {
  const auto done = std::make_shared<std::latch>(1);
  threads().post([done] { threads().post([done] { done->count_down(); }); });
  done->wait();
}

} // namespace
} // namespace quern::runtime
