// The contract of device/device.h, for every backend.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>

#include "backend_test.h"

namespace quern::test {
namespace {

TYPED_TEST_SUITE(ContractTest, Backends);

TYPED_TEST(ContractTest, CapsAreWithinTheSpecificationsMinimums) {
  const device::Caps& caps = this->device->caps();
  EXPECT_FALSE(caps.name.empty());
  EXPECT_FALSE(caps.vendor.empty());
  EXPECT_GE(caps.computeUnits, 1u);
  EXPECT_GE(caps.maxArgumentBytes, 1024u);
  EXPECT_GE(caps.localMemBytes, 32u << 10);
  EXPECT_GE(caps.printfBufferBytes, 1u << 20);
  EXPECT_GE(caps.maxConstantBufferBytes, 64u << 10);
  EXPECT_GE(caps.maxConstantArguments, 8u);
  EXPECT_GE(caps.baseAddressAlignBits, 1024u) << "a long16 is 128 bytes";
  EXPECT_GE(caps.maxAllocBytes, caps.globalMemBytes / 4);
  EXPECT_LE(caps.maxAllocBytes, caps.globalMemBytes);
  for (size_t size : caps.maxWorkItemSizes)
    EXPECT_GE(size, 1u);
  const auto& features = caps.target.features;
  const bool hasDouble =
      std::find(features.begin(), features.end(), "__opencl_c_fp64") != features.end();
  EXPECT_EQ(hasDouble, caps.doubleFp != 0);
}

TYPED_TEST(ContractTest, EveryNotificationComesOnceAndInOrder) {
  auto profiled = this->device->createQueue({.profiling = true});
  ASSERT_TRUE(profiled.ok());
  const Ref<device::Queue> queue = std::move(profiled.value());
  CommandProbe command;
  const uint64_t before = this->device->timestamp();
  queue->submit(command);
  queue->flush();
  command.wait();
  const uint64_t after = this->device->timestamp();
  EXPECT_EQ(command.startedCalls, 1);
  EXPECT_EQ(command.finishedCalls, 1);
  EXPECT_EQ(command.status, CL_COMPLETE);
  EXPECT_LE(before, command.startedTime);
  EXPECT_LE(command.startedTime, command.finishedTime);
  EXPECT_LE(command.finishedTime, after);
}

TYPED_TEST(ContractTest, AllocationsAreAlignedAndWritable) {
  for (uint64_t bytes : {1u, 100u, 4096u, 1u << 20, (5u << 20) + 3}) {
    const auto allocation = this->allocate(bytes);
    EXPECT_EQ(allocation->bytes(), bytes);
    EXPECT_EQ(allocation->address() % (this->device->caps().baseAddressAlignBits / 8), 0u);
    EXPECT_EQ(allocation->hostPointer() != nullptr, this->device->caps().hostUnifiedMemory);
    device::Fill fill = {.destination = {.allocation = allocation.get()}, .bytes = bytes};
    fill.pattern[0] = std::byte(0x5a);
    EXPECT_EQ(this->run(fill), CL_COMPLETE);
    EXPECT_TRUE(this->template values<uint8_t>(allocation) == std::vector<uint8_t>(bytes, 0x5a));
  }
}

TYPED_TEST(ContractTest, SharedMemoryIsAtOneAddress) {
  const auto allocation = this->device->allocate({.bytes = 1000, .shared = true});
  ASSERT_TRUE(allocation.ok());
  const Ref<device::Allocation>& shared = allocation.value();
  ASSERT_EQ(reinterpret_cast<uint64_t>(shared->hostPointer()), shared->address());
  device::Fill fill = {.destination = {.host = shared->hostPointer()}, .bytes = 500};
  fill.pattern[0] = std::byte(1);
  EXPECT_EQ(this->run(fill), CL_COMPLETE);
  fill.destination = {.allocation = shared.get(), .offset = 500};
  fill.pattern[0] = std::byte(2);
  EXPECT_EQ(this->run(fill), CL_COMPLETE);
  for (size_t i = 0; i < 1000; ++i)
    ASSERT_EQ(shared->hostPointer()[i], std::byte(i < 500 ? 1 : 2)) << i;
}

TYPED_TEST(ContractTest, HostMemoryIsUsedAsItIs) {
  if (!this->device->caps().hostUnifiedMemory)
    GTEST_SKIP() << "the device does not work in the host's memory";
  std::vector<std::byte> memory(1000);
  const auto allocation = this->device->allocate({.bytes = 990, .hostMemory = memory.data() + 3});
  ASSERT_TRUE(allocation.ok());
  EXPECT_EQ((*allocation.value()).hostPointer(), memory.data() + 3);
  EXPECT_EQ((*allocation.value()).address(), reinterpret_cast<uint64_t>(memory.data() + 3));
}

TYPED_TEST(ContractTest, MemoryRunsOutWithAnErrorAndComesBack) {
  const uint64_t limit = this->device->caps().globalMemBytes;
  const auto tooLarge = this->device->allocate({.bytes = limit + 1});
  ASSERT_FALSE(tooLarge.ok());
  EXPECT_EQ(tooLarge.status().code(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  EXPECT_NE(tooLarge.status().sentence().find(std::to_string(limit)), std::string::npos);
  EXPECT_EQ(this->device->allocate({.bytes = UINT64_MAX}).status().code(),
            CL_MEM_OBJECT_ALLOCATION_FAILURE);
  for (int i = 0; i < 3; ++i) {
    const auto half = this->device->allocate({.bytes = limit / 2});
    ASSERT_TRUE(half.ok()) << half.status().sentence();
    EXPECT_EQ(this->device->allocate({.bytes = limit / 2 + 2}).status().code(),
              CL_MEM_OBJECT_ALLOCATION_FAILURE);
  }
}

TYPED_TEST(ContractTest, CopiesBetweenAllocationsAndTheHost) {
  for (uint64_t count : {1u, 777u, 1'000'003u}) {
    std::vector<uint32_t> input(count);
    std::iota(input.begin(), input.end(), 1u);
    const auto first = this->allocate(count * 4 + 12);
    const auto second = this->allocate(count * 4 + 20);
    const device::Place inFirst = {.allocation = first.get(), .offset = 12};
    const device::Place inSecond = {.allocation = second.get(), .offset = 20};
    const device::Place source = {.host = reinterpret_cast<std::byte*>(input.data())};
    std::vector<uint32_t> output(count);
    const device::Place target = {.host = reinterpret_cast<std::byte*>(output.data())};
    EXPECT_EQ(this->run(device::Copy{source, inFirst, count * 4}), CL_COMPLETE);
    EXPECT_EQ(this->run(device::Copy{inFirst, inSecond, count * 4}), CL_COMPLETE);
    EXPECT_EQ(this->run(device::Copy{inSecond, target, count * 4}), CL_COMPLETE);
    EXPECT_EQ(output, input);
    EXPECT_EQ(this->run(device::Copy{inSecond, inSecond, count * 4}), CL_COMPLETE);
  }
}

TYPED_TEST(ContractTest, CopiesRectangles) {
  struct Shape {
    std::array<uint64_t, 3> region;
    uint64_t sourcePitch, sourceSlice, targetPitch, targetSlice;
  };
  const Shape shapes[] = {
      {{5, 7, 3}, 11, 100, 13, 120},
      {{1, 1, 1}, 1, 1, 1, 1},
      {{1000, 700, 2}, 1024, 1024 * 700, 1000, 700'000},
      {{400'000, 3, 1}, 400'000, 1'200'000, 400'000, 1'200'000},
  };
  for (const Shape& shape : shapes) {
    const uint64_t slices = shape.region[2];
    std::vector<uint8_t> input(shape.sourceSlice * slices + 4);
    for (size_t i = 0; i < input.size(); ++i)
      input[i] = static_cast<uint8_t>(i * 31 + i / 251);
    const auto source = this->allocateWith(input);
    const auto target =
        this->allocateWith(std::vector<uint8_t>(shape.targetSlice * slices + 8, 0xee));
    std::vector<uint8_t> expected(target->bytes(), 0xee);
    for (uint64_t z = 0; z < slices; ++z)
      for (uint64_t y = 0; y < shape.region[1]; ++y)
        for (uint64_t x = 0; x < shape.region[0]; ++x)
          expected[8 + z * shape.targetSlice + y * shape.targetPitch + x] =
              input[4 + z * shape.sourceSlice + y * shape.sourcePitch + x];
    EXPECT_EQ(this->run(device::CopyRect{.source = {.allocation = source.get(), .offset = 4},
                                         .destination = {.allocation = target.get(), .offset = 8},
                                         .sourceRowPitch = shape.sourcePitch,
                                         .sourceSlicePitch = shape.sourceSlice,
                                         .destinationRowPitch = shape.targetPitch,
                                         .destinationSlicePitch = shape.targetSlice,
                                         .region = shape.region}),
              CL_COMPLETE);
    EXPECT_TRUE(this->template values<uint8_t>(target) == expected);
  }
}

TYPED_TEST(ContractTest, FillsWithPatternsOfEverySize) {
  for (uint32_t patternBytes = 1; patternBytes <= 128; patternBytes *= 2) {
    device::Fill fill;
    fill.patternBytes = patternBytes;
    for (uint32_t i = 0; i < patternBytes; ++i)
      fill.pattern[i] = std::byte(i + 1);
    for (uint64_t repetitions : {uint64_t(1), uint64_t(3), uint64_t(2'000'000 / patternBytes)}) {
      fill.bytes = patternBytes * repetitions;
      const auto target =
          this->allocateWith(std::vector<uint8_t>(fill.bytes + 2 * patternBytes, 0xee));
      fill.destination = {.allocation = target.get(), .offset = patternBytes};
      EXPECT_EQ(this->run(fill), CL_COMPLETE);
      std::vector<uint8_t> expected(target->bytes(), 0xee);
      for (uint64_t i = 0; i < fill.bytes; ++i)
        expected[patternBytes + i] = static_cast<uint8_t>(i % patternBytes + 1);
      EXPECT_TRUE(this->template values<uint8_t>(target) == expected) << patternBytes;
    }
  }
}

TYPED_TEST(ContractTest, CommandsUseMemoryThatTheHostShares) {
  auto allocated = this->device->allocate({.bytes = 1000, .shared = true});
  ASSERT_TRUE(allocated.ok()) << allocated.status().sentence();
  const Ref<device::Allocation> shared = *allocated;
  const std::byte* const seen = shared->hostPointer();
  for (uint32_t patternBytes = 1; patternBytes <= 128; patternBytes *= 2) {
    device::Fill fill = {.destination = {.allocation = shared.get(), .offset = patternBytes},
                         .patternBytes = patternBytes,
                         .bytes = 3 * patternBytes};
    for (uint32_t i = 0; i < patternBytes; ++i)
      fill.pattern[i] = std::byte(i + 1);
    EXPECT_EQ(this->run(fill), CL_COMPLETE);
    for (uint32_t i = 0; i < fill.bytes; ++i)
      ASSERT_EQ(seen[patternBytes + i], std::byte(i % patternBytes + 1)) << patternBytes;
  }
  std::vector<uint8_t> values(500);
  std::iota(values.begin(), values.end(), uint8_t(1));
  const auto own = this->allocateWith(values);
  const device::Place inShared = {.allocation = shared.get(), .offset = 7};
  EXPECT_EQ(this->run(device::Copy{{.allocation = own.get()}, inShared, 500}), CL_COMPLETE);
  EXPECT_EQ(std::memcmp(seen + 7, values.data(), 500), 0);
  std::vector<uint8_t> back(500);
  const device::Place inProgram = {.host = reinterpret_cast<std::byte*>(back.data())};
  EXPECT_EQ(this->run(device::Copy{inShared, inProgram, 500}), CL_COMPLETE);
  EXPECT_EQ(back, values);
  std::ranges::reverse(back);
  EXPECT_EQ(this->run(device::Copy{inProgram, inShared, 500}), CL_COMPLETE);
  EXPECT_EQ(std::memcmp(seen + 7, back.data(), 500), 0);
  EXPECT_EQ(this->run(device::CopyRect{.source = inShared,
                                       .destination = {.allocation = own.get()},
                                       .sourceRowPitch = 50,
                                       .sourceSlicePitch = 500,
                                       .destinationRowPitch = 50,
                                       .destinationSlicePitch = 500,
                                       .region = {50, 10, 1}}),
            CL_COMPLETE);
  EXPECT_EQ(this->template values<uint8_t>(own), back);
}

TYPED_TEST(ContractTest, StoresAtAddressesOfKernels) {
  const auto target = this->allocateWith(std::vector<uint8_t>(100, 0xee));
  const uint8_t bytes[] = {1, 2, 3};
  this->device->store(target->address() + 50, std::as_bytes(std::span(bytes)));
  std::vector<uint8_t> expected(100, 0xee);
  std::copy(std::begin(bytes), std::end(bytes), expected.begin() + 50);
  EXPECT_EQ(this->template values<uint8_t>(target), expected);
}

TYPED_TEST(ContractTest, FillsTheRowsOfABox) {
  for (uint32_t patternBytes = 1; patternBytes <= 16; patternBytes *= 2)
    // The last of these is cut into pieces.
    for (const uint64_t width : {uint64_t(1), uint64_t(3), uint64_t(400'000 / patternBytes)}) {
      device::FillRect fill;
      fill.patternBytes = patternBytes;
      for (uint32_t i = 0; i < patternBytes; ++i)
        fill.pattern[i] = std::byte(i + 1);
      fill.region = {width * patternBytes, 3, 2};
      fill.rowPitch = fill.region[0] + 5;
      fill.slicePitch = fill.rowPitch * 3 + 7;
      const auto target = this->allocateWith(std::vector<uint8_t>(fill.slicePitch * 2 + 10, 0xee));
      fill.destination = {.allocation = target.get(), .offset = 10};
      EXPECT_EQ(this->run(fill), CL_COMPLETE);
      std::vector<uint8_t> expected(target->bytes(), 0xee);
      for (uint64_t slice = 0; slice < 2; ++slice)
        for (uint64_t row = 0; row < 3; ++row)
          for (uint64_t i = 0; i < fill.region[0]; ++i)
            expected[10 + slice * fill.slicePitch + row * fill.rowPitch + i] =
                static_cast<uint8_t>(i % patternBytes + 1);
      EXPECT_TRUE(this->template values<uint8_t>(target) == expected) << patternBytes;
    }
}

TYPED_TEST(ContractTest, CallsHostFunctions) {
  if (!this->device->caps().nativeKernels)
    GTEST_SKIP() << "the device calls no functions of the host";
  int calls = 0;
  EXPECT_EQ(this->run(device::CallHost{[&] { ++calls; }}), CL_COMPLETE);
  EXPECT_EQ(calls, 1);
}

TYPED_TEST(ContractTest, FinishedMaySubmit) {
  // A chain that feeds itself, as dependent commands of one queue do.
  constexpr int length = 10'000;
  std::vector<CommandProbe> chain(length);
  for (int i = 0; i + 1 < length; ++i)
    chain[i].onFinished = [&, i] { this->queue->submit(chain[i + 1]); };
  this->queue->submit(chain[0]);
  this->queue->flush();
  for (CommandProbe& command : chain) {
    command.wait();
    ASSERT_EQ(command.startedCalls, 1);
  }
}

TYPED_TEST(ContractTest, FinishedMaySubmitMany) {
  constexpr int width = 500;
  std::vector<CommandProbe> followers(width);
  CommandProbe first;
  first.onFinished = [&] {
    for (CommandProbe& command : followers)
      this->queue->submit(command);
  };
  this->queue->submit(first);
  this->queue->flush();
  for (CommandProbe& command : followers)
    command.wait();
  first.wait();
}

TYPED_TEST(ContractTest, HelpingThreadNeverMissesWhatItWaitsFor) {
  for (int round = 0; round < 2000; ++round) {
    CommandProbe first, second;
    first.onFinished = [&] { this->queue->submit(second); };
    this->queue->submit(first);
    second.waitHelping(*this->device, *this->queue);
    first.wait(); // it may still be in its notification
  }
}

TYPED_TEST(ContractTest, SubmittedWorkOutlivesItsQueue) {
  std::vector<CommandProbe> commands(100);
  auto other = *this->device->createQueue({});
  for (CommandProbe& command : commands)
    other->submit(command);
  other.reset();
  for (CommandProbe& command : commands)
    command.wait();
}

TYPED_TEST(ContractTest, ManyThreadsMaySubmitAndWait) {
  constexpr int threads = 4, rounds = 300;
  std::vector<std::thread> pool;
  std::atomic<int> ended = 0;
  for (int t = 0; t < threads; ++t)
    pool.emplace_back([&] {
      auto mine = *this->device->createQueue({});
      for (int i = 0; i < rounds; ++i) {
        std::vector<CommandProbe> commands(1 + i % 7);
        for (CommandProbe& command : commands)
          mine->submit(command);
        for (CommandProbe& command : commands) {
          command.waitHelping(*this->device, *mine);
          ended += command.finishedCalls;
        }
      }
    });
  for (std::thread& thread : pool)
    thread.join();
  int expected = 0;
  for (int i = 0; i < rounds; ++i)
    expected += threads * (1 + i % 7);
  EXPECT_EQ(ended, expected);
}

} // namespace
} // namespace quern::test
