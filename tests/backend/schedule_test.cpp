#include "devices/cpu/schedule.h"

#include <cstddef>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "command_probe.h"

namespace quern::test {
namespace {

using UnitNumbers = std::vector<uint32_t>;

UnitNumbers numbersOf(cpu::Units units) {
  UnitNumbers numbers;
  while (!units.isEmpty())
    numbers.push_back(units.pop());
  return numbers;
}

UnitNumbers firstUnits(uint32_t count) {
  UnitNumbers units(count);
  std::iota(units.begin(), units.end(), 0u);
  return units;
}

/// A team of all the workers of a schedule, which rest.
struct TeamOfWorkers {
  explicit TeamOfWorkers(uint32_t count) {
    schedule.addWorkers(count);
    makeTeam(schedule, firstUnits(count), true);
  }
  cpu::Team& team() { return *schedule.teams.front(); }
  UnitNumbers forCommand() { return numbersOf(takeForCommand(schedule, team())); }

  cpu::Schedule schedule;
};

/// A copy that takes one thread `microseconds`, by what copies are reckoned to take, opened by a
/// thread of `team`.
class CopyJob {
public:
  CopyJob(double microseconds, cpu::Team& team)
      : job(team.size()), bytes_(static_cast<size_t>(microseconds * 40'000)),
        command_(device::Copy{{.host = bytes_.data()}, {.host = bytes_.data()}, bytes_.size()}) {
    open(team);
  }
  void open(cpu::Team& team) {
    job.command = &command_;
    job.open(team, team.size());
  }
  cpu::Job job;

private:
  std::vector<std::byte> bytes_;
  CommandProbe command_;
};

TEST(IdleUnitsTest, eachIsTakenOnce) {
  cpu::IdleUnits idle(70);
  cpu::UnitSet allowed(70);
  for (const uint32_t unit : {3u, 5u, 33u, 69u})
    idle.addSpinning(unit);
  idle.addResting(6);
  for (const uint32_t unit : {5u, 3u, 6u, 69u, 68u})
    allowed.add(unit);
  EXPECT_EQ(numbersOf(idle.takeSpinning(0, allowed)), UnitNumbers());
  EXPECT_EQ(numbersOf(idle.takeSpinning(1, allowed)), UnitNumbers({3}));
  EXPECT_EQ(numbersOf(idle.takeSpinning(7, allowed)), UnitNumbers({5}));
  EXPECT_TRUE(idle.moveToRest(69));
  EXPECT_EQ(numbersOf(idle.takeSpinning(7, allowed)), UnitNumbers());
  EXPECT_FALSE(idle.moveToRest(69));
  EXPECT_FALSE(idle.moveToRest(5));
  const cpu::Units resting = idle.takeResting(7, allowed);
  EXPECT_TRUE(resting.areResting);
  EXPECT_EQ(numbersOf(resting), UnitNumbers({6}));
  EXPECT_FALSE(idle.remove(6));
  EXPECT_TRUE(idle.remove(69));
  EXPECT_EQ(numbersOf(idle.takeResting(7, allowed)), UnitNumbers());
  EXPECT_TRUE(idle.remove(33));
}

TEST(IdleUnitsTest, aPartIsTakenFromTheFront) {
  cpu::Units units{.word = 1, .bits = 0b1011'0001};
  EXPECT_EQ(units.count(), 4u);
  EXPECT_EQ(numbersOf(units.popFront(2)), UnitNumbers({32, 36}));
  EXPECT_EQ(numbersOf(units.popFront(0)), UnitNumbers());
  EXPECT_EQ(numbersOf(units.popFront(9)), UnitNumbers({37, 39}));
  EXPECT_TRUE(units.isEmpty());
}

TEST(ScheduleTest, workersThatNeedNoWakingComeFirst) {
  TeamOfWorkers workers(4);
  ASSERT_TRUE(workers.schedule.idle.remove(2));
  workers.schedule.idle.addSpinning(2);
  EXPECT_EQ(workers.forCommand(), UnitNumbers()); // nothing waits
  workers.team().pending = 1;
  EXPECT_EQ(workers.forCommand(), UnitNumbers({2}));
  EXPECT_EQ(workers.forCommand(), UnitNumbers({0}));
}

// They will take the work, or a part of it.
TEST(ScheduleTest, threadsThatRunOrWatchAreCounted) {
  TeamOfWorkers workers(3);
  workers.team().pending = 1;
  workers.team().watching = 1;
  workers.team().active = 2;
  EXPECT_EQ(workers.forCommand(), UnitNumbers());
  workers.team().watching = 0;
  EXPECT_EQ(workers.forCommand(), UnitNumbers({0}));
}

constexpr double small = 10'000, large = 100'000, unknown = 0;

TEST(ScheduleTest, nobodyIsWokenForASmallJob) {
  for (const double cost : {small, large, unknown}) {
    TeamOfWorkers workers(3);
    CopyJob copy(1000, workers.team());
    ASSERT_TRUE(publish(workers.schedule, copy.job, cost));
    EXPECT_EQ(copy.job.wakes.load(), cost != small);
  }
}

// So that programs that launch small kernels all the time do it with all threads.
TEST(ScheduleTest, oneOfManySmallJobsWakesThreads) {
  TeamOfWorkers workers(2);
  int woken = 0;
  for (int i = 0; i < 15; ++i) {
    CopyJob copy(1000, workers.team());
    publish(workers.schedule, copy.job, small);
    woken += static_cast<int>(copy.job.wakes.load());
    withdraw(workers.schedule, copy.job);
  }
  EXPECT_EQ(woken, 1);
}

/// The least of its time divided by the threads, and what each of them costs.
TEST(ScheduleTest, aJobIsDealtToAsManyThreadsAsMakeItShorter) {
  TeamOfWorkers workers(16);
  for (const auto& [microseconds, threads] :
       {std::pair(10, 5u), std::pair(32, 8u), std::pair(85, 13u), std::pair(1000, 16u)}) {
    CopyJob copy(microseconds, workers.team());
    EXPECT_EQ(copy.job.ranges(), threads) << microseconds;
  }
  EXPECT_EQ(CopyJob(1, workers.team()).job.ranges(), 1u); // one piece
  TeamOfWorkers two(2);
  EXPECT_EQ(CopyJob(10, two.team()).job.ranges(), 2u);
}

TEST(ScheduleTest, moreThreadsJoinAJobThatIsLongerThanItLooked) {
  TeamOfWorkers workers(16);
  cpu::Team& team = workers.team();
  team.active = 1; // who opens it
  CopyJob copy(10, team);
  EXPECT_FALSE(joinAsWorker(workers.schedule, 0));
  publish(workers.schedule, copy.job, copy.job.cost());
  const auto joinAll = [&] {
    while (joinAsWorker(workers.schedule, 0).job == &copy.job) {
    }
    return copy.job.participants();
  };
  EXPECT_EQ(joinAll(), 5u);
  EXPECT_EQ(team.openJobs.load(), 0);
  // Another takes the place of one that leaves.
  EXPECT_FALSE(copy.job.leave());
  --team.active;
  EXPECT_EQ(team.openJobs.load(), 1);
  EXPECT_EQ(joinAll(), 5u);
  copy.job.letAllIn();
  EXPECT_EQ(team.openJobs.load(), 1);
  EXPECT_EQ(joinAll(), 16u);
  EXPECT_EQ(team.active.load(), 16u);
  EXPECT_EQ(team.openJobs.load(), 0);
  withdraw(workers.schedule, copy.job);
  EXPECT_EQ(team.openJobs.load(), 0);
}

TEST(ScheduleTest, theLastToLeaveAJobEndsIt) {
  TeamOfWorkers workers(16);
  CopyJob copy(1000, workers.team());
  publish(workers.schedule, copy.job, copy.job.cost());
  ASSERT_TRUE(joinAsWorker(workers.schedule, 0));
  // Both have been called away, with pieces left.
  EXPECT_FALSE(copy.job.leave());
  EXPECT_FALSE(copy.job.leave());
  ASSERT_TRUE(joinAsWorker(workers.schedule, 0));
  ASSERT_TRUE(joinAsWorker(workers.schedule, 1));
  withdraw(workers.schedule, copy.job);
  EXPECT_FALSE(joinAsWorker(workers.schedule, 2));
  EXPECT_FALSE(copy.job.leave());
  EXPECT_TRUE(copy.job.leave());
  EXPECT_EQ(workers.team().openJobs.load(), 0);
}

// A thread that has lost its CPU between looking at a job and joining it.
TEST(ScheduleTest, nobodyJoinsAnotherStageThanTheOneItWasInvitedTo) {
  TeamOfWorkers workers(4);
  CopyJob copy(1000, workers.team());
  copy.job.letIn();
  const auto invitation = copy.job.invitation();
  ASSERT_TRUE(invitation);
  EXPECT_TRUE(copy.job.shut());
  EXPECT_FALSE(copy.job.shut());
  EXPECT_FALSE(copy.job.join(*invitation));
  EXPECT_TRUE(copy.job.leave());
  copy.open(workers.team());
  copy.job.letIn();
  EXPECT_FALSE(copy.job.join(*invitation));
  EXPECT_EQ(copy.job.participants(), 1u);
  EXPECT_TRUE(copy.job.join(*copy.job.invitation()));
}

TEST(ScheduleTest, onlyUnitsOfItsTeamJoinAJob) {
  TeamOfWorkers workers(3);
  cpu::Team& half = makeTeam(workers.schedule, {0, 1}, false);
  CopyJob copy(1000, half);
  publish(workers.schedule, copy.job, copy.job.cost());
  EXPECT_FALSE(joinAsWorker(workers.schedule, 2));
  EXPECT_FALSE(joinAsHelper(workers.schedule, half));
  half.active = 2;
  EXPECT_FALSE(joinAsWorker(workers.schedule, 1));
  half.active = 1;
  EXPECT_EQ(joinAsWorker(workers.schedule, 1).team, &half);
}

TEST(ScheduleTest, aJobIsPublishedWhenThereIsRoom) {
  TeamOfWorkers workers(2);
  std::vector<std::unique_ptr<CopyJob>> copies;
  const size_t room = workers.schedule.openings.size();
  for (size_t i = 0; i <= room; ++i) {
    copies.push_back(std::make_unique<CopyJob>(1000, workers.team()));
    EXPECT_EQ(publish(workers.schedule, copies.back()->job, large), i < room);
  }
  EXPECT_EQ(workers.team().openJobs.load(), static_cast<int32_t>(room));
  withdraw(workers.schedule, copies.front()->job);
  EXPECT_TRUE(publish(workers.schedule, copies.back()->job, large));
}

// Threads that look for a job may still look at a team that is gone.
TEST(ScheduleTest, teamsAreUsedAgain) {
  TeamOfWorkers workers(3);
  cpu::Team& half = makeTeam(workers.schedule, {0, 1}, true);
  EXPECT_NE(&makeTeam(workers.schedule, {0, 1}, true), &half);
  half.handles = 0;
  half.active = 1;
  dropIfUnused(workers.schedule, half);
  EXPECT_EQ(workers.schedule.teams.size(), 3u);
  half.active = 0;
  dropIfUnused(workers.schedule, half);
  EXPECT_EQ(workers.schedule.teams.size(), 2u);
  EXPECT_EQ(workers.schedule.onlyTeam.load(), nullptr);
  EXPECT_NE(&makeTeam(workers.schedule, {0, 1}, false), &half);
  EXPECT_NE(&makeTeam(workers.schedule, {1, 2}, true), &half);
  EXPECT_EQ(&makeTeam(workers.schedule, {0, 1}, true), &half);
  EXPECT_EQ(half.handles.load(), 1u);
}

TEST(ScheduleTest, jobsThatThreadsJoinAndLeaveAllTheTimeEndOnce) {
  constexpr uint32_t joiners = 3;
  constexpr int rounds = 2000;
  TeamOfWorkers workers(joiners + 1);
  cpu::Team& team = workers.team();
  CopyJob copy(20, team);
  std::atomic<uint64_t> claimed = 0;
  std::atomic<int> ended = 0;
  // One piece each, so that threads come and go.
  const auto takePart = [&](uint32_t unit) {
    if (const auto claim = copy.job.claim(unit, 1))
      claimed += claim->end - claim->begin;
    else
      withdraw(workers.schedule, copy.job);
    team.active.fetch_sub(1);
    if (copy.job.leave()) {
      ++ended;
      ended.notify_all();
    }
  };
  std::vector<std::jthread> threads;
  for (uint32_t unit = 0; unit < joiners; ++unit)
    threads.emplace_back([&, unit](const std::stop_token& stop) {
      while (!stop.stop_requested())
        if (joinAsWorker(workers.schedule, unit))
          takePart(unit);
        else
          std::this_thread::yield();
    });
  uint64_t pieces = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round > 0)
      copy.open(team);
    pieces += copy.job.pieces();
    team.active.fetch_add(1);
    ASSERT_TRUE(publish(workers.schedule, copy.job, copy.job.cost()));
    takePart(joiners);
    while (ended == round)
      ended.wait(round);
    ASSERT_EQ(ended, round + 1);
  }
  threads.clear();
  EXPECT_EQ(claimed, pieces);
  EXPECT_EQ(team.active.load(), 0u);
  EXPECT_EQ(team.openJobs.load(), 0);
}

// Threads of the parent that watched, took part in a job or were called, are not there in the child
// of a fork.
TEST(ScheduleTest, otherThreadsAreForgottenAfterAFork) {
  TeamOfWorkers workers(2);
  cpu::Team& team = workers.team();
  team.watching = 2;
  team.active = 2;
  team.pending = 1;
  auto& job = *workers.schedule.jobs.emplace_back(std::make_unique<cpu::Job>(2));
  CommandProbe command(device::Fill{.bytes = 1 << 20});
  job.command = &command;
  job.open(team, 2);
  publish(workers.schedule, job, large);
  workers.schedule.idle = cpu::IdleUnits(2);
  EXPECT_EQ(workers.forCommand(), UnitNumbers());
  forgetThreads(workers.schedule, workers.schedule.workers[0].get(), nullptr);
  EXPECT_EQ(workers.schedule.orphans, std::vector<device::Command*>({&command}));
  EXPECT_FALSE(joinAsWorker(workers.schedule, 0));
  EXPECT_EQ(workers.forCommand(), UnitNumbers({1}));
  EXPECT_EQ(workers.forCommand(), UnitNumbers());
}

} // namespace
} // namespace quern::test
