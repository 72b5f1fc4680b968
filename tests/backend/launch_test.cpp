// How the CPU device runs kernels: which work-groups, with what memory, in which environment.
#include <fenv.h>
#include <xmmintrin.h>

#include "loaded_kernel.h"

namespace quern::test {
namespace {

using LaunchTest = KernelTest;

TEST_F(LaunchTest, RunsEveryWorkItemOnce) {
  const auto executable = load(describe("count_items", 8));
  const device::NdRange ranges[] = {
      {.workDim = 1, .global = {1, 1, 1}, .local = {1, 1, 1}},
      {.workDim = 1, .global = {100'000, 1, 1}, .local = {64, 1, 1}},
      {.workDim = 1, .global = {1009, 1, 1}, .local = {16, 1, 1}},
      {.workDim = 2, .offset = {5, 7, 0}, .global = {33, 65, 1}, .local = {8, 4, 1}},
      {.workDim = 3, .offset = {1, 2, 3}, .global = {17, 5, 9}, .local = {4, 5, 2}},
      {.workDim = 3, .global = {1, 1, 300}, .local = {1, 1, 1}},
      {.workDim = 2, .global = {1, 5000, 1}, .local = {1, 1, 1}},
  };
  for (int repetition = 0; repetition < 3; ++repetition) {
    for (const device::NdRange& range : ranges) {
      const uint64_t items = range.global[0] * range.global[1] * range.global[2];
      const auto out = allocateWith(std::vector<uint32_t>(items, 0));
      EXPECT_EQ(
          run(device::LaunchKernel{executable, 0, range, Arguments().add(out->address()).bytes}),
          CL_COMPLETE);
      EXPECT_EQ(values<uint32_t>(out), std::vector<uint32_t>(items, 1));
    }
  }
}

TEST_F(LaunchTest, EmptyRangesEndAtOnce) {
  const auto executable = load(describe("nothing", 0));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run(device::LaunchKernel{executable, 0, {.global = {0, 1, 1}}, {}}), CL_COMPLETE);
  EXPECT_EQ(run(device::LaunchKernel{executable, 0, {.global = {100, 1, 1}}, {}}), CL_COMPLETE);
}

TEST_F(LaunchTest, UnevenWorkGroupsAreBalanced) {
  const auto executable = load(describe("uneven", 12));
  constexpr uint64_t groups = 300;
  constexpr uint32_t rounds = 50;
  const auto out = allocate(groups * 8);
  ASSERT_EQ(run(device::LaunchKernel{executable,
                                     0,
                                     {.global = {groups, 1, 1}},
                                     Arguments().add(out->address()).add(rounds).bytes}),
            CL_COMPLETE);
  for (uint64_t group = 0; group < groups; ++group) {
    uint64_t expected = group;
    for (uint64_t i = 0; i < rounds * group; ++i)
      expected = expected * 6364136223846793005u + 1442695040888963407u;
    ASSERT_EQ(data<uint64_t>(out)[group], expected) << group;
  }
}

TEST_F(LaunchTest, LocalArgumentsFollowLocalVariables) {
  abi::KernelDescription description = describe("local_arguments", 24);
  description.localBytes = 1000;
  description.contextUniformBytes = 40;
  description.contextItemBytes = 24;
  description.packetWidth = 8;
  description.arguments = {
      {.kind = abi::ArgumentKind::Global, .offset = 0, .bytes = 8},
      {.kind = abi::ArgumentKind::Local, .offset = 8, .bytes = 8, .alignment = 128},
      {.kind = abi::ArgumentKind::Local, .offset = 16, .bytes = 8, .alignment = 256},
  };
  const auto executable = load(description);
  const auto out = allocate(7 * 8);
  const auto block = Arguments().add(out->address()).add(uint64_t(300)).add(uint64_t(5000));
  device::LaunchKernel launch{
      executable, 0, {.global = {13, 1, 1}, .local = {13, 1, 1}}, block.bytes};
  for (int i = 0; i < 2; ++i) { // the launch stays as it was
    ASSERT_EQ(run(launch), CL_COMPLETE);
    const std::vector<uint64_t> result = values<uint64_t>(out);
    EXPECT_EQ(result[0], 1024u);
    EXPECT_EQ(result[1], 1536u);
    EXPECT_EQ(result[2], 1536u + 5000u);
    EXPECT_EQ(result[3], 40u + 24u * 16u);
    EXPECT_EQ(result[4] % 128, 0u);
    EXPECT_EQ(result[5] % 128, 0u);
    EXPECT_GE(result[5], result[4] + result[2]);
    EXPECT_EQ(result[6], 1u) << "local variables of a kernel lie on the stack";
  }
}

TEST_F(LaunchTest, HelpingThreadRunsKernelsOnItsOwnStack) {
  abi::KernelDescription description = describe("local_arguments", 24);
  const auto executable = load(description);
  const auto out = allocate(7 * 8);
  for (int i = 0; i < 3;
       ++i) { // from the second launch on, the costs are known and the caller helps
    CommandProbe command(device::LaunchKernel{
        executable,
        0,
        {},
        Arguments().add(out->address()).add(uint64_t(0)).add(uint64_t(0)).bytes});
    queue->submit(command);
    command.waitHelping(*device, *queue);
    EXPECT_EQ(data<uint64_t>(out)[6], 1u);
  }
}

TEST_F(LaunchTest, FloatingPointStateIsTheKernelsInsideAndTheCallersOutside) {
  const auto executable = load(describe("float_state", 8));
  const auto out = allocate(4);
  const unsigned before = _mm_getcsr();
  _mm_setcsr(0x1f80 | 0x6000 | 0x8000); // round to zero, flush denormals
  const unsigned set = _mm_getcsr();
  for (int i = 0; i < 3; ++i) {
    CommandProbe command(
        device::LaunchKernel{executable, 0, {}, Arguments().add(out->address()).bytes});
    queue->submit(command);
    command.waitHelping(*device, *queue);
    EXPECT_EQ(data<uint32_t>(out)[0], 0x1f80u);
    EXPECT_EQ(_mm_getcsr(), set);
  }
  _mm_setcsr(before);
}

TEST_F(LaunchTest, LargeArgumentBlocksAreCopiedWhole) {
  const auto executable = load(describe("count_items", 4096));
  const auto out = allocateWith(std::vector<uint32_t>(10, 0));
  Arguments block;
  block.add(out->address());
  block.bytes.resize(4096);
  ASSERT_EQ(run(device::LaunchKernel{executable, 0, {.global = {10, 1, 1}}, block.bytes}),
            CL_COMPLETE);
  EXPECT_EQ(values<uint32_t>(out), std::vector<uint32_t>(10, 1));
}

TEST_F(LaunchTest, GroupsThatNeedTooMuchMemoryAreRefusedWithASentence) {
  abi::KernelDescription description = describe("nothing", 0);
  description.localBytes = 1000;
  description.contextItemBytes = 64 << 20;
  const auto executable = load(description);
  const uint64_t room = device->caps().localMemBytes - 1000;
  EXPECT_TRUE(executable->checkLaunch(0, {}, room).ok());
  const Status local = executable->checkLaunch(0, {}, room + 1);
  EXPECT_EQ(local.code(), CL_OUT_OF_RESOURCES);
  EXPECT_NE(local.sentence().find(std::to_string(device->caps().localMemBytes)), std::string::npos);

  const size_t items = executable->limits(0).maxWorkGroupSize;
  ASSERT_GE(items, 1u);
  ASSERT_LT(items, 64u);
  EXPECT_TRUE(executable->checkLaunch(0, {.local = {items, 1, 1}}, 0).ok());
  EXPECT_EQ(executable->checkLaunch(0, {.local = {items + 1, 1, 1}}, 0).code(),
            CL_OUT_OF_RESOURCES);
}

TEST_F(LaunchTest, ProgramVariablesBelongToTheLoadedProgram) {
  const auto first = load(describe("relocated", 12));
  const auto second = load(describe("relocated", 12));
  const auto out = allocate(5 * 8);
  const auto launch = [&](const Ref<device::Executable>& executable) {
    EXPECT_EQ(run(device::LaunchKernel{
                  executable, 0, {}, Arguments().add(out->address()).add(uint32_t(64)).bytes}),
              CL_COMPLETE);
    return values<uint64_t>(out);
  };
  EXPECT_EQ(launch(first), (std::vector<uint64_t>{8, 2, 'b', 8 * 0x0101010101010101u, 1}));
  EXPECT_EQ(launch(first), (std::vector<uint64_t>{9, 4, 'b', 8 * 0x0101010101010101u, 2}));
  EXPECT_EQ(launch(second), (std::vector<uint64_t>{8, 2, 'b', 8 * 0x0101010101010101u, 1}));
}

TEST_F(LaunchTest, PrintsReachStandardOutputBeforeTheCommandEnds) {
  const auto executable = load(describe("print_groups", 12));
  static const char format[] = "group %d\n";
  testing::internal::CaptureStdout();
  ASSERT_EQ(run(device::LaunchKernel{
                executable,
                0,
                {.global = {3, 1, 1}},
                Arguments().add(reinterpret_cast<uint64_t>(format)).add(uint32_t(40)).bytes}),
            CL_COMPLETE);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(text.size(), 27u);
  for (const char* line : {"group 40\n", "group 41\n", "group 42\n"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}

} // namespace
} // namespace quern::test
