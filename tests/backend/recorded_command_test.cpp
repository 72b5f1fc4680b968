// Commands that are recorded once and run many times, without any program that asks for it.
#include <numeric>

#include "loaded_kernel.h"
#include "runtime/command_queue.h"
#include "runtime/kernel.h"
#include "runtime/kernel_launch.h"
#include "runtime/process.h"
#include "runtime/record_transfers.h"

namespace quern::test {
namespace {

using namespace quern::runtime;

class RecordedCommandTest : public testing::Test {
protected:
  static constexpr uint64_t count = 64;
  static constexpr device::NdRange range = {.global = {count, 1, 1}, .local = {8, 1, 1}};

  void SetUp() override {
    device = Ref<Device>(Process::current().devices().front());
    context = makeRef<Context>(std::vector<Ref<Device>>{device},
                               std::vector<cl_context_properties>(), Context::Notify());
    inOrder = makeQueue(0);
    outOfOrder = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    buffer = makeBuffer();
  }

  Ref<CommandQueue> makeQueue(cl_command_queue_properties properties) {
    return *CommandQueue::create(*context, *device, {.properties = properties});
  }
  Ref<Buffer> makeBuffer() {
    const std::vector<uint32_t> zeros(count);
    return *Buffer::create(*context, {.bytes = count * sizeof(uint32_t)}, zeros.data());
  }
  /// The kernel count_items of objects/kernels.cpp: adds 1 to each of `count` numbers.
  Ref<runtime::Kernel> makeKernel() {
    auto binary = std::make_shared<ProgramBinary>();
    binary->image.code = readObject("kernels.o");
    abi::KernelDescription description = describe("count_items", 8);
    description.arguments = {{.kind = abi::ArgumentKind::Global, .bytes = 8}};
    binary->image.kernels.push_back(std::move(description));
    const Program::DeviceBuild build = {.status = CL_BUILD_SUCCESS,
                                        .binary = binary,
                                        .code = *runtime::ProgramCode::load(*device, binary)};
    program =
        makeRef<Program>(*context, Program::Origin::Binary, "", std::vector<Ref<Device>>{device},
                         std::vector<Program::DeviceBuild>{build});
    Ref<runtime::Kernel> kernel = *runtime::Kernel::create(*program, "count_items");
    kernel->setMemory(0, buffer.get());
    return kernel;
  }
  Recorded recordLaunch(const runtime::Kernel& kernel) {
    auto recorded = KernelLaunch(kernel, *device, *kernel.on(*device).value())
                        .record(range, CL_COMMAND_NDRANGE_KERNEL);
    EXPECT_TRUE(recorded.ok()) << recorded.status().sentence();
    return *recorded;
  }
  std::vector<uint32_t> contents(Buffer& from) {
    std::vector<uint32_t> values(count);
    const Bytewise host = {.host = reinterpret_cast<std::byte*>(values.data())};
    EXPECT_EQ(
        CL_COMPLETE,
        inOrder
            ->enqueue(recordCopy(*device, CL_COMMAND_READ_BUFFER, {&from}, host, from.bytes()), {})
            ->wait());
    return values;
  }

  Ref<Device> device;
  Ref<Context> context;
  Ref<CommandQueue> inOrder, outOfOrder;
  Ref<Buffer> buffer;
  Ref<Program> program;
};

TEST_F(RecordedCommandTest, ALaunchRunsAThousandTimes) {
  const Ref<runtime::Kernel> kernel = makeKernel();
  const Recorded launch = recordLaunch(*kernel);
  for (int i = 0; i < 1000; ++i)
    inOrder->enqueue(launch, {});
  EXPECT_EQ(std::vector<uint32_t>(count, 1000), contents(*buffer));
  // At the same time, where nothing orders them.
  for (int i = 0; i < 1000; ++i)
    outOfOrder->enqueue(launch, {});
  outOfOrder->finish();
  EXPECT_EQ(std::vector<uint32_t>(count, 2000), contents(*buffer));
  // And without events.
  for (int i = 0; i < 1000; ++i)
    inOrder->enqueueEventless(launch);
  EXPECT_EQ(std::vector<uint32_t>(count, 3000), contents(*buffer));
}

TEST_F(RecordedCommandTest, ALaunchHasTheArgumentsThatItWasRecordedWith) {
  const Ref<runtime::Kernel> kernel = makeKernel();
  const Recorded first = recordLaunch(*kernel);
  const Ref<Buffer> other = makeBuffer();
  kernel->setMemory(0, other.get());
  const Recorded second = recordLaunch(*kernel);
  const Ref<Buffer> third = makeBuffer();
  kernel->setMemory(0, third.get());
  for (int i = 0; i < 100; ++i) {
    inOrder->enqueueEventless(first);
    if (i % 3 == 0)
      inOrder->enqueueEventless(second);
    // The kernel's own launches are neither of them unless the arguments are the same.
    EXPECT_FALSE(
        inOrder->repeat(KernelLaunch(*kernel, *device, *kernel->on(*device).value()), range));
  }
  EXPECT_EQ(std::vector<uint32_t>(count, 100), contents(*buffer));
  EXPECT_EQ(std::vector<uint32_t>(count, 34), contents(*other));
  EXPECT_EQ(std::vector<uint32_t>(count, 0), contents(*third));
}

TEST_F(RecordedCommandTest, CopiesAndFillsRunAgain) {
  const Ref<Buffer> other = makeBuffer();
  const Ref<runtime::Kernel> kernel = makeKernel();
  const Recorded launch = recordLaunch(*kernel);
  const Recorded copy =
      recordCopy(*device, CL_COMMAND_COPY_BUFFER, {buffer.get()}, {other.get(), 16}, 32);
  constexpr uint32_t pattern = 5;
  const Recorded fill = recordFill(*device, {other.get(), 0}, std::as_bytes(std::span(&pattern, 1)),
                                   5 * sizeof(pattern));
  for (uint32_t i = 1; i <= 100; ++i) {
    inOrder->enqueue(launch, {});
    inOrder->enqueue(copy, {});
    inOrder->enqueue(fill, {});
    std::vector<uint32_t> expected(count);
    std::fill_n(expected.begin() + 4, 8, i);
    std::fill_n(expected.begin(), 5, pattern);
    EXPECT_EQ(expected, contents(*other));
  }
}

TEST_F(RecordedCommandTest, ItKeepsWhatItUses) {
  const Ref<runtime::Kernel> kernel = makeKernel();
  Recorded launch = recordLaunch(*kernel);
  const Ref<WeakAnchor<MemoryObject>> anchor = buffer->anchor();
  buffer.reset();
  inOrder->enqueue(launch, {});
  inOrder->finish();
  EXPECT_TRUE(anchor->lock());
  EXPECT_EQ(CL_COMPLETE, inOrder->enqueue(launch, {})->wait());
  launch.reset();
  EXPECT_FALSE(anchor->lock());
}

TEST_F(RecordedCommandTest, ItSaysWhichBytesItUses) {
  const Recorded copy =
      recordCopy(*device, CL_COMMAND_COPY_BUFFER, {buffer.get(), 4}, {buffer.get(), 100}, 20);
  ASSERT_EQ(2u, copy->uses().size());
  EXPECT_EQ((ByteRange{4, 24}), copy->uses()[0].bytes);
  EXPECT_EQ(Access::Read, copy->uses()[0].access);
  EXPECT_EQ((ByteRange{100, 120}), copy->uses()[1].bytes);
  EXPECT_EQ(Access::Write, copy->uses()[1].access);
  // A box leaves some of the bytes between its first and its last as they are, or none.
  const BoxSide inBuffer = {{buffer.get(), 10}, 8, 80}, dense = {{buffer.get(), 10}, 4, 8};
  std::array<std::byte, 256> memory;
  const BoxSide inHost = {{.host = memory.data()}, 4, 8};
  const auto write = [&](const BoxSide& to) {
    return recordBoxCopy(*device, CL_COMMAND_WRITE_BUFFER_RECT, inHost, to, {4, 2, 2});
  };
  EXPECT_EQ((ByteRange{10, 102}), write(inBuffer)->uses()[0].bytes);
  EXPECT_EQ(Access::ReadWrite, write(inBuffer)->uses()[0].access);
  EXPECT_EQ((ByteRange{10, 26}), write(dense)->uses()[0].bytes);
  EXPECT_EQ(Access::Write, write(dense)->uses()[0].access);
}

} // namespace
} // namespace quern::test
