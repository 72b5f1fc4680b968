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
