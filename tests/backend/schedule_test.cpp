#include "devices/cpu/schedule.h"

#include <cstddef>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "command_probe.h"

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
    cpu::Job job(3);
    publish(workers.team(), job, cost);
    EXPECT_EQ(workers.choose(3), cost == small ? Units({1}) : Units({1, 0, 2}));
    withdraw(workers.team(), job);
  }
}

TEST(ScheduleTest, whateverElseThereIsToDoWakesThreads) {
  TeamOfWorkers workers({Phase::Sleeping, Phase::Sleeping});
  cpu::Job job(2), other(2);
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
    cpu::Job job(2);
    publish(workers.team(), job, small);
    woken += static_cast<int>(workers.choose(1).size());
    withdraw(workers.team(), job);
  }
  EXPECT_EQ(woken, 1);
}

/// A copy that takes one thread `microseconds`, by what copies are reckoned to take.
class CopyJob {
public:
  CopyJob(double microseconds, uint32_t threads)
      : job(threads), bytes_(static_cast<size_t>(microseconds * 40'000)),
        command_(device::Copy{{.host = bytes_.data()}, {.host = bytes_.data()}, bytes_.size()}) {
    job.open(command_, threads);
  }
  cpu::Job job;

private:
  std::vector<std::byte> bytes_;
  CommandProbe command_;
};

/// The least of its time divided by the threads, and 1.5 us for each of them.
TEST(ScheduleTest, aJobIsDealtToAsManyThreadsAsMakeItShorter) {
  for (const auto& [microseconds, threads] :
       {std::pair(10, 3u), std::pair(100, 8u), std::pair(250, 13u), std::pair(1000, 16u)}) {
    CopyJob copy(microseconds, 16);
    EXPECT_EQ(copy.job.ranges(), threads) << microseconds;
  }
  EXPECT_EQ(CopyJob(1, 16).job.ranges(), 1u); // one piece
  EXPECT_EQ(CopyJob(10, 2).job.ranges(), 2u);
}

TEST(ScheduleTest, moreThreadsJoinAJobThatIsLongerThanItLooked) {
  TeamOfWorkers workers(std::vector<Phase>(16, Phase::Spinning));
  cpu::Team& team = workers.team();
  CopyJob copy(10, 16);
  publish(team, copy.job, copy.job.cost());
  size_t joined = 1; // who opened it
  const auto joinAll = [&] {
    while (takeAsWorker(workers.schedule, 0).job)
      ++joined;
  };
  joinAll();
  EXPECT_EQ(joined, 3u);
  EXPECT_EQ(team.openJobs.load(), 0u);
  EXPECT_EQ(usefulHelp(team), 0u);
  // Another takes the place of one that leaves.
  leaveJob(team, copy.job);
  --team.active;
  EXPECT_EQ(team.openJobs.load(), 1u);
  joinAll();
  EXPECT_EQ(joined, 4u);
  openToAll(team, copy.job);
  EXPECT_EQ(team.openJobs.load(), 1u);
  EXPECT_EQ(usefulHelp(team), 2u);
  joinAll();
  EXPECT_EQ(copy.job.participants, 16u);
  EXPECT_EQ(team.openJobs.load(), 0u);
  withdraw(team, copy.job);
  EXPECT_EQ(team.openJobs.load(), 0u);
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
