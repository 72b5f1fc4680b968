// The CUDA device with the stand-in for NVIDIA's driver, whose memory is the host's: images, and
// what a kernel may need.
#include <atomic>
#include <cstring>
#include <deque>
#include <numeric>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/cpu_image.h"
#include "devices/cuda/clock.h"
#include "devices/cuda/copy_team.h"
#include "devices/cuda/memory_pool.h"
#include "loaded_kernel.h"

namespace quern::test {
namespace {

class CudaTest : public DeviceTest {
protected:
  CudaTest() : DeviceTest(cuda::enumerate) {}
  void SetUp() override {
    DeviceTest::SetUp();
    if (device && device->caps().name != "Stand-in GPU")
      GTEST_SKIP() << "the host cannot look into the GPU's memory";
  }
};

/// The GPU's clock can be compared with the host's to some microseconds, or milliseconds where
/// others use the GPU, but its durations are exact.
TEST(ClockTest, DurationsAreKeptWhereTimesArePutRight) {
  const auto expectPlaced = [](uint64_t start, uint64_t duration, uint64_t expectedStart,
                               uint64_t expectedEnd) {
    const cuda::Interval interval = cuda::placed(start, duration, {.start = 1000, .end = 2000});
    EXPECT_EQ(interval.start, expectedStart) << start << " " << duration;
    EXPECT_EQ(interval.end, expectedEnd) << start << " " << duration;
  };
  expectPlaced(1200, 300, 1200, 1500);
  expectPlaced(500, 300, 1000, 1300);   // before it was given to the GPU
  expectPlaced(100, 300, 1000, 1300);   // all of it
  expectPlaced(1900, 300, 1700, 2000);  // ends after its end was seen
  expectPlaced(5000, 300, 1700, 2000);  // all of it
  expectPlaced(1200, 3000, 1000, 2000); // longer than both allow
}

TEST_F(CudaTest, DescriptionIsThereWhenTheImageIs) {
  const auto elements = allocate(16 * 8 * 4);
  for (uint64_t width : {16u, 8u}) {
    const auto image = device->createImage({.description = {.type = CL_MEM_OBJECT_IMAGE2D,
                                                            .format = {CL_RGBA, CL_UNORM_INT8},
                                                            .size = {width, 8, 1},
                                                            .rowStride = width * 4,
                                                            .sliceStride = width * 32},
                                            .allocation = elements});
    ASSERT_TRUE(image.ok()) << image.status().sentence();
    abi::CpuImage description = {};
    std::memcpy(&description, reinterpret_cast<const void*>(image.value()->handle()),
                sizeof(description));
    EXPECT_EQ(description.data, elements->address());
    EXPECT_EQ(description.strides[0], width * 4);
    EXPECT_EQ(description.size[0], static_cast<int32_t>(width));
    EXPECT_EQ(description.size[1], 8);
  }
}

/// The stand-in's pools keep what is given back, but give none of it out again.
TEST_F(CudaTest, UnusedMemoryGoesBackBeforeMemoryRunsOut) {
  const uint64_t total = device->caps().globalMemBytes;
  for (const bool shared : {false, true}) {
    for (int round = 0; round < 3; ++round) {
      EXPECT_TRUE(device->allocate({.bytes = total / 10, .shared = shared}).ok());
      const auto most = device->allocate({.bytes = total / 20 * 19, .shared = shared});
      EXPECT_TRUE(most.ok()) << most.status().sentence();
    }
  }
}

TEST_F(CudaTest, MuchUnusedMemoryGoesBackAtOnce) {
  const cuda::DriverApi& api = *cuda::DriverApi::load();
  static cuda::Gpu gpu(api, 0);
  ASSERT_TRUE(gpu.open().ok());
  const cuda::CurrentContext current(gpu);
  static cuda::MemoryPool pool(gpu, cuda::MemoryPool::Where::Device); // lives as long as a process
  const uint64_t most = device->caps().globalMemBytes / 5 * 4;
  cuda::Address address = 0;
  ASSERT_EQ(pool.take(address, most), cuda::Error::Success);
  cuda::Address others = 0;
  EXPECT_EQ(api.memAlloc(&others, most), cuda::Error::OutOfMemory);
  pool.giveBack(address, most);
  ASSERT_EQ(api.memAlloc(&others, most), cuda::Error::Success);
  api.memFree(others);
}

TEST_F(CudaTest, ManagedMemoryNeverExceedsWhatIsFree) {
  const uint64_t total = device->caps().globalMemBytes;
  EXPECT_TRUE(device->caps().svm & CL_DEVICE_SVM_ATOMICS);
  const auto managed = [&](uint64_t bytes) {
    return device->allocate({.bytes = bytes, .shared = true, .atomics = true});
  };
  // What is unused in the pool counts as free.
  EXPECT_TRUE(device->allocate({.bytes = total / 10}).ok());
  {
    const auto first = managed(total / 4);
    ASSERT_TRUE(first.ok()) << first.status().sentence();
    EXPECT_EQ(reinterpret_cast<uint64_t>(first.value()->hostPointer()), first.value()->address());
    // Neither more of it nor other memory may need pages that are in use.
    EXPECT_EQ(managed(total / 4 * 3).status().code(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    EXPECT_EQ(device->allocate({.bytes = total / 4 * 3}).status().code(),
              CL_MEM_OBJECT_ALLOCATION_FAILURE);
    EXPECT_TRUE(managed(total / 4).ok());
    EXPECT_TRUE(device->allocate({.bytes = total / 4}).ok());
    // Pinned memory is the host's alone.
    EXPECT_TRUE(device->allocate({.bytes = total / 4 * 3, .shared = true}).ok());
  }
  EXPECT_TRUE(device->allocate({.bytes = total / 4 * 3}).ok());
  EXPECT_EQ(managed(total + 1).status().code(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

TEST_F(CudaTest, SharedMemoryIsTheHostsToo) {
  const auto shared = device->allocate({.bytes = 1000, .shared = true});
  ASSERT_TRUE(shared.ok()) << shared.status().sentence();
  EXPECT_EQ(reinterpret_cast<uint64_t>(shared.value()->hostPointer()), shared.value()->address());
  EXPECT_EQ(shared.value()->address() % 256, 0u);
  const auto own = device->allocate({.bytes = 1000});
  ASSERT_TRUE(own.ok()) << own.status().sentence();
  EXPECT_EQ(own.value()->hostPointer(), nullptr);
}

/// Values in the host's memory as a place to copy from or to.
class HostValues {
public:
  explicit HostValues(size_t count, int first = 0) : values(count) {
    std::iota(values.begin(), values.end(), first);
  }
  device::Place place() { return {.host = reinterpret_cast<std::byte*>(values.data())}; }
  uint64_t bytes() const { return values.size() * sizeof(int); }
  std::vector<int> values;
};

/// Sizes below and above those that the driver copies by itself.
class CudaStagingTest : public CudaTest, public testing::WithParamInterface<size_t> {};
INSTANTIATE_TEST_SUITE_P(CountsOfInts, CudaStagingTest,
                         testing::Values(1, 1000, 50000, 300000, 600001, 5000003));

TEST_P(CudaStagingTest, ReadsArriveBeforeTheirMemoryIsReadAgain) {
  const HostValues expected(GetParam(), 7);
  const auto from = allocateWith(expected.values), to = allocate(expected.bytes());
  HostValues host(GetParam());
  CommandProbe read(device::Copy{{.allocation = from.get()}, host.place(), host.bytes()});
  CommandProbe write(device::Copy{host.place(), {.allocation = to.get()}, host.bytes()});
  queue->submit(read);
  queue->submit(write);
  write.waitHelping(*device, *queue);
  EXPECT_EQ(values<int>(to), expected.values);
  EXPECT_EQ(host.values, expected.values);
}

TEST_P(CudaStagingTest, ReadsArriveBeforeBoxesOfTheirMemoryAreRead) {
  const HostValues expected(GetParam(), 7);
  const auto from = allocateWith(expected.values), to = allocate(expected.bytes());
  HostValues host(GetParam());
  CommandProbe read(device::Copy{{.allocation = from.get()}, host.place(), host.bytes()});
  CommandProbe write(device::CopyRect{.source = host.place(),
                                      .destination = {.allocation = to.get()},
                                      .sourceRowPitch = host.bytes(),
                                      .sourceSlicePitch = host.bytes(),
                                      .destinationRowPitch = host.bytes(),
                                      .destinationSlicePitch = host.bytes(),
                                      .region = {host.bytes(), 1, 1}});
  queue->submit(read);
  queue->submit(write);
  write.waitHelping(*device, *queue);
  EXPECT_EQ(values<int>(to), expected.values);
}

TEST_P(CudaStagingTest, EveryByteArrivesWhereItBelongs) {
  HostValues expected(GetParam());
  std::iota(expected.values.begin(), expected.values.end(), 5);
  const auto to = allocate(expected.bytes());
  HostValues host(GetParam());
  for (int round = 0; round < 3; ++round) {
    expected.values.front() = expected.values.back() = round;
    CommandProbe write(device::Copy{expected.place(), {.allocation = to.get()}, host.bytes()});
    CommandProbe read(device::Copy{{.allocation = to.get()}, host.place(), host.bytes()});
    queue->submit(write);
    queue->submit(read);
    read.waitHelping(*device, *queue);
    EXPECT_EQ(host.values, expected.values);
  }
}

TEST_P(CudaStagingTest, LaterReadsWin) {
  const HostValues first(GetParam(), 1), second(GetParam(), 2);
  const auto a = allocateWith(first.values), b = allocateWith(second.values);
  HostValues host(GetParam());
  CommandProbe one(device::Copy{{.allocation = a.get()}, host.place(), host.bytes()});
  CommandProbe two(device::Copy{{.allocation = b.get()}, host.place(), host.bytes()});
  queue->submit(one);
  queue->submit(two);
  two.waitHelping(*device, *queue);
  EXPECT_EQ(host.values, second.values);
}

TEST_P(CudaStagingTest, MemoryThatTheGpuReachesHasWhatWasReadForTheNextCommand) {
  const HostValues expected(GetParam(), 7);
  const auto from = allocateWith(expected.values), to = allocate(expected.bytes());
  for (const bool atomics : {false, true}) {
    auto pinned = device->allocate({.bytes = expected.bytes(), .shared = true, .atomics = atomics});
    ASSERT_TRUE(pinned.ok()) << pinned.status().sentence();
    CommandProbe read(device::Copy{
        {.allocation = from.get()}, {.host = (*pinned)->hostPointer()}, expected.bytes()});
    CommandProbe copy(
        device::Copy{{.allocation = pinned->get()}, {.allocation = to.get()}, expected.bytes()});
    queue->submit(read);
    queue->submit(copy);
    copy.waitHelping(*device, *queue);
    EXPECT_EQ(values<int>(to), expected.values);
  }
}

TEST_P(CudaStagingTest, AnyNumberMayBeUnderWay) {
  const HostValues expected(GetParam(), 7);
  const auto from = allocateWith(expected.values);
  std::vector<HostValues> hosts(30, HostValues(GetParam()));
  std::deque<CommandProbe> reads;
  for (HostValues& host : hosts)
    queue->submit(
        reads.emplace_back(device::Copy{{.allocation = from.get()}, host.place(), host.bytes()}));
  for (CommandProbe& read : reads)
    read.waitHelping(*device, *queue);
  for (const HostValues& host : hosts)
    EXPECT_EQ(host.values, expected.values);
}

TEST(CopyTeamTest, IsNotThereInAChildOfAFork) {
  cuda::CopyTeam* const team = cuda::CopyTeam::get();
  if (!team)
    GTEST_SKIP() << "there is one processor only";
  std::atomic<int> calls = 0;
  ASSERT_TRUE(team->start([&] { ++calls; }));
  team->join();
  EXPECT_GT(calls, 0);
  const pid_t child = fork();
  if (child == 0)
    _exit(cuda::CopyTeam::get() ? 1 : 0);
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}

TEST_F(CudaTest, CommandsGrowWhileTheyAreTheLast) {
  const std::vector<int> one = {1}, two = {2}, three = {3};
  const auto a = allocateWith(one), b = allocateWith(two), c = allocateWith(three);
  const auto copy = [](const auto& from, const auto& to) {
    return device::Copy{{.allocation = from.get()}, {.allocation = to.get()}, sizeof(int)};
  };
  const device::Work bToC = copy(b, c), aToC = copy(a, c);
  CommandProbe first(copy(a, b)), second(copy(b, c));
  first.mayGrow = second.mayGrow = true;
  EXPECT_FALSE(queue->append(first, bToC)); // nobody submitted it
  queue->submit(first);
  int grown = 0;
  while (grown < 100 && queue->append(first, bToC))
    ++grown;
  EXPECT_LT(grown, 100); // or those before would end late
  queue->submit(second);
  EXPECT_FALSE(queue->append(first, aToC));
  second.waitHelping(*device, *queue);
  first.wait();
  EXPECT_EQ(first.finishedCalls, 1);
  EXPECT_FALSE(queue->append(second, aToC));
  EXPECT_EQ(values<int>(c), one);
}

/// What a kernel of the stand-in's is launched with.
class CudaLaunchTest : public CudaTest {
protected:
  void load(std::vector<abi::KernelDescription> kernels) {
    abi::ProgramImage image;
    image.kernels = std::move(kernels);
    for (const char c : std::string(".entry"))
      image.code.push_back(static_cast<std::byte>(c));
    image.code.push_back(std::byte{0});
    auto loaded = device->load(image);
    ASSERT_TRUE(loaded.ok()) << loaded.status().sentence();
    executable = std::move(loaded.value());
  }
  Ref<device::Executable> executable;
  const device::NdRange range = {.workDim = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
};

TEST_F(CudaLaunchTest, KernelsThatNeedTooMuchAreRefused) {
  load({describe("small", 0), describe("large", 0)});
  const uint64_t localBytes = device->caps().localMemBytes;
  EXPECT_EQ(localBytes, 227u << 10);
  EXPECT_TRUE(executable->checkLaunch(0, range, localBytes).ok());
  // More local memory than a work-group has.
  const Status local = executable->checkLaunch(0, range, localBytes + 1);
  EXPECT_EQ(local.code(), CL_OUT_OF_RESOURCES);
  EXPECT_NE(local.sentence().find("232449"), std::string::npos) << local.sentence();
  // More private memory than a work-item has.
  const Status priv = executable->checkLaunch(1, range, 0);
  EXPECT_EQ(priv.code(), CL_OUT_OF_RESOURCES);
  EXPECT_NE(priv.sentence().find("1048576"), std::string::npos) << priv.sentence();
}

TEST_F(CudaLaunchTest, LargeLocalMemoryIsAskedFor) {
  abi::KernelDescription kernel = describe("small", 8);
  kernel.localBytes = 100 << 10; // variables of its own in the dynamic memory
  kernel.arguments.push_back(
      {.kind = abi::ArgumentKind::Local, .offset = 0, .bytes = 8, .alignment = 16});
  load({kernel});
  EXPECT_EQ(executable->limits(0).localBytes, 100u << 10);
  constexpr uint64_t rest = 127 << 10;
  EXPECT_TRUE(executable->checkLaunch(0, range, rest).ok());
  EXPECT_EQ(executable->checkLaunch(0, range, rest + 1).code(), CL_OUT_OF_RESOURCES);
  for (const uint64_t bytes : {rest, uint64_t(8), rest}) {
    Bytes arguments(8);
    std::memcpy(arguments.data(), &bytes, sizeof(bytes));
    EXPECT_EQ(run(device::LaunchKernel{executable, 0, range, arguments}), CL_COMPLETE);
  }
}

/// With the stand-in for NVTX, which the build puts beside that for the driver.
TEST_F(CudaLaunchTest, LaunchesAreRangesOfNvidiasTools) {
  if (!getenv("NVTX_INJECTION64_PATH"))
    GTEST_SKIP() << "no tool asks for ranges";
  void* const library = dlopen("libnvToolsExt.so.1", RTLD_NOW);
  ASSERT_TRUE(library) << dlerror();
  const auto names = reinterpret_cast<const char* (*)()>(dlsym(library, "fakeNvtxNames"));
  const auto depth = reinterpret_cast<int (*)()>(dlsym(library, "fakeNvtxDepth"));
  ASSERT_TRUE(names && depth);
  load({describe("small", 0)});
  const size_t before = std::string(names()).size();
  EXPECT_EQ(run(device::LaunchKernel{executable, 0, range, {}}), CL_COMPLETE);
  EXPECT_EQ(std::string(names()).substr(before), "small\n");
  EXPECT_EQ(depth(), 0);
}

} // namespace
} // namespace quern::test
