#include "devices/cpu/schedule.h"

#include <gtest/gtest.h>

namespace quern::test {
namespace {

using cpu::Phase;

/// A team of all the workers of a schedule, one for each of `phases`.
struct TeamOfWorkers {
  explicit TeamOfWorkers(const std::vector<Phase>& phases) {
    std::vector<uint32_t> units;
    for (const Phase phase : phases) {
      units.push_back(static_cast<uint32_t>(units.size()));
      schedule.workers.push_back(std::make_unique<cpu::Worker>(units.back()));
      schedule.workers.back()->phase = phase;
    }
    schedule.idle.store(static_cast<uint32_t>(units.size()));
    const auto count = static_cast<uint32_t>(units.size());
    schedule.teams.push_back(std::make_unique<cpu::Team>(std::move(units), count, true));
  }
  cpu::Team& team() { return *schedule.teams.front(); }
  std::vector<uint32_t> choose(uint32_t count) {
    std::vector<uint32_t> units;
    for (const cpu::Wake& wake : chooseIdle(schedule, team(), count))
      units.push_back(wake.worker->unit);
    return units;
  }

  cpu::Schedule schedule;
};

using Units = std::vector<uint32_t>;

TEST(ScheduleTest, workersThatNeedNoWakingComeFirst) {
  TeamOfWorkers workers({Phase::NotStarted, Phase::Sleeping, Phase::Spinning, Phase::Busy});
  EXPECT_EQ(workers.choose(2), Units({2, 1}));
  EXPECT_EQ(workers.choose(4), Units({0}));
}

// Each of them is a thread that will take the work, or a part of it.
TEST(ScheduleTest, threadsOnTheirWayAreCounted) {
  TeamOfWorkers workers({Phase::Sleeping, Phase::Sleeping, Phase::Sleeping});
  workers.team().watching = 1;
  EXPECT_EQ(workers.choose(1), Units({0}));
  EXPECT_EQ(workers.choose(3), Units({1}));
  EXPECT_EQ(workers.choose(3), Units());
  workers.team().watching = 0;
  EXPECT_EQ(workers.choose(3), Units({2}));
  EXPECT_EQ(workers.schedule.idle.load(), 0u);
}

constexpr double small = 10'000, large = 100'000, unknown = 0;

TEST(ScheduleTest, nobodyIsWokenForASmallJob) {
  for (const double cost : {small, large, unknown}) {
    TeamOfWorkers workers({Phase::Sleeping, Phase::Spinning, Phase::NotStarted});
    cpu::Job job;
    publish(workers.team(), job, cost);
    EXPECT_EQ(workers.choose(3), cost == small ? Units({1}) : Units({1, 0, 2}));
    withdraw(workers.team(), job);
  }
}

TEST(ScheduleTest, whateverElseThereIsToDoWakesThreads) {
  TeamOfWorkers workers({Phase::Sleeping, Phase::Sleeping});
  cpu::Job job, other;
  publish(workers.team(), job, small);
  EXPECT_EQ(workers.choose(1), Units());
  workers.team().pending = 1;
  EXPECT_EQ(workers.choose(1), Units({0}));
  workers.team().pending = 0;
  EXPECT_EQ(workers.choose(1), Units());
  publish(workers.team(), other, large);
  EXPECT_EQ(workers.choose(1), Units({1}));
}

// So that programs that launch small kernels all the time do it with all threads.
TEST(ScheduleTest, oneOfManySmallJobsWakesThreads) {
  TeamOfWorkers workers({Phase::Sleeping, Phase::Sleeping});
  int woken = 0;
  for (int i = 0; i < 15; ++i) {
    cpu::Job job;
    publish(workers.team(), job, small);
    woken += static_cast<int>(workers.choose(1).size());
    withdraw(workers.team(), job);
  }
  EXPECT_EQ(woken, 1);
}

// Threads of the parent that watched are not there in the child of a fork.
TEST(ScheduleTest, nobodyWatchesAfterAFork) {
  TeamOfWorkers workers({Phase::NotStarted, Phase::NotStarted});
  workers.team().watching = 2;
  EXPECT_EQ(workers.choose(1), Units());
  forgetThreads(workers.schedule);
  EXPECT_EQ(workers.choose(1), Units({0}));
}

} // namespace
} // namespace quern::test
