// What the CPU device says about the machine.
#include <unistd.h>

#include "backend_test.h"
#include "devices/cpu/caps.h"
#include "devices/cpu/local_size.h"
#include "devices/cpu/partition.h"
#include "devices/cpu/resources.h"
#include "devices/cpu/tile.h"
#include "devices/cpu/topology.h"
#include "temporary_folder.h"

namespace quern::test {
namespace {

/// A made-up /proc and /sys.
class CgroupTest : public testing::Test {
protected:
  void write(const std::string& path, const std::string& text) { writeFile(root + path, text); }
  const TemporaryFolder folder;
  const std::string root = folder.path();
};

TEST_F(CgroupTest, NoFilesMeanNoLimit) {
  EXPECT_EQ(cpu::cgroupCpuQuota(root), 0u);
  EXPECT_EQ(cpu::cgroupMemoryLimit(root), 0u);
}

TEST_F(CgroupTest, VersionTwoLimitsOfAllLevelsCount) {
  write("/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
  write("/proc/self/cgroup", "0::/outer/inner\n");
  write("/sys/fs/cgroup/outer/cpu.max", "250000 100000\n");
  write("/sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/outer/memory.max", "max\n");
  write("/sys/fs/cgroup/outer/inner/memory.max", "1073741824\n");
  EXPECT_EQ(cpu::cgroupCpuQuota(root), 3u) << "2.5 CPUs are rounded up";
  EXPECT_EQ(cpu::cgroupMemoryLimit(root), 1073741824u);
}

TEST_F(CgroupTest, VersionOneLimitsOfAContainerCount) {
  write("/proc/self/mounts", "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n"
                             "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n");
  // The path is the host's and does not exist inside.
  write("/proc/self/cgroup", "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
  EXPECT_EQ(cpu::cgroupCpuQuota(root), 2u);
  EXPECT_EQ(cpu::cgroupMemoryLimit(root), 536870912u);
}

TEST(ProcessorTest, DescribesThisMachine) {
  const cpu::Processor processor = cpu::readProcessor();
  EXPECT_FALSE(processor.name.empty());
  EXPECT_FALSE(processor.vendorId.empty());
  EXPECT_GT(processor.family, 0u);
  EXPECT_TRUE(processor.has("sse3"));
  EXPECT_FALSE(processor.has("no-such-feature"));
}

TEST(TargetTest, FollowsTheMachineAndTheOption) {
  cpu::Processor processor;
  processor.vendorId = "GenuineIntel";
  processor.family = 6;
  processor.features = {"avx2", "sse4.2"};
  processor.isa = cpu::Isa::Avx2;
  const std::string native = cpu::makeTarget(processor, "native").description;
  EXPECT_EQ(native,
            "x86_64;cpu=native;model=GenuineIntel-6-0-0;features=+avx2,+sse4.2;sub-group=8");
  EXPECT_EQ(cpu::makeTarget(processor, "sse42").description,
            "x86_64;cpu=x86-64-v2;features=;sub-group=4");
  EXPECT_EQ(cpu::makeTarget(processor, "avx2").description,
            "x86_64;cpu=x86-64-v3;features=;sub-group=8");
  EXPECT_EQ(cpu::makeTarget(processor, "avx512").description, native) << "the machine lacks it";
  EXPECT_EQ(cpu::makeTarget(processor, "mmx").description, native);
  EXPECT_EQ(cpu::makeTarget(processor, "native", "16").description, native + ";packets=16");
  EXPECT_EQ(cpu::makeTarget(processor, "native", "auto").description, native);
  EXPECT_EQ(cpu::makeTarget(processor, "native", "3").description, native);
}

/// A made-up /sys.
class TopologyTest : public testing::Test {
protected:
  void describeCache(uint32_t cpu, int index, const std::string& level, const std::string& type,
                     const std::string& size, const std::string& cpus) {
    const std::string cache = cpuFolder(cpu) + "/cache/index" + std::to_string(index);
    writeFile(cache + "/level", level + "\n");
    writeFile(cache + "/type", type + "\n");
    writeFile(cache + "/size", size + "\n");
    writeFile(cache + "/coherency_line_size", "128\n");
    writeFile(cache + "/shared_cpu_list", cpus + "\n");
  }
  std::string cpuFolder(uint32_t cpu) const {
    return root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
  }
  /// Two packages of two cores of two threads; as is usual, a core's threads have numbers that are
  /// far apart. Each package is a NUMA node with one third-level cache.
  void describeEightCpus() {
    for (uint32_t cpu = 0; cpu < 8; ++cpu) {
      const uint32_t core = cpu % 4, package = core / 2;
      const std::string threads = std::to_string(core) + "," + std::to_string(core + 4);
      const std::string siblings = package == 0 ? "0-1,4-5" : "2-3,6-7";
      writeFile(cpuFolder(cpu) + "/topology/core_siblings_list", siblings + "\n");
      writeFile(cpuFolder(cpu) + "/topology/thread_siblings_list", threads + "\n");
      const std::string node = "node" + std::to_string(package);
      writeFile(cpuFolder(cpu) + "/" + node + "/cpulist", "");
      writeFile(root + "/sys/devices/system/node/" + node + "/cpulist", siblings + "\n");
      describeCache(cpu, 0, "1", "Instruction", "64K", threads);
      describeCache(cpu, 1, "1", "Data", "32K", threads);
      describeCache(cpu, 2, "2", "Unified", "1024K", threads);
      describeCache(cpu, 3, "3", "Unified", "32M", siblings);
    }
  }
  static std::vector<uint32_t> cpusOf(const cpu::Topology& topology) {
    std::vector<uint32_t> cpus;
    for (const cpu::Unit& unit : topology.units)
      cpus.push_back(unit.cpu);
    return cpus;
  }
  const TemporaryFolder folder;
  const std::string root = folder.path();
};

TEST_F(TopologyTest, NeighboursShareCaches) {
  describeEightCpus();
  const cpu::Topology all = cpu::readTopology(8, {0, 1, 2, 3, 4, 5, 6, 7}, root);
  EXPECT_EQ(cpusOf(all), (std::vector<uint32_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(all.units[3].group, (std::array<int32_t, 5>{0, -1, 0, 1, 1})) << "no fourth level";
  EXPECT_EQ(all.units[4].group, (std::array<int32_t, 5>{2, -1, 2, 2, 2}));
  EXPECT_EQ(all.lastLevelCacheBytes, 64u << 20);
  EXPECT_EQ(all.cacheLineBytes, 128u);
}

TEST_F(TopologyTest, OnlyCpusOfTheProcessCount) {
  describeEightCpus();
  const cpu::Topology one = cpu::readTopology(4, {2, 3, 6, 7}, root);
  EXPECT_EQ(cpusOf(one), (std::vector<uint32_t>{2, 6, 3, 7}));
  EXPECT_EQ(one.lastLevelCacheBytes, 32u << 20);
  EXPECT_EQ(cpusOf(cpu::readTopology(2, {0, 1, 2, 3}, root)), (std::vector<uint32_t>{0, 2}))
      << "fewer units than CPUs are spread";
  EXPECT_EQ(cpusOf(cpu::readTopology(3, {5}, root)), (std::vector<uint32_t>{5, 5, 5}))
      << "more units than CPUs share them";
}

TEST_F(TopologyTest, NoFilesMeanNoGroups) {
  const cpu::Topology unknown = cpu::readTopology(2, {0, 1}, root);
  EXPECT_EQ(cpusOf(unknown), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(unknown.units[1].group, (std::array<int32_t, 5>{-1, -1, -1, -1, -1}));
}

cpu::Topology fourUnits() {
  cpu::Topology topology;
  for (int32_t i = 0; i < 4; ++i)
    topology.units.push_back({.cpu = static_cast<uint32_t>(i), .group = {0, -1, i / 2, i, i}});
  return topology;
}

std::vector<std::vector<uint32_t>> partsOf(const device::PartitionRequest& request) {
  const std::vector<uint32_t> units = {0, 1, 2, 3};
  auto partition = cpu::splitUnits(fourUnits(), units, request);
  EXPECT_TRUE(partition.ok()) << partition.status().sentence();
  return partition.value().parts;
}

cl_int errorOf(const device::PartitionRequest& request) {
  const std::vector<uint32_t> units = {0, 1, 2, 3};
  return cpu::splitUnits(fourUnits(), units, request).status().code();
}

TEST(PartitionTest, SplitsEqually) {
  using Parts = std::vector<std::vector<uint32_t>>;
  EXPECT_EQ(partsOf({.unitsEach = 2}), (Parts{{0, 1}, {2, 3}}));
  EXPECT_EQ(partsOf({.unitsEach = 3}), (Parts{{0, 1, 2}})) << "the rest is left out";
  EXPECT_EQ(errorOf({.unitsEach = 4}), CL_DEVICE_PARTITION_FAILED) << "one part is no partition";
  EXPECT_EQ(errorOf({.unitsEach = 5}), CL_DEVICE_PARTITION_FAILED);
}

TEST(PartitionTest, SplitsByCounts) {
  using Parts = std::vector<std::vector<uint32_t>>;
  const auto byCounts = [](std::vector<uint32_t> counts) {
    return device::PartitionRequest{.kind = device::PartitionKind::ByCounts,
                                    .counts = std::move(counts)};
  };
  EXPECT_EQ(partsOf(byCounts({3, 1})), (Parts{{0, 1, 2}, {3}}));
  EXPECT_EQ(partsOf(byCounts({2})), (Parts{{0, 1}}));
  EXPECT_EQ(errorOf(byCounts({3, 2})), CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(errorOf(byCounts({UINT32_MAX, UINT32_MAX})), CL_INVALID_DEVICE_PARTITION_COUNT);
}

TEST(PartitionTest, SplitsByAffinity) {
  using Parts = std::vector<std::vector<uint32_t>>;
  const auto by = [](cl_device_affinity_domain domain) {
    return device::PartitionRequest{.kind = device::PartitionKind::ByAffinityDomain,
                                    .domain = domain};
  };
  EXPECT_EQ(partsOf(by(CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE)), (Parts{{0, 1}, {2, 3}}));
  EXPECT_EQ(partsOf(by(CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE)), (Parts{{0}, {1}, {2}, {3}}));
  EXPECT_EQ(partsOf(by(CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)), (Parts{{0, 1}, {2, 3}}))
      << "one NUMA node and no L4 cache: the L3 caches are the first level that splits";
  EXPECT_EQ(errorOf(by(CL_DEVICE_AFFINITY_DOMAIN_NUMA)), CL_DEVICE_PARTITION_FAILED);
  EXPECT_EQ(errorOf(by(CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE)), CL_DEVICE_PARTITION_FAILED);
  const std::vector<uint32_t> units = {0, 1, 2, 3};
  EXPECT_EQ(cpu::affinityDomains(fourUnits(), units),
            cl_device_affinity_domain(
                CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE |
                CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE));
}

std::array<uint64_t, 3> localSize(std::array<uint64_t, 3> global, bool mayBeNonUniform = false,
                                  uint32_t packetWidth = 8) {
  const uint32_t dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
  return cpu::chooseLocalSize({.range = {.workDim = dimensions, .global = global},
                               .maxItems = 4096,
                               .packetWidth = packetWidth,
                               .computeUnits = 4,
                               .mayBeNonUniform = mayBeNonUniform});
}

TEST(LocalSizeTest, DividesTheGlobalSizeIntoPackets) {
  using Size = std::array<uint64_t, 3>;
  EXPECT_EQ(localSize({1 << 20, 1, 1}), (Size{256, 1, 1}));
  EXPECT_EQ(localSize({1, 1, 1}), (Size{1, 1, 1}));
  EXPECT_EQ(localSize({1000, 1, 1})[0] % 8, 0u);
  EXPECT_EQ(localSize({16, 1024, 1}), (Size{16, 16, 1}));
  for (uint64_t size : {2u, 7u, 12u, 1000u, 1009u, 4096u, 30030u, 1'000'003u, 1'234'567u}) {
    const auto local = localSize({size, 3, 5});
    EXPECT_EQ(size % local[0], 0u) << size;
    EXPECT_EQ(3 % local[1], 0u);
    EXPECT_EQ(5 % local[2], 0u);
    EXPECT_LE(local[0] * local[1] * local[2], 4096u);
  }
}

TEST(LocalSizeTest, LeavesSeveralGroupsForEachUnit) {
  for (uint64_t size : {64u, 512u, 4096u})
    EXPECT_GE(size / localSize({size, 1, 1})[0], std::min<uint64_t>(size / 8, 8)) << size;
}

TEST(LocalSizeTest, PrimesAreCutUnevenlyWhereThatIsAllowed) {
  EXPECT_EQ(localSize({1'000'003, 1, 1}, true)[0], 256u);
  EXPECT_EQ(localSize({1'000'003, 1, 1}, false)[0], 1u);
  EXPECT_EQ(localSize({1009, 1, 1}, false)[0], 1009u) << "one group is better than one item each";
}

using Size = std::array<uint64_t, 3>;

Size tile(uint32_t flatDimensions, Size global, Size local, uint32_t computeUnits = 64) {
  return cpu::chooseTiling({.packetWidth = 16, .flatDimensions = flatDimensions}, 0b001,
                           {.range = {.workDim = 3, .global = global, .local = local}},
                           computeUnits)
      .tile;
}

TEST(TileTest, IsTheWorkGroupWhereItCanBeSeen) {
  EXPECT_EQ(tile(0, {1024, 1024, 1}, {8, 4, 1}), (Size{8, 4, 1}));
  EXPECT_EQ(tile(1, {1024, 1024, 1}, {8, 4, 1}), (Size{64, 4, 1}));
  EXPECT_EQ(tile(2, {1024, 1024, 1}, {8, 4, 1}), (Size{8, 32, 1}));
}

TEST(TileTest, DoesNotDependOnTheLocalSizeWhereItCannot) {
  for (const Size& local : {Size{1, 1, 1}, Size{8, 8, 1}, Size{1, 256, 1}})
    EXPECT_EQ(tile(7, {1024, 1024, 1}, local), (Size{64, 16, 1}));
  EXPECT_EQ(tile(7, {1 << 20, 1, 1}, {1, 1, 1}), (Size{256, 1, 1}));
  EXPECT_EQ(tile(7, {3, 100000, 1}, {3, 1, 1}), (Size{3, 128, 1}));
  EXPECT_EQ(tile(7, {1, 1, 100000}, {1, 1, 1}), (Size{1, 1, 256}));
}

TEST(TileTest, IsLargerWhereThereAreFewThreads) {
  EXPECT_EQ(tile(7, {8192, 1, 1}, {64, 1, 1}, 64), (Size{128, 1, 1}));
  EXPECT_EQ(tile(7, {8192, 1, 1}, {64, 1, 1}, 2), (Size{256, 1, 1}));
  EXPECT_EQ(tile(7, {4096, 1, 1}, {64, 1, 1}, 2), (Size{128, 1, 1}));
  EXPECT_EQ(tile(7, {4096, 1, 1}, {64, 1, 1}, 1), (Size{256, 1, 1}));
}

TEST(TileTest, LeavesSeveralTilesForEachThread) {
  EXPECT_EQ(tile(7, {256, 256, 1}, {16, 16, 1}), (Size{64, 16, 1}));
  EXPECT_EQ(tile(7, {64, 64, 1}, {64, 64, 1}), (Size{16, 4, 1}));
  EXPECT_EQ(tile(7, {200, 1, 1}, {200, 1, 1}), (Size{16, 1, 1}));
  EXPECT_EQ(tile(7, {17, 1, 1}, {17, 1, 1}), (Size{16, 1, 1}));
  EXPECT_EQ(tile(7, {0, 1, 1}, {1, 1, 1}), (Size{1, 1, 1}));
}

Size tileAlong(cpu::PacketDimensions dimensions, Size global) {
  return cpu::chooseTiling({.packetWidth = 16, .flatDimensions = 7}, dimensions,
                           {.range = {.workDim = 3, .global = global, .local = {1, 1, 1}}}, 2)
      .tile;
}

TEST(TileTest, IsLongWherePacketsAre) {
  EXPECT_EQ(tileAlong(0b010, {4096, 4096, 1}), (Size{16, 4096, 1}));
  EXPECT_EQ(tileAlong(0b010, {256, 256, 1}), (Size{16, 128, 1}));
  EXPECT_EQ(tileAlong(0b010, {64, 64, 1}), (Size{8, 16, 1}));
  EXPECT_EQ(tileAlong(0b010, {1 << 20, 3, 1}), (Size{128, 3, 1}));
  EXPECT_EQ(tileAlong(0b100, {256, 256, 4096}), (Size{16, 16, 4096}));
  EXPECT_EQ(tileAlong(0b100, {64, 64, 64}), (Size{16, 8, 64}));
  EXPECT_EQ(tileAlong(0b100, {4, 96, 96}), (Size{4, 4, 64}));
  EXPECT_EQ(tileAlong(0b100, {1, 64, 64}), (Size{1, 4, 32}));
}

// Code for ids from 0 on relies on where they begin (abi::LaunchFacts::zeroOffset).
TEST(TileTest, KeepsItsMultipleInDimension0WherePacketsLieInAnother) {
  for (const auto dimensions : {0b010, 0b100})
    for (const Size& global : {Size{512, 512, 64},
                               {64, 512, 32},
                               {256, 256, 256},
                               {32, 32, 32},
                               {200, 200, 64},
                               {128, 128, 32}})
      EXPECT_EQ(tileAlong(dimensions, global)[0] % abi::cpuKernelTileMultiple, 0u);
}

// Codes that are compared run the same tiles.
TEST(TileTest, IsLongInAllDimensionsOfPackets) {
  EXPECT_EQ(tileAlong(0b011, {4096, 4096, 1}), (Size{64, 4096, 1}));
  EXPECT_EQ(tileAlong(0b101, {2, 32768, 16}), (Size{2, 16, 16}));
}

// As programs launch that have one work-item for each thread.
TEST(TileTest, DividesWhatFillsNoPacket) {
  EXPECT_EQ(tile(7, {2, 1, 1}, {1, 1, 1}, 2), (Size{1, 1, 1}));
  EXPECT_EQ(tile(7, {5, 1, 1}, {5, 1, 1}), (Size{1, 1, 1}));
  EXPECT_EQ(tile(7, {15, 3, 1}, {15, 1, 1}, 1), (Size{1, 1, 1}));
  EXPECT_EQ(tile(6, {5, 3, 1}, {5, 1, 1}), (Size{5, 1, 1})) << "groups can be told apart";
}

TEST(CpuCapsTest, AreTruthful) {
  const device::Caps caps = cpu::enumerate().at(0)->caps();
  EXPECT_EQ(caps.type, cl_device_type(CL_DEVICE_TYPE_CPU));
  EXPECT_GT(caps.globalMemBytes, 100u << 20);
  EXPECT_EQ(caps.maxAllocBytes, caps.globalMemBytes);
  EXPECT_GT(caps.globalCacheBytes, 0u);
  EXPECT_TRUE(caps.cacheLineBytes == 64 || caps.cacheLineBytes == 128);
  EXPECT_EQ(caps.maxSubDevices, caps.computeUnits);
  EXPECT_EQ(caps.uuid, cpu::enumerate().at(0)->caps().uuid);
  EXPECT_TRUE(caps.images);
}

} // namespace
} // namespace quern::test
