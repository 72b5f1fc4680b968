// Better code for a kernel, added while its program is in use (device::Executable).
#include "loaded_kernel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "device/launch_facts.h"
#include "devices/cpu/executable.h"

namespace quern::test {
namespace {

class SpecialisationTest : public KernelTest {
protected:
  /// The kernel "k" with the code of `symbol`.
  Ref<device::Executable> loadAs(const std::string& symbol, uint32_t argumentBytes,
                                 const abi::LaunchFacts& facts = {}, uint64_t rangeLimit = 0) {
    abi::KernelDescription description = describe(symbol, argumentBytes);
    description.name = "k";
    description.facts = facts;
    description.rangeLimit = rangeLimit;
    return load(description);
  }

  /// What a launch of `executable` adds to each of its counters.
  std::vector<uint32_t> countsFor(const Ref<device::Executable>& executable, uint64_t global,
                                  uint64_t local, bool disjoint = false, uint64_t offset = 0) {
    const auto out = allocateWith(std::vector<uint32_t>(global, 0));
    device::LaunchKernel launch{
        executable,
        0,
        {.offset = {offset, 0, 0}, .global = {global, 1, 1}, .local = {local, 1, 1}},
        Arguments().add(out->address()).bytes};
    launch.facts = device::factsOf(launch, {}, disjoint);
    EXPECT_EQ(run(std::move(launch)), CL_COMPLETE);
    return values<uint32_t>(out);
  }

  /// The same; they are all the same.
  uint32_t runFor(const Ref<device::Executable>& executable, uint64_t global, uint64_t local,
                  bool disjoint = false, uint64_t offset = 0) {
    const std::vector<uint32_t> counts = countsFor(executable, global, local, disjoint, offset);
    EXPECT_TRUE(std::ranges::all_of(counts, [&](uint32_t n) { return n == counts.front(); }));
    return counts.front();
  }

  /// Runs `executable`, of the kernel "count_when_told", whose first groups wait inside it until
  /// `specialisation` has been added.
  template <typename Memory>
  void runWhileAdding(const Ref<device::Executable>& specialisation,
                      const Ref<device::Executable>& executable, const device::NdRange& range,
                      const Memory& flags, const Memory& out) {
    CommandProbe command(device::LaunchKernel{
        executable, 0, range, Arguments().add(flags->address()).add(out->address()).bytes});
    std::atomic_ref<uint32_t> runs(data<uint32_t>(flags)[0]), go(data<uint32_t>(flags)[1]);
    std::thread adder([&] {
      while (runs.load() == 0)
        std::this_thread::yield();
      EXPECT_TRUE(executable->addSpecialisation(0, specialisation, device::Adoption::AtOnce).ok());
      go.store(1);
    });
    queue->submit(command);
    queue->flush();
    command.wait();
    adder.join();
    EXPECT_EQ(command.status, CL_COMPLETE);
  }
};

TEST(LaunchFacts, HoldWhereAllOfThemDo) {
  const device::LaunchKernel launch{
      nullptr, 0, {.workDim = 2, .global = {64, 30, 1}, .local = {16, 10, 1}}, {}};
  const abi::LaunchFacts known = device::factsOf(launch, {}, true);
  EXPECT_EQ(known, (abi::LaunchFacts{{16, 10, 1}, true, true, true}));
  EXPECT_TRUE(device::hold({}, known));
  EXPECT_TRUE(device::hold(known, known));
  EXPECT_TRUE(device::hold({.wholeGroups = true}, known));
  EXPECT_FALSE(device::hold({.localSize = {16, 5, 1}}, known));
  EXPECT_FALSE(device::hold({.wholeGroups = true}, {.localSize = {16, 10, 1}}));
  EXPECT_FALSE(device::hold({.disjointMemory = true}, {.wholeGroups = true}));
  device::LaunchKernel cut = launch;
  cut.range.global[1] = 31;
  EXPECT_FALSE(device::factsOf(cut, {}, true).wholeGroups);
  device::LaunchKernel moved = launch;
  moved.range.offset[1] = 30;
  EXPECT_FALSE(device::factsOf(moved, {}, true).zeroOffset);
  EXPECT_FALSE(device::hold({.zeroOffset = true}, device::factsOf(moved, {}, true)));
}

TEST(LaunchFacts, SayWhereThereAreFewColumns) {
  abi::KernelDescription description;
  description.flatDimensions = 7;
  const auto columnsOf = [&](std::array<uint64_t, 3> global) {
    const device::LaunchKernel launch{
        nullptr, 0, {.workDim = 3, .global = global, .local = {1, 1, 1}}, {}};
    return device::factsOf(launch, description, false).mostColumns;
  };
  EXPECT_EQ(columnsOf({1, 30, 1}), 1u);
  EXPECT_EQ(columnsOf({3, 1, 30}), 4u);
  EXPECT_EQ(columnsOf({abi::fewColumns, 30, 1}), abi::fewColumns);
  EXPECT_EQ(columnsOf({abi::fewColumns + 1, 30, 1}), 0u);
  EXPECT_EQ(columnsOf({2, 1, 1}), 2u);
  description.flatDimensions = 6;
  EXPECT_EQ(columnsOf({1, 30, 1}), 0u);

  EXPECT_TRUE(device::hold({.mostColumns = 4}, {.mostColumns = 4}));
  EXPECT_TRUE(device::hold({.mostColumns = 4}, {.mostColumns = 2}));
  EXPECT_FALSE(device::hold({.mostColumns = 4}, {.mostColumns = 8}));
  EXPECT_FALSE(device::hold({.mostColumns = 4}, {}));
  EXPECT_EQ(device::describe({.mostColumns = 4}), " for up to 4 work-items in dimension 0");
}

TEST(LaunchFacts, SayHowMuchIsStored) {
  const device::LaunchKernel launch{
      nullptr, 0, {.workDim = 2, .global = {64, 30, 1}, .local = {16, 10, 1}}, {}};
  EXPECT_EQ(device::factsOf(launch, {}, false).storedBytes, 0u);
  abi::KernelDescription description;
  description.storedBytes = 12;
  const abi::LaunchFacts known = device::factsOf(launch, description, false);
  EXPECT_EQ(known.storedBytes, 12u * 64 * 30);
  EXPECT_TRUE(device::hold({.storedBytes = 12u * 64 * 30}, known));
  EXPECT_FALSE(device::hold({.storedBytes = 12u * 64 * 30 + 1}, known));
  EXPECT_EQ(device::describe({.disjointMemory = true, .storedBytes = 7}),
            " for disjoint buffers, and 7 bytes stored or more");
}

TEST_F(SpecialisationTest, RunsTheLaunchesForWhichItsFactsHold) {
  const auto executable = loadAs("count_items", 8);
  const auto add = [&](const abi::LaunchFacts& facts, uint64_t rangeLimit = 0) {
    EXPECT_TRUE(executable
                    ->addSpecialisation(0, loadAs("count_thousands", 8, facts, rangeLimit),
                                        device::Adoption::AtOnce)
                    .ok());
  };
  EXPECT_EQ(runFor(executable, 128, 16), 1u);
  add({.localSize = {16, 1, 1}, .wholeGroups = true});
  EXPECT_EQ(runFor(executable, 128, 16), 1000u);
  EXPECT_EQ(runFor(executable, 128, 32), 1u);
  EXPECT_EQ(runFor(executable, 120, 16), 1u);
  add({.disjointMemory = true});
  EXPECT_EQ(runFor(executable, 120, 16), 1u);
  EXPECT_EQ(runFor(executable, 120, 16, /*disjoint=*/true), 1000u);
  add({}, /*rangeLimit=*/4096);
  EXPECT_EQ(runFor(executable, 120, 16), 1000u);
  EXPECT_EQ(runFor(executable, 120, 16, false, /*offset=*/4096), 1u);
}

// Codes that are compared run tiles that suit both.
TEST_F(SpecialisationTest, TilesAreLongWhereTheCodeThatRunsHasItsPackets) {
  const auto loadAlong = [&](uint32_t dimension) {
    abi::KernelDescription description = describe("count_items", 8);
    description.name = "k";
    description.packetWidth = 16;
    description.flatDimensions = 7;
    description.packetDimension = dimension;
    return load(description);
  };
  const auto tileOf = [](const Ref<device::Executable>& executable) {
    device::LaunchKernel launch{
        executable, 0, {.workDim = 3, .global = {512, 512, 4096}, .local = {1, 1, 1}}, {}};
    launch.facts = device::factsOf(launch, {}, false);
    return static_cast<const cpu::Executable&>(*executable).tilingOf(launch).tile;
  };
  using Tile = std::array<uint64_t, 3>;
  for (const auto& [adoption, expected] : {std::pair{device::Adoption::AtOnce, Tile{16, 16, 4096}},
                                           {device::Adoption::UnlessSlower, Tile{64, 16, 4096}}}) {
    const auto executable = loadAlong(0);
    EXPECT_EQ(tileOf(executable), (Tile{64, 16, 1}));
    ASSERT_TRUE(executable->addSpecialisation(0, loadAlong(2), adoption).ok());
    EXPECT_EQ(tileOf(executable), expected);
  }
}

TEST(LaunchFacts, TakeValuesThatMakeGoodConstants) {
  abi::KernelDescription description;
  description.arguments = {
      {.offset = 0, .bytes = 4}, {.offset = 4, .bytes = 2}, {.offset = 8, .bytes = 8}};
  description.argumentBlockBytes = 16;
  description.constantCandidates = {{0, 32}, {1, UINT64_MAX}, {2, UINT64_MAX}};
  const auto facts = [&](int32_t a, int16_t b, int64_t c) {
    device::LaunchKernel launch;
    launch.arguments = Arguments().add(a).add(b).add(int16_t{77}).add(c).bytes;
    return device::factsOf(launch, description, false);
  };
  const abi::LaunchFacts all = facts(-32, -3, INT64_MIN);
  ASSERT_EQ(all.constants.size(), 3u);
  EXPECT_EQ(all.constants[0], (abi::KnownArgument{0, -32}));
  EXPECT_EQ(all.constants[1], (abi::KnownArgument{1, -3}));
  EXPECT_EQ(all.constants[2], (abi::KnownArgument{2, INT64_MIN}));
  const abi::LaunchFacts two = facts(33, -3, INT64_MIN);
  EXPECT_EQ(two.constants.size(), 2u);
  EXPECT_TRUE(device::hold(two, all));
  EXPECT_FALSE(device::hold(all, two));
  EXPECT_FALSE(device::hold(all, facts(-32, -4, INT64_MIN)));
}

/// Of kernels that better code can be made for.
TEST(LaunchFacts, TakeSamplers) {
  abi::KernelDescription description;
  description.arguments = {{.kind = abi::ArgumentKind::Sampler, .offset = 0, .bytes = 8}};
  description.argumentBlockBytes = 8;
  const auto facts = [&](uint64_t sampler) {
    device::LaunchKernel launch;
    launch.arguments = Arguments().add(sampler).bytes;
    return device::factsOf(launch, description, false);
  };
  EXPECT_EQ(facts(5).objects.size(), 0u);
  description.isFirstVersion = true;
  ASSERT_EQ(facts(5).objects.size(), 1u);
  EXPECT_EQ(facts(5).objects[0], (abi::KnownArgument{0, 5}));
  EXPECT_TRUE(device::hold(facts(5), facts(5)));
  EXPECT_FALSE(device::hold(facts(5), facts(6)));
  EXPECT_TRUE(device::hold({}, facts(6)));
}

/// Also before later ones that rely on less.
TEST_F(SpecialisationTest, ForValuesOfArgumentsRunOnlyThoseLaunches) {
  abi::KernelDescription description = describe("count_items", 16);
  description.name = "k";
  description.arguments = {{.kind = abi::ArgumentKind::Global, .offset = 0, .bytes = 8},
                           {.offset = 8, .bytes = 4}};
  description.constantCandidates = {{1, UINT64_MAX}};
  const auto executable = load(description);
  description.entrySymbol = "count_thousands";
  description.facts.constants.add({1, -5});
  ASSERT_TRUE(executable->addSpecialisation(0, load(description), device::Adoption::AtOnce).ok());
  ASSERT_TRUE(
      executable->addSpecialisation(0, loadAs("count_items", 16), device::Adoption::AtOnce).ok());
  const auto runWith = [&](int32_t value) {
    const auto out = allocateWith(std::vector<uint32_t>(64, 0));
    device::LaunchKernel launch{executable,
                                0,
                                {.global = {64, 1, 1}, .local = {16, 1, 1}},
                                Arguments().add(out->address()).add(value).add(int32_t{0}).bytes};
    launch.facts = device::factsOf(launch, description, false);
    EXPECT_EQ(run(std::move(launch)), CL_COMPLETE);
    return values<uint32_t>(out).back();
  };
  EXPECT_EQ(runWith(-5), 1000u);
  EXPECT_EQ(runWith(5), 1u);
}

/// Where the facts of both hold, whichever was made first.
TEST_F(SpecialisationTest, TheOneThatReliesOnMoreGoesFirst) {
  const abi::LaunchFacts groups = {.localSize = {16, 1, 1}};
  abi::LaunchFacts wholeGroups = groups;
  wholeGroups.wholeGroups = true;
  for (const bool generalLast : {true, false}) {
    const auto executable = loadAs("count_items", 8);
    const auto add = [&](const char* symbol, const abi::LaunchFacts& facts) {
      ASSERT_TRUE(
          executable->addSpecialisation(0, loadAs(symbol, 8, facts), device::Adoption::AtOnce)
              .ok());
    };
    if (!generalLast)
      add("count_items", {});
    add("count_thousands", wholeGroups);
    add("count_items", groups);
    if (generalLast)
      add("count_items", {});
    EXPECT_EQ(runFor(executable, 128, 16), 1000u) << generalLast;
    EXPECT_EQ(runFor(executable, 120, 16), 1u) << generalLast;
    EXPECT_EQ(runFor(executable, 128, 32), 1u) << generalLast;
  }
}

TEST(LaunchFacts, AreMoreWhereTheyHoldForFewerLaunches) {
  const abi::LaunchFacts groups = {.localSize = {16, 1, 1}};
  abi::LaunchFacts wholeGroups = groups;
  wholeGroups.wholeGroups = true;
  EXPECT_TRUE(device::areMore(groups, {}));
  EXPECT_TRUE(device::areMore(wholeGroups, groups));
  EXPECT_TRUE(device::areMore({.storedBytes = 9}, {.storedBytes = 8}));
  EXPECT_FALSE(device::areMore(groups, wholeGroups));
  EXPECT_FALSE(device::areMore(groups, groups));
  EXPECT_FALSE(device::areMore({}, {}));
  EXPECT_FALSE(device::areMore({.disjointMemory = true}, groups));
}

TEST_F(SpecialisationTest, TheLatestGoesFirst) {
  const auto executable = loadAs("count_items", 8);
  ASSERT_TRUE(
      executable->addSpecialisation(0, loadAs("count_thousands", 8), device::Adoption::AtOnce)
          .ok());
  ASSERT_TRUE(executable
                  ->addSpecialisation(0, loadAs("count_items", 8, {.disjointMemory = true}),
                                      device::Adoption::AtOnce)
                  .ok());
  EXPECT_EQ(runFor(executable, 64, 64, true), 1u);
  EXPECT_EQ(runFor(executable, 64, 64, false), 1000u);
}

TEST_F(SpecialisationTest, MustBeTheSameKernelWithTheSameArguments) {
  const auto executable = loadAs("count_items", 8);
  EXPECT_EQ(
      executable
          ->addSpecialisation(0, load(describe("count_thousands", 8)), device::Adoption::AtOnce)
          .code(),
      CL_INVALID_BINARY);
  EXPECT_EQ(
      executable->addSpecialisation(0, loadAs("count_thousands", 16), device::Adoption::AtOnce)
          .code(),
      CL_INVALID_BINARY);
  abi::KernelDescription description = describe("count_thousands", 8);
  description.name = "k";
  description.localBytes = 8;
  EXPECT_EQ(executable->addSpecialisation(0, load(description), device::Adoption::AtOnce).code(),
            CL_INVALID_BINARY);
  EXPECT_EQ(runFor(executable, 64, 64), 1u);
}

TEST_F(SpecialisationTest, RunsWhereTheDeviceHasTheMemoryForItsContext) {
  const auto executable = loadAs("count_items", 8);
  abi::KernelDescription description = describe("count_thousands", 8);
  description.name = "k";
  description.contextItemBytes = uint64_t{64} << 20;
  ASSERT_TRUE(executable->addSpecialisation(0, load(description), device::Adoption::AtOnce).ok());
  EXPECT_EQ(runFor(executable, 64, 1), 1000u);
  EXPECT_EQ(runFor(executable, 4096, 4096), 1u);
}

TEST_F(SpecialisationTest, MustNotSeeWorkGroupsThatTheKernelDoesNot) {
  abi::KernelDescription description = describe("count_items", 8);
  description.name = "k";
  description.flatDimensions = 1;
  const auto executable = load(description);
  EXPECT_EQ(executable->addSpecialisation(0, loadAs("count_thousands", 8), device::Adoption::AtOnce)
                .code(),
            CL_INVALID_BINARY);
  description.entrySymbol = "count_thousands";
  description.flatDimensions = 7;
  EXPECT_TRUE(executable->addSpecialisation(0, load(description), device::Adoption::AtOnce).ok());
}

// The specialisation needs more memory.
TEST_F(SpecialisationTest, TakesOverLaunchesThatRun) {
  constexpr uint32_t groups = 4096;
  const auto executable = loadAs("count_when_told", 16);
  abi::KernelDescription description = describe("count_thousands_behind", 16);
  description.name = "k";
  description.contextItemBytes = uint32_t{1} << 20;
  const auto specialisation = load(description);
  const auto flags = allocateWith(std::vector<uint32_t>(3, 0));
  const auto out = allocateWith(std::vector<uint32_t>(groups, 0));
  runWhileAdding(specialisation, executable,
                 {.workDim = 2, .global = {1, groups, 1}, .local = {1, 1, 1}}, flags, out);
  // All work-items have id 0 in dimension 0.
  const uint32_t sum = values<uint32_t>(out).front();
  EXPECT_EQ(sum % 1000 + sum / 1000, groups);
  EXPECT_GE(sum % 1000, 1u);
  EXPECT_GT(sum / 1000, groups / 2);
  EXPECT_EQ(values<uint32_t>(flags)[2], description.contextItemBytes);
}

// The same where all groups are in one row: each thread asks for better code after its first one.
TEST_F(SpecialisationTest, TakesOverSmallLaunchesThatTakeLong) {
  constexpr uint32_t groups = 512;
  const auto executable = loadAs("count_when_told", 16);
  executable->setHotnessTrigger(0, UINT64_MAX / 2, [](const device::LaunchKernel&) {});
  const auto specialisation = loadAs("count_thousands_behind", 16);
  const auto flags = allocateWith(std::vector<uint32_t>(3, 0));
  const auto out = allocateWith(std::vector<uint32_t>(groups, 0));
  runWhileAdding(specialisation, executable, {.global = {groups, 1, 1}, .local = {1, 1, 1}}, flags,
                 out);
  const std::vector<uint32_t> counts = values<uint32_t>(out);
  const auto baseline = std::ranges::count(counts, 1u);
  EXPECT_EQ(baseline + std::ranges::count(counts, 1000u), groups);
  EXPECT_GE(baseline, 1);
  EXPECT_LT(baseline, groups / 2);
}

// Each thread's rows are more than a number of tiles could double.
TEST_F(SpecialisationTest, LaunchesOfManyQuickRowsEndWithoutBetterCode) {
  const auto executable = loadAs("count_items", 8);
  executable->setHotnessTrigger(0, UINT64_MAX / 2, [](const device::LaunchKernel&) {});
  constexpr uint64_t rows = 20000;
  const auto out = allocateWith(std::vector<uint32_t>(rows, 0));
  EXPECT_EQ(run(device::LaunchKernel{executable,
                                     0,
                                     {.workDim = 2, .global = {1, rows, 1}, .local = {1, 1, 1}},
                                     Arguments().add(out->address()).bytes}),
            CL_COMPLETE);
  EXPECT_EQ(values<uint32_t>(out), std::vector<uint32_t>(rows, 1));
}

TEST_F(SpecialisationTest, ManyThreadsMayAddWhileOthersLaunch) {
  const auto executable = loadAs("count_items", 8);
  std::vector<std::thread> adders;
  for (uint64_t size : {8, 16, 32, 64})
    adders.emplace_back([&, size] {
      for (int i = 0; i < 20; ++i)
        EXPECT_TRUE(
            executable
                ->addSpecialisation(0, loadAs("count_thousands", 8, {.localSize = {size, 1, 1}}),
                                    device::Adoption::AtOnce)
                .ok());
    });
  // The specialisation may take over within a launch.
  for (int i = 0; i < 200; ++i)
    for (uint32_t count : countsFor(executable, 512, 64))
      EXPECT_TRUE(count == 1 || count == 1000) << count;
  for (std::thread& adder : adders)
    adder.join();
  EXPECT_EQ(runFor(executable, 512, 64), 1000u);
}

TEST_F(SpecialisationTest, AHotnessTriggerReportsOnce) {
  const auto executable = loadAs("uneven", 12);
  std::atomic<int> reports = 0;
  std::atomic<uint64_t> local = 0;
  const auto launch = [&](uint32_t rounds) {
    const auto out = allocate(64 * 8);
    EXPECT_EQ(run(device::LaunchKernel{executable,
                                       0,
                                       {.global = {64, 1, 1}},
                                       Arguments().add(out->address()).add(rounds).bytes}),
              CL_COMPLETE);
  };
  const auto reportAfter = [&](std::chrono::nanoseconds time) {
    executable->setHotnessTrigger(0, uint64_t(time.count()), [&](const device::LaunchKernel& seen) {
      ++reports;
      local = seen.range.local[0];
    });
  };
  reportAfter(std::chrono::hours(1));
  launch(200'000);
  EXPECT_EQ(reports, 0);
  // Launches that are short by themselves count together.
  reportAfter(std::chrono::milliseconds(100));
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (reports == 0 && std::chrono::steady_clock::now() < end)
    launch(1000);
  launch(200'000);
  EXPECT_EQ(reports, 1);
  EXPECT_EQ(local, 1u);
  reportAfter(std::chrono::nanoseconds(1));
  launch(200'000);
  EXPECT_EQ(reports, 2);
}

} // namespace
} // namespace quern::test
