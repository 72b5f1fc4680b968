// Devices of other processes beyond their contract: kernels, several nodes, and nodes that are
// lost.
#include <atomic>
#include <chrono>
#include <csignal>
#include <numeric>
#include <set>
#include <thread>

#include "cluster/records.h"
#include "devices/remote/enumerate.h"
#include "loaded_kernel.h"
#include "node_process.h"

namespace quern::test {
namespace {

/// Nodes that an MPI launcher has started beside this test; skipped without.
class RemoteTest : public DeviceTest {
protected:
  RemoteTest() : DeviceTest(remote::enumerate) {}

  Ref<device::Executable> load(abi::KernelDescription description) {
    abi::ProgramImage image;
    image.code = readObject("kernels.o");
    image.kernels.push_back(std::move(description));
    auto executable = device->load(image);
    EXPECT_TRUE(executable.ok()) << executable.status().sentence();
    return *executable;
  }
};

TEST_F(RemoteTest, EveryNodeHasADeviceOfItsOwn) {
  const auto devices = remote::enumerate();
  std::set<std::string> names;
  for (const Ref<device::Device>& one : devices)
    names.insert(one->caps().name);
  EXPECT_EQ(names.size(), devices.size());
  EXPECT_FALSE(device->caps().hostUnifiedMemory);
  EXPECT_FALSE(device->caps().nativeKernels);
}

TEST_F(RemoteTest, AllNodesHaveMemoryAtOneAddress) {
  constexpr uint64_t bytes = 64 * sizeof(uint32_t);
  EXPECT_EQ(device->caps().svm, cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER});
  const auto place = *device->takeAddresses(bytes);
  for (const Ref<device::Device>& one : remote::enumerate()) {
    const auto there = one->allocate({.bytes = bytes, .place = place});
    ASSERT_TRUE(there.ok()) << there.status().sentence();
    EXPECT_EQ((*there.value()).address(), place->address());
    EXPECT_EQ((*there.value()).hostPointer(), nullptr);
  }
  const auto here = device->allocate({.bytes = bytes, .shared = true, .place = place});
  ASSERT_TRUE(here.ok()) << here.status().sentence();
  EXPECT_EQ((*here.value()).hostPointer(), place->data());
}

TEST_F(RemoteTest, KernelsFollowAddressesThatHoldEverywhere) {
  const auto executable = load(describe("count_items", 8));
  const auto place = *device->takeAddresses(64 * sizeof(uint32_t));
  const auto here = *device->allocate({.bytes = 256, .shared = true, .place = place});
  const auto there = *device->allocate({.bytes = 256, .place = place});
  EXPECT_EQ(run(device::Fill{.destination = {.allocation = there.get()}, .bytes = 256}),
            CL_COMPLETE);
  EXPECT_EQ(run(device::LaunchKernel{
                executable, 0, {.global = {64, 1, 1}}, Arguments().add(place->address()).bytes}),
            CL_COMPLETE);
  EXPECT_EQ(values<uint32_t>(there), std::vector<uint32_t>(64, 1));
  EXPECT_EQ(reinterpret_cast<uint32_t*>(here->hostPointer())[63], 0u) << "it is another memory";
}

TEST_F(RemoteTest, ANodeHasOneMemoryAtAnAddress) {
  const auto place = *device->takeAddresses(100);
  const auto first = device->allocate({.bytes = 100, .place = place});
  ASSERT_TRUE(first.ok());
  const auto second = device->allocate({.bytes = 100, .place = place});
  EXPECT_EQ(second.status().code(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  EXPECT_NE(second.status().sentence().find("no free addresses for 100 bytes"), std::string::npos)
      << second.status().sentence();
}

TEST_F(RemoteTest, ThereAreOnlySoManyAddresses) {
  const auto place = device->takeAddresses(uint64_t{1} << 60);
  EXPECT_EQ(place.status().code(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  EXPECT_NE(place.status().sentence().find("no addresses are left for"), std::string::npos);
}

TEST_F(RemoteTest, RunsEveryWorkItemOnce) {
  const auto executable = load(describe("count_items", 8));
  const device::NdRange range = {
      .workDim = 2, .offset = {5, 7, 0}, .global = {33, 65, 1}, .local = {8, 4, 1}};
  const auto out = allocateWith(std::vector<uint32_t>(33 * 65, 0));
  for (uint32_t round = 1; round <= 3; ++round) {
    EXPECT_EQ(
        run(device::LaunchKernel{executable, 0, range, Arguments().add(out->address()).bytes}),
        CL_COMPLETE);
    EXPECT_EQ(values<uint32_t>(out), std::vector<uint32_t>(33 * 65, round));
  }
}

TEST_F(RemoteTest, ThousandsOfCommandsAreUnderWayAtOnce) {
  const auto executable = load(describe("count_items", 8));
  const auto out = allocateWith(std::vector<uint32_t>(64, 0));
  constexpr uint32_t count = 5000;
  std::vector<CommandProbe> commands(count);
  for (CommandProbe& command : commands) {
    command.ownWork = device::LaunchKernel{
        executable, 0, {.global = {64, 1, 1}}, Arguments().add(out->address()).bytes};
    queue->submit(command);
  }
  queue->flush();
  for (CommandProbe& command : commands)
    command.wait();
  EXPECT_EQ(values<uint32_t>(out), std::vector<uint32_t>(64, count));
}

TEST_F(RemoteTest, WorkIsAppendedToACommandThatHasNotEnded) {
  const auto executable = load(describe("count_items", 8));
  const auto out = allocateWith(std::vector<uint32_t>(64, 0));
  const device::Work work = device::LaunchKernel{
      executable, 0, {.global = {64, 1, 1}}, Arguments().add(out->address()).bytes};
  CommandProbe command(work);
  command.mayGrow = true;
  queue->submit(command);
  uint32_t runs = 1;
  for (int i = 0; i < 100; ++i)
    runs += queue->append(command, work);
  queue->flush();
  command.wait();
  EXPECT_EQ(values<uint32_t>(out), std::vector<uint32_t>(64, runs));
}

TEST_F(RemoteTest, WritesWaitForReadsIntoTheSameMemory) {
  for (const size_t count : {size_t(100), size_t(300'000)}) {
    std::vector<uint32_t> first(count);
    std::iota(first.begin(), first.end(), 7u);
    const auto source = allocateWith(first);
    const auto target = allocate(count * 4);
    std::vector<uint32_t> memory(count, 0);
    const device::Place host = {.host = reinterpret_cast<std::byte*>(memory.data())};
    CommandProbe read(device::Copy{{.allocation = source.get()}, host, count * 4});
    CommandProbe write(device::Copy{host, {.allocation = target.get()}, count * 4});
    queue->submit(read);
    queue->submit(write);
    queue->flush();
    write.wait();
    read.wait();
    EXPECT_EQ(values<uint32_t>(target), first) << count;
  }
}

TEST_F(RemoteTest, BoxesOfRowsAreCopiedWhileTheNodeHearsOfMore) {
  constexpr uint64_t pitch = 512, width = 100, rows = 128;
  std::vector<std::byte> memory(width * rows);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = std::byte(i * 7 % 251);
  const auto target = allocate(pitch * rows);
  constexpr uint32_t count = 2000;
  std::vector<CommandProbe> commands(count);
  for (CommandProbe& command : commands) {
    command.ownWork = device::CopyRect{.source = {.host = memory.data()},
                                       .destination = {.allocation = target.get()},
                                       .sourceRowPitch = width,
                                       .sourceSlicePitch = width * rows,
                                       .destinationRowPitch = pitch,
                                       .destinationSlicePitch = pitch * rows,
                                       .region = {width, rows, 1}};
    queue->submit(command);
  }
  queue->flush();
  for (CommandProbe& command : commands) {
    command.wait();
    ASSERT_EQ(command.status, CL_COMPLETE);
  }
  const std::vector<std::byte> written = values<std::byte>(target);
  for (size_t row = 0; row < rows; ++row)
    ASSERT_TRUE(
        std::equal(&memory[row * width], &memory[row * width] + width, &written[row * pitch]))
        << row;
}

TEST_F(RemoteTest, BytesGoFromNodeToNode) {
  const auto devices = remote::enumerate();
  if (devices.size() < 2)
    GTEST_SKIP() << "there is one node";
  std::vector<uint32_t> input(200'000);
  std::iota(input.begin(), input.end(), 3u);
  const auto here = allocateWith(input);
  const auto otherQueue = *devices[1]->createQueue({});
  const auto there = *devices[1]->allocate({.bytes = here->bytes()});
  CommandProbe move(device::Copy{
      {.allocation = here.get(), .offset = 400}, {.allocation = there.get()}, 100'000});
  std::vector<uint32_t> output(25'000);
  CommandProbe read(device::Copy{
      {.allocation = there.get()}, {.host = reinterpret_cast<std::byte*>(output.data())}, 100'000});
  otherQueue->submit(move);
  otherQueue->submit(read);
  otherQueue->flush();
  move.wait();
  read.wait();
  EXPECT_EQ(move.status, CL_COMPLETE);
  EXPECT_EQ(output, std::vector<uint32_t>(input.begin() + 100, input.begin() + 25'100));
}

TEST_F(RemoteTest, TheNodeSaysWhatLaunchesAreGood) {
  const auto executable = load(describe("count_items", 8));
  EXPECT_NE(executable->limits(0).maxWorkGroupSize, 0u);
  const Status status = executable->checkLaunch(0, {}, UINT64_MAX / 2);
  EXPECT_EQ(status.code(), CL_OUT_OF_RESOURCES);
  EXPECT_NE(status.sentence().find("local memory"), std::string::npos);
  EXPECT_EQ(executable->suggestLocalSize(0, {.global = {1, 1, 1}}, false),
            (std::array<uint64_t, 3>{1, 1, 1}));
}

// A specialisation counts for itself, whichever kernel of its program the launch is of.
TEST_F(RemoteTest, ASpecialisationReportsThatItIsHot) {
  abi::ProgramImage image;
  image.code = readObject("kernels.o");
  image.kernels = {describe("nothing", 12), describe("uneven", 12)};
  const auto program = *device->load(image);
  const auto specialisation = load(describe("uneven", 12));
  std::atomic<int> reports = 0;
  specialisation->setHotnessTrigger(0, 1'000'000, [&](const device::LaunchKernel&) { ++reports; });
  ASSERT_TRUE(program->addSpecialisation(1, specialisation, device::Adoption::AtOnce).ok());
  const auto out = *device->allocate({.bytes = 64 * 8});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (reports == 0 && std::chrono::steady_clock::now() < end)
    EXPECT_EQ(
        run(device::LaunchKernel{program,
                                 1,
                                 {.global = {64, 1, 1}},
                                 Arguments().add(out->address()).add(uint32_t{200'000}).bytes}),
        CL_COMPLETE);
  EXPECT_EQ(reports, 1);
}

TEST_F(RemoteTest, CodeThatIsNoneIsRefused) {
  abi::ProgramImage image;
  image.code.resize(100);
  image.kernels.push_back(describe("count_items", 8));
  EXPECT_EQ(device->load(image).status().code(), CL_INVALID_BINARY);
}

TEST_F(RemoteTest, DamagedMessagesAreNotRead) {
  FieldWriter out;
  write(out, cluster::Submit{1, 2, cluster::Launch{.arguments = Bytes(100)}});
  write(out, cluster::Allocate{.call = 3});
  const Bytes message = out.take();
  int records = 0;
  const auto count = [&](auto&) { return ++records != 0; };
  EXPECT_TRUE(cluster::forEachRecord(message, count));
  EXPECT_EQ(records, 2);
  for (size_t bytes = 0; bytes < message.size(); ++bytes) {
    records = 0;
    cluster::forEachRecord(std::span(message).first(bytes), count);
    EXPECT_LT(records, 2);
  }
  for (size_t place = 0; place < message.size(); ++place) {
    Bytes damaged = message;
    damaged[place] ^= std::byte(0xff);
    cluster::forEachRecord(damaged, count);
  }
}

/// The last of these tests, each of which has a job of its own: nodes do not come back.
class RemoteFaultTest : public RemoteTest {
protected:
  void SetUp() override {
    RemoteTest::SetUp();
    if (device)
      ASSERT_NE(node = nodeProcess(1), 0);
  }
  void expectLost() {
    EXPECT_EQ(device->allocate({.bytes = 100}).status().code(), CL_DEVICE_NOT_AVAILABLE);
    EXPECT_EQ(
        device->allocate({.bytes = 100, .place = *device->takeAddresses(100)}).status().code(),
        CL_DEVICE_NOT_AVAILABLE);
    EXPECT_EQ(device->createQueue({}).status().code(), CL_DEVICE_NOT_AVAILABLE);
    EXPECT_LT(run(device::Nothing()), 0);
    const Ref<device::Device> other = remote::enumerate().at(1);
    const auto memory = *other->allocate({.bytes = 100});
    const auto otherQueue = *other->createQueue({});
    CommandProbe command(device::Fill{.destination = {.allocation = memory.get()}, .bytes = 100});
    otherQueue->submit(command);
    otherQueue->flush();
    command.wait();
    EXPECT_EQ(command.status, CL_COMPLETE) << "the other nodes go on";
  }
  pid_t node = 0;
};

TEST_F(RemoteFaultTest, KilledWithoutWork) {
  kill(node, SIGKILL);
  EXPECT_LT(run(device::Nothing()), 0);
  expectLost();
}

TEST_F(RemoteFaultTest, SlowIsNotLost) {
  kill(node, SIGSTOP);
  CommandProbe command;
  queue->submit(command);
  queue->flush();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  kill(node, SIGCONT);
  command.wait();
  EXPECT_EQ(command.status, CL_COMPLETE);
  const std::vector<uint32_t> numbers = {1, 2, 3};
  EXPECT_EQ(values<uint32_t>(allocateWith(numbers)), numbers);
}

TEST_F(RemoteFaultTest, KilledWhileItLoadsAProgram) {
  abi::ProgramImage image;
  image.code = readObject("kernels.o");
  image.kernels.push_back(describe("count_items", 8));
  kill(node, SIGSTOP);
  std::thread killer([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(node, SIGKILL);
  });
  EXPECT_EQ(device->load(image).status().code(), CL_DEVICE_NOT_AVAILABLE);
  killer.join();
  expectLost();
}

TEST_F(RemoteFaultTest, KilledWhileAKernelRuns) {
  const auto executable = load(describe("uneven", 12));
  const auto out = allocate(300 * 8);
  CommandProbe launch(
      device::LaunchKernel{executable,
                           0,
                           {.global = {300, 1, 1}},
                           Arguments().add(out->address()).add(uint32_t(1) << 30).bytes});
  CommandProbe next;
  queue->submit(launch);
  queue->submit(next);
  queue->flush();
  kill(node, SIGKILL);
  launch.wait();
  next.wait();
  EXPECT_LT(launch.status, 0);
  EXPECT_LT(next.status, 0);
  expectLost();
}

TEST_F(RemoteFaultTest, KilledWhileBytesComeAndGo) {
  constexpr uint64_t bytes = 32 << 20;
  std::vector<std::byte> memory(bytes), result(bytes);
  const auto allocation = allocate(bytes);
  kill(node, SIGSTOP);
  CommandProbe write(
      device::Copy{{.host = memory.data()}, {.allocation = allocation.get()}, bytes});
  CommandProbe read(device::Copy{{.allocation = allocation.get()}, {.host = result.data()}, bytes});
  queue->submit(write);
  queue->submit(read);
  queue->flush();
  kill(node, SIGKILL);
  write.wait();
  read.wait();
  EXPECT_LT(write.status, 0);
  EXPECT_LT(read.status, 0);
  expectLost();
}

TEST_F(RemoteFaultTest, KilledWhileAnotherNodeAsksItForBytes) {
  const auto allocation = allocate(8 << 20);
  const Ref<device::Device> other = remote::enumerate().at(1);
  const auto target = *other->allocate({.bytes = allocation->bytes()});
  const auto otherQueue = *other->createQueue({});
  kill(node, SIGSTOP);
  CommandProbe move(device::Copy{
      {.allocation = allocation.get()}, {.allocation = target.get()}, allocation->bytes()});
  otherQueue->submit(move);
  otherQueue->flush();
  CommandProbe own;
  queue->submit(own);
  queue->flush();
  kill(node, SIGKILL);
  own.wait();
  move.wait();
  EXPECT_LT(own.status, 0);
  EXPECT_LT(move.status, 0);
  expectLost();
}

TEST(RemoteStrangerTest, WhoDoesNotKnowTheSecretGetsNoDevice) {
  if (!std::getenv("QUERN_NODE_SECRET"))
    GTEST_SKIP() << "no launcher has started nodes with another secret";
  EXPECT_TRUE(remote::enumerate().empty());
}

} // namespace
} // namespace quern::test
