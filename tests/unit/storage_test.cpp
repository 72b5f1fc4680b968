// Which bytes move between the memories of a context's devices: the host's, which a null device
// works in, and two that the host cannot see. The devices of these do not know each other's memory.
#include "runtime/storage.h"

#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "devices/null/enumerate.h"
#include "devices/null/null_device.h"

namespace quern::runtime {
namespace {

/// What a FarDevice has been told to copy.
struct Traffic {
  size_t copies = 0;
  uint64_t bytes = 0;
  bool isHeld = false; ///< copies wait for `letGo`
  cl_int status = CL_COMPLETE;
  std::vector<device::Command*> waiting;

  void run(device::Command& command) {
    const auto& copy = std::get<device::Copy>(*command.work);
    const auto at = [](const device::Place& place) {
      return place.allocation
                 ? reinterpret_cast<std::byte*>(place.allocation->address()) + place.offset
                 : place.host + place.offset;
    };
    if (status == CL_COMPLETE)
      std::memcpy(at(copy.destination), at(copy.source), copy.bytes);
    ++copies;
    bytes += copy.bytes;
    command.finished(status, 0);
  }
  void letGo() {
    isHeld = false;
    for (device::Command* command : std::exchange(waiting, {}))
      run(*command);
  }
};

class FarAllocation final : public device::Allocation {
public:
  FarAllocation(const Traffic& traffic, uint64_t bytes)
      : FarAllocation(traffic, new std::byte[bytes], bytes) {}
  ~FarAllocation() override { delete[] reinterpret_cast<std::byte*>(address()); }

  const Traffic& traffic;

private:
  FarAllocation(const Traffic& traffic, std::byte* data, uint64_t bytes)
      : Allocation(reinterpret_cast<uint64_t>(data), nullptr, bytes), traffic(traffic) {}
};

class FarQueue final : public device::Queue {
public:
  explicit FarQueue(Traffic& traffic) : Queue(false), traffic_(traffic) {}
  void submit(device::Command& command) override {
    if (traffic_.isHeld)
      traffic_.waiting.push_back(&command);
    else
      traffic_.run(command);
  }
  void flush() override {}

private:
  Traffic& traffic_;
};

/// A device with memory of its own that does nothing but copy.
class FarDevice final : public device::Device {
public:
  explicit FarDevice(Traffic& traffic) : Device(device::Caps()), traffic_(traffic) {}
  Result<std::vector<Ref<device::Device>>> partition(const device::PartitionRequest&) override {
    return Status::error(CL_DEVICE_PARTITION_FAILED, "it has no parts");
  }
  Result<Ref<device::Allocation>> allocate(const device::AllocationRequest& request) override {
    return Ref<device::Allocation>(makeRef<FarAllocation>(traffic_, request.bytes));
  }
  bool canCopy(device::Allocation& source, device::Allocation& destination) override {
    return isKnown(source) && isKnown(destination);
  }
  Result<Ref<device::Image>> createImage(const device::ImageRequest&) override {
    return Status::error(CL_INVALID_OPERATION, "it has no images");
  }
  Result<Ref<device::Executable>> load(const abi::ProgramImage&) override {
    return Status::error(CL_INVALID_BINARY, "it runs no code");
  }
  Result<Ref<device::Queue>> createQueue(const device::QueueRequest&) override {
    return Ref<device::Queue>(makeRef<FarQueue>(traffic_));
  }
  bool help() override { return false; }
  uint64_t timestamp() const override { return 0; }

private:
  bool isKnown(const device::Allocation& allocation) const {
    const auto* const far = dynamic_cast<const FarAllocation*>(&allocation);
    return far ? &far->traffic == &traffic_ : allocation.hostPointer() != nullptr;
  }

  Traffic& traffic_;
};

class Waiter final : public AwaitsMemory {
public:
  void memoryArrived(cl_int newStatus) override {
    ++calls;
    status = newStatus;
  }
  int calls = 0;
  cl_int status = CL_QUEUED;
};

class StorageTest : public testing::Test {
protected:
  static constexpr uint64_t size = 1000;
  static constexpr uint32_t near = 0, far = 1, elsewhere = 2;

  void SetUp() override {
    const std::vector<Ref<device::Device>> backends = {makeRef<null::NullDevice>(),
                                                       makeRef<FarDevice>(traffic),
                                                       makeRef<FarDevice>(trafficElsewhere)};
    for (const Ref<device::Device>& backend : backends)
      devices.push_back(
          makeRef<Device>(backend, nullptr, std::vector<cl_device_partition_property>()));
    context = makeRef<Context>(devices, std::vector<cl_context_properties>(), Context::Notify());
    const std::vector<std::byte> initial(size, std::byte{7});
    storage = make(initial.data());
  }
  void TearDown() override {
    // The program's references to root devices, which it has as long as it lives.
    for (const Ref<Device>& device : devices)
      EXPECT_TRUE(device->releaseFromApi());
  }
  Ref<Storage> make(const void* initial, uint64_t bytes = size) {
    auto made = Storage::create(*context, {.bytes = bytes, .initial = initial});
    EXPECT_TRUE(made.ok());
    return *made;
  }
  std::byte* memory(uint32_t copy) {
    return reinterpret_cast<std::byte*>(storage->allocationOn(*devices[copy]).address());
  }
  /// Brings bytes as a command does: asks again when it is told.
  void bring(uint32_t copy, Access access, ByteRange bytes) {
    for (int attempts = 0; attempts < 3; ++attempts) {
      Waiter waiter;
      if (storage->bring(copy, access, bytes, waiter))
        return;
      EXPECT_EQ(1, waiter.calls);
      EXPECT_EQ(CL_COMPLETE, waiter.status);
    }
    ADD_FAILURE() << "the bytes do not come";
  }

  Traffic traffic, trafficElsewhere;
  std::vector<Ref<Device>> devices;
  Ref<Context> context;
  Ref<Storage> storage;
};

TEST_F(StorageTest, OnlyTheBytesThatAreNeededMove) {
  bring(far, Access::Read, {100, 200});
  EXPECT_EQ(100u, traffic.bytes);
  EXPECT_EQ(std::byte{7}, memory(far)[100]);
  bring(far, Access::Read, {100, 200});
  EXPECT_EQ(100u, traffic.bytes);
  bring(far, Access::Read, {150, 300});
  EXPECT_EQ(200u, traffic.bytes);
  // Those before and those behind what is there.
  bring(far, Access::ReadWrite, {0, 400});
  EXPECT_EQ(400u, traffic.bytes);
  EXPECT_EQ(4u, traffic.copies);
  // And back: only what may have been written.
  bring(near, Access::Read, {0, size});
  EXPECT_EQ(800u, traffic.bytes);
}

TEST_F(StorageTest, BytesThatAreAllWrittenNeedNotMove) {
  bring(far, Access::Write, {0, 600});
  EXPECT_EQ(0u, traffic.bytes);
  bring(near, Access::Write, {100, 200});
  EXPECT_EQ(0u, traffic.bytes);
  bring(near, Access::Read, {0, 300});
  EXPECT_EQ(200u, traffic.bytes);
  EXPECT_EQ(2u, traffic.copies);
}

TEST_F(StorageTest, UndefinedBytesDoNotMove) {
  storage = make(nullptr);
  bring(far, Access::ReadWrite, {0, 500});
  bring(near, Access::Read, {500, size});
  EXPECT_EQ(0u, traffic.bytes);
  bring(near, Access::Read, {0, size});
  EXPECT_EQ(500u, traffic.bytes);
}

TEST_F(StorageTest, TwoDevicesWriteTheirHalves) {
  for (int i = 0; i < 10; ++i) {
    bring(near, Access::ReadWrite, {0, 500});
    bring(far, Access::ReadWrite, {500, size});
  }
  EXPECT_EQ(500u, traffic.bytes);
}

TEST_F(StorageTest, AWriteWaitsForBytesOnTheirWay) {
  traffic.isHeld = true;
  Waiter reader, writer, other;
  EXPECT_FALSE(storage->bring(far, Access::Read, {0, 100}, reader));
  EXPECT_FALSE(storage->bring(far, Access::Write, {50, 60}, writer));
  EXPECT_TRUE(storage->bring(far, Access::Write, {100, 110}, other));
  traffic.letGo();
  EXPECT_EQ(1, reader.calls);
  EXPECT_EQ(1, writer.calls);
  EXPECT_TRUE(storage->bring(far, Access::Write, {50, 60}, writer));
  EXPECT_TRUE(storage->bring(far, Access::Read, {0, 110}, reader));
}

TEST_F(StorageTest, WhatIsWrittenMeanwhileComesAgain) {
  traffic.isHeld = true;
  Waiter reader, writer;
  EXPECT_FALSE(storage->bring(far, Access::Read, {0, 100}, reader));
  EXPECT_TRUE(storage->bring(near, Access::Write, {40, 60}, writer));
  memory(near)[50] = std::byte{9};
  traffic.letGo();
  EXPECT_EQ(1, reader.calls);
  EXPECT_FALSE(storage->bring(far, Access::Read, {0, 100}, reader));
  EXPECT_EQ(120u, traffic.bytes);
  EXPECT_TRUE(storage->bring(far, Access::Read, {0, 100}, reader));
  EXPECT_EQ(std::byte{9}, memory(far)[50]);
}

TEST_F(StorageTest, AMoveThatFailsIsToldToThoseWhoNeedIt) {
  traffic.isHeld = true;
  Waiter first, second;
  EXPECT_FALSE(storage->bring(far, Access::Read, {0, 100}, first));
  EXPECT_FALSE(storage->bring(far, Access::Read, {200, 300}, second));
  std::vector<device::Command*> moves = std::exchange(traffic.waiting, {});
  ASSERT_EQ(2u, moves.size());
  traffic.status = CL_OUT_OF_RESOURCES;
  traffic.run(*moves[0]);
  traffic.status = CL_COMPLETE;
  EXPECT_EQ(CL_OUT_OF_RESOURCES, first.status);
  EXPECT_EQ(0, second.calls);
  traffic.run(*moves[1]);
  EXPECT_EQ(CL_COMPLETE, second.status);
  traffic.isHeld = false;
  bring(far, Access::Read, {0, 300});
  EXPECT_EQ(std::byte{7}, memory(far)[99]);
}

TEST_F(StorageTest, BytesComeByWayOfTheHostWhereNeitherDeviceKnowsTheOthersMemory) {
  bring(far, Access::Write, {0, 300});
  std::fill_n(memory(far), 300, std::byte{9});
  bring(elsewhere, Access::Read, {200, 400});
  EXPECT_EQ(std::byte{9}, memory(elsewhere)[299]);
  EXPECT_EQ(std::byte{7}, memory(elsewhere)[300]);
  EXPECT_EQ(100u, traffic.bytes);
  EXPECT_EQ(200u, trafficElsewhere.bytes);
  // What is on the host only passes through.
  bring(near, Access::Read, {200, 300});
  EXPECT_EQ(300u, traffic.bytes + trafficElsewhere.bytes - 100);
}

TEST_F(StorageTest, ManyBytesComeByWayOfTheHostPartByPart) {
  constexpr uint64_t many = (uint64_t{40} << 20) + 12345;
  std::vector<uint32_t> values(many / sizeof(uint32_t) + 1);
  std::mt19937 random(3);
  std::ranges::generate(values, random);
  storage = make(values.data(), many);
  bring(far, Access::ReadWrite, {0, many});
  trafficElsewhere.isHeld = true;
  Waiter waiter;
  EXPECT_FALSE(storage->bring(elsewhere, Access::Read, {1, many}, waiter));
  // Two parts are under way: what is read waits for what was read before to be written.
  EXPECT_EQ(2u, trafficElsewhere.waiting.size());
  EXPECT_EQ(3u, traffic.copies);
  EXPECT_EQ(0, waiter.calls);
  trafficElsewhere.letGo();
  EXPECT_EQ(1, waiter.calls);
  EXPECT_EQ(CL_COMPLETE, waiter.status);
  EXPECT_EQ(many - 1, trafficElsewhere.bytes);
  EXPECT_EQ(0, std::memcmp(memory(elsewhere) + 1,
                           reinterpret_cast<const std::byte*>(values.data()) + 1, many - 1));
}

TEST_F(StorageTest, EitherHalfOfTheWayByTheHostMayFail) {
  bring(far, Access::ReadWrite, {0, size});
  for (Traffic* const failing : {&traffic, &trafficElsewhere}) {
    failing->status = CL_OUT_OF_RESOURCES;
    Waiter waiter;
    EXPECT_FALSE(storage->bring(elsewhere, Access::Read, {0, 100}, waiter));
    EXPECT_EQ(1, waiter.calls);
    EXPECT_EQ(CL_OUT_OF_RESOURCES, waiter.status);
    failing->status = CL_COMPLETE;
  }
  bring(elsewhere, Access::Read, {0, 100});
  EXPECT_EQ(std::byte{7}, memory(elsewhere)[99]);
}

/// Commands on random ranges see what all before them wrote.
TEST_F(StorageTest, EveryCommandSeesTheLatestBytes) {
  std::mt19937 random(5);
  std::vector<std::byte> expected(size, std::byte{7});
  uint64_t accessed = 0;
  for (int i = 0; i < 3000; ++i) {
    const uint64_t a = random() % (size + 1), b = random() % (size + 1);
    const ByteRange range = {std::min(a, b), std::max(a, b)};
    const auto copy = static_cast<uint32_t>(random() % 3);
    const Access access = std::array{Access::Read, Access::Write, Access::ReadWrite}[random() % 3];
    bring(copy, access, range);
    accessed += range.bytes();
    if (access != Access::Write)
      ASSERT_EQ(
          0, std::memcmp(memory(copy) + range.begin, expected.data() + range.begin, range.bytes()));
    if (access == Access::Read)
      continue;
    const auto value = static_cast<std::byte>(random());
    std::fill_n(memory(copy) + range.begin, range.bytes(), value);
    std::fill_n(expected.data() + range.begin, range.bytes(), value);
  }
  EXPECT_LT(traffic.bytes + trafficElsewhere.bytes, accessed / 2);
}

} // namespace
} // namespace quern::runtime
