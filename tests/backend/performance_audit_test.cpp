// Which of two versions of a kernel is faster, found while both run
// (devices/cpu/performance_audit.h).
#include "devices/cpu/performance_audit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "devices/cpu/executable.h"
#include "loaded_kernel.h"

namespace quern::test {
namespace {

using cpu::PerformanceAudit;

class PerformanceAuditTest : public testing::Test {
protected:
  /// Takes turns until there is a winner, at most `most`. The time of each is that of the version
  /// for the turn of that number.
  void take(uint64_t most, const std::function<double(const cpu::Kernel&, uint64_t)>& timeOf) {
    for (turns = 0; turns < most && !audit.winner(); ++turns) {
      const PerformanceAudit::Turn turn = audit.next();
      audit.note(turn, static_cast<uint64_t>(1e6 * timeOf(audit.versionOf(turn), turns)), 1000,
                 true);
    }
  }

  cpu::Kernel old, other;
  PerformanceAudit audit{old, other, "the other"};
  uint64_t turns = 0;
};

TEST_F(PerformanceAuditTest, TheFasterVersionWins) {
  take(1000, [&](const auto& version, uint64_t) { return &version == &other ? 9.0 : 10.0; });
  EXPECT_EQ(audit.winner(), &other);
}

TEST_F(PerformanceAuditTest, TheOlderVersionStaysWhereTheyAreAlike) {
  take(1000, [&](const auto& version, uint64_t) { return &version == &other ? 9.8 : 10.0; });
  EXPECT_EQ(audit.winner(), &old);
}

TEST_F(PerformanceAuditTest, MuchSlowerVersionsLoseSoon) {
  take(1000, [&](const auto& version, uint64_t) { return &version == &other ? 90.0 : 10.0; });
  EXPECT_EQ(audit.winner(), &old);
  EXPECT_LE(turns, 8u);
}

// Each work-item takes as long as those beside it, and a thousand times as long as others.
TEST_F(PerformanceAuditTest, ComparesWhatRunsSideBySide) {
  take(1000, [&](const auto& version, uint64_t turn) {
    return std::exp2(static_cast<double>(turn / 8 % 10)) * (&version == &other ? 0.8 : 1.0);
  });
  EXPECT_EQ(audit.winner(), &other);
}

// Two kinds of launches take turns, of which one does much more.
TEST_F(PerformanceAuditTest, LaunchesThatTakeTurnsFavourNobody) {
  for (const uint64_t period : {2, 3, 4}) {
    PerformanceAudit alike(old, other, "the other");
    for (uint64_t turn = 0; turn < 1000 && !alike.winner(); ++turn)
      alike.note(alike.next(), turn % period == 0 ? 100'000'000 : 1'000'000, 1, true);
    EXPECT_EQ(alike.winner(), &old) << period;
  }
}

// One that is faster mostly, and slow where it matters.
TEST_F(PerformanceAuditTest, TheSumOfTimesCountsToo) {
  take(1000, [&](const auto& version, uint64_t turn) {
    const bool isLong = turn / 2 % 5 == 4;
    return (isLong ? 100.0 : 1.0) * (&version == &old ? 1 : isLong ? 2 : 0.5);
  });
  EXPECT_EQ(audit.winner(), &old);
}

TEST_F(PerformanceAuditTest, NoiseDecidesNothing) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(0.5, 1.5);
  unsigned changes = 0;
  for (unsigned i = 0; i < 200; ++i) {
    PerformanceAudit alike(old, other, "the other");
    while (!alike.winner())
      alike.note(alike.next(), static_cast<uint64_t>(1e6 * noise(random)), 1, true);
    changes += alike.winner() == &other;
  }
  EXPECT_LE(changes, 10u);
}

// The first calls of new code take longer, and so do its first work-items.
TEST_F(PerformanceAuditTest, NewCodeWarmsUp) {
  uint64_t calls = 0;
  while (!audit.winner()) {
    const PerformanceAudit::Turn turn = audit.next();
    const bool isOther = &audit.versionOf(turn) == &other;
    calls += isOther;
    audit.note(turn, isOther ? (calls < 10 ? 40'000 : 10'000) : 20'000, 100, true);
  }
  EXPECT_EQ(audit.winner(), &other);
}

TEST_F(PerformanceAuditTest, ShortTurnsDecideNothing) {
  uint64_t calls = 0;
  for (; calls < 100'000 && !audit.winner(); ++calls) {
    const PerformanceAudit::Turn turn = audit.next();
    audit.note(turn, &audit.versionOf(turn) == &other ? 1'000 : 9'000, 100, false);
  }
  EXPECT_EQ(audit.winner(), &old);
}

TEST_F(PerformanceAuditTest, TurnsThatNobodyEndsAreForgotten) {
  for (unsigned i = 0; i < 100; ++i)
    audit.next();
  take(1000, [&](const auto& version, uint64_t) { return &version == &other ? 0.0 : 10.0; });
  EXPECT_EQ(audit.winner(), nullptr);
  take(1000, [&](const auto& version, uint64_t) { return &version == &other ? 5.0 : 10.0; });
  EXPECT_EQ(audit.winner(), &other);
}

class VersionsTest : public KernelTest {
protected:
  Ref<device::Executable> loadAs(const std::string& symbol, uint64_t rangeLimit = 0,
                                 const abi::LaunchFacts& facts = {}) {
    abi::KernelDescription description = describe(symbol, 12);
    description.name = "k";
    description.facts = facts;
    description.rangeLimit = rangeLimit;
    return load(description);
  }

  /// What a launch of so many groups adds to each counter.
  std::vector<uint32_t> countsFor(const Ref<device::Executable>& executable, uint64_t global,
                                  uint32_t rounds) {
    const auto out = allocateWith(std::vector<uint32_t>(global, 0));
    EXPECT_EQ(run(device::LaunchKernel{executable,
                                       0,
                                       {.global = {global, 1, 1}},
                                       Arguments().add(out->address()).add(rounds).bytes}),
              CL_COMPLETE);
    return values<uint32_t>(out);
  }

  /// What all counters get in many launches in a row; 0 where that changes for ever.
  uint32_t settled(const Ref<device::Executable>& executable, uint64_t global, uint32_t rounds) {
    constexpr unsigned enough = 70, most = 10000;
    uint32_t last = 0;
    unsigned alike = 0;
    for (unsigned i = 0; i < most && alike < enough; ++i) {
      const std::vector<uint32_t> counts = countsFor(executable, global, rounds);
      EXPECT_TRUE(
          std::ranges::all_of(counts, [](uint32_t count) { return count == 1 || count == 1000; }));
      alike = counts == std::vector<uint32_t>(global, last) ? alike + 1 : 0;
      last = counts.front();
    }
    return alike == enough ? last : 0;
  }
};

// A second specialisation for the same launches, in launches of many groups and of one.
TEST_F(VersionsTest, TheFasterOfTwoSpecialisationsRuns) {
  for (const uint64_t global : {1, 5000})
    for (const bool isSlowLast : {true, false}) {
      const auto executable = loadAs("count_slowly");
      ASSERT_TRUE(executable
                      ->addSpecialisation(0,
                                          loadAs(isSlowLast ? "count_thousands" : "count_slowly"),
                                          device::Adoption::AtOnce)
                      .ok());
      ASSERT_TRUE(executable
                      ->addSpecialisation(0,
                                          loadAs(isSlowLast ? "count_slowly" : "count_thousands"),
                                          device::Adoption::AtOnce)
                      .ok());
      EXPECT_EQ(settled(executable, global, 2000), 1000u) << global << " " << isSlowLast;
    }
}

// The first one, too, must not be slower than the baseline code.
TEST_F(VersionsTest, TheBaselineCodeRunsOnWhereItIsFaster) {
  for (const uint64_t global : {1, 5000})
    for (const bool isBetter : {true, false}) {
      const auto executable = loadAs(isBetter ? "count_slowly" : "count_thousands");
      ASSERT_TRUE(executable
                      ->addSpecialisation(0, loadAs(isBetter ? "count_thousands" : "count_slowly"),
                                          device::Adoption::UnlessSlower)
                      .ok());
      EXPECT_EQ(settled(executable, global, 2000), 1000u) << global << " " << isBetter;
    }
}

// Launches for which it was made run what else there is for them.
TEST_F(VersionsTest, WhatIsSlowerThanTheBaselineCodeIsPassedOver) {
  const abi::LaunchFacts disjoint = {.disjointMemory = true};
  const auto executable = loadAs("count_slowly");
  const cpu::Kernel& kernel = static_cast<const cpu::Executable&>(*executable).kernel(0);
  const device::LaunchKernel launch{executable, 0, {.global = {64, 1, 1}, .local = {1, 1, 1}}, {}};
  const auto symbolOf = [](const cpu::Version& version) {
    EXPECT_EQ(version.audit, nullptr);
    return version.kernel->description.entrySymbol;
  };
  ASSERT_TRUE(
      executable
          ->addSpecialisation(0, loadAs("count_items", 0, disjoint), device::Adoption::UnlessSlower)
          .ok());
  cpu::PerformanceAudit* const audit = kernel.versionFor(launch, disjoint, 1).audit;
  ASSERT_NE(audit, nullptr);
  ASSERT_EQ(&audit->challenger(), &kernel);
  while (!audit->winner()) {
    const PerformanceAudit::Turn turn = audit->next();
    audit->note(turn, &audit->versionOf(turn) == &kernel ? 1'000'000 : 9'000'000, 1000, true);
  }
  EXPECT_EQ(symbolOf(kernel.versionFor(launch, disjoint, 1)), "count_slowly");
  ASSERT_TRUE(
      executable->addSpecialisation(0, loadAs("count_thousands"), device::Adoption::AtOnce).ok());
  EXPECT_EQ(symbolOf(kernel.versionFor(launch, disjoint, 1)), "count_thousands");
  EXPECT_EQ(symbolOf(kernel.versionFor(launch, {}, 1)), "count_thousands");
}

// Code that relies on more than other code must not be slower than that, not only than the
// baseline.
TEST_F(VersionsTest, WhatIsSlowerThanMoreGeneralCodeIsPassedOver) {
  const abi::LaunchFacts disjoint = {.disjointMemory = true};
  abi::LaunchFacts more = disjoint;
  more.constants.add({0, 7});
  const auto executable = loadAs("count_slowly");
  const cpu::Kernel& kernel = static_cast<const cpu::Executable&>(*executable).kernel(0);
  const device::LaunchKernel launch{executable, 0, {.global = {64, 1, 1}, .local = {1, 1, 1}}, {}};
  const auto versionFor = [&](const abi::LaunchFacts& facts) {
    return kernel.versionFor(launch, facts, 1);
  };
  const std::map<std::string, uint64_t> nanoseconds = {{"count_slowly", 9'000'000},
                                                       {"count_items", 1'000'000},
                                                       {"count_calls", 500'000},
                                                       {"count_thousands", 4'000'000}};
  const auto settle = [&](const abi::LaunchFacts& facts) {
    std::set<std::string> compared;
    for (cpu::Version version = versionFor(facts); version.audit; version = versionFor(facts)) {
      const PerformanceAudit::Turn turn = version.audit->next();
      const std::string& symbol = version.audit->versionOf(turn).description.entrySymbol;
      compared.insert(symbol);
      version.audit->note(turn, nanoseconds.at(symbol), 1000, true);
    }
    return compared;
  };
  using Symbols = std::set<std::string>;
  const auto add = [&](const char* symbol, const abi::LaunchFacts& facts) {
    ASSERT_TRUE(
        executable->addSpecialisation(0, loadAs(symbol, 0, facts), device::Adoption::UnlessSlower)
            .ok());
  };
  add("count_items", disjoint);
  EXPECT_EQ(settle(disjoint), (Symbols{"count_items", "count_slowly"}));
  add("count_thousands", more);
  EXPECT_EQ(settle(more), (Symbols{"count_items", "count_thousands"}));
  for (const abi::LaunchFacts& facts : {disjoint, more})
    EXPECT_EQ(versionFor(facts).kernel->description.entrySymbol, "count_items");
  EXPECT_EQ(versionFor({}).kernel, &kernel);
  // Better general code that comes later is for them, too.
  add("count_calls", disjoint);
  EXPECT_EQ(settle(more), (Symbols{"count_items", "count_calls"}));
  for (const abi::LaunchFacts& facts : {disjoint, more})
    EXPECT_EQ(versionFor(facts).kernel->description.entrySymbol, "count_calls");
}

// The last is added before anything is known of the others, as from the cache.
TEST_F(VersionsTest, TheFastestOfSeveralSpecialisationsRuns) {
  const auto executable = loadAs("count_slowly");
  for (const char* symbol : {"count_slowly", "count_thousands", "count_slowly"})
    ASSERT_TRUE(executable->addSpecialisation(0, loadAs(symbol), device::Adoption::AtOnce).ok());
  EXPECT_EQ(settled(executable, 1, 2000), 1000u);
}

TEST_F(VersionsTest, OnlyThoseTakeTurnsThatCanRunTheLaunch) {
  const auto executable = loadAs("count_slowly");
  ASSERT_TRUE(
      executable->addSpecialisation(0, loadAs("count_slowly"), device::Adoption::AtOnce).ok());
  ASSERT_TRUE(
      executable->addSpecialisation(0, loadAs("count_thousands", 64), device::Adoption::AtOnce)
          .ok());
  for (unsigned i = 0; i < 200; ++i)
    EXPECT_EQ(countsFor(executable, 100, 10), std::vector<uint32_t>(100, 1));
  EXPECT_EQ(settled(executable, 60, 2000), 1000u);
  EXPECT_EQ(countsFor(executable, 100, 10), std::vector<uint32_t>(100, 1));
}

} // namespace
} // namespace quern::test
