#include <numeric>

#include "opencl_test.h"

namespace quern::test {
namespace {

using Properties = std::vector<cl_device_partition_property>;

class SubDeviceTest : public OpenClTest {
protected:
  void SetUp() override {
    OpenClTest::SetUp();
    units = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    if (units < 2)
      GTEST_SKIP() << "a device with one compute unit cannot be partitioned";
  }
  std::vector<SubDevice> partition(const Properties& properties) {
    cl_uint count = 0;
    EXPECT_EQ(CL_SUCCESS, clCreateSubDevices(device, properties.data(), 0, nullptr, &count));
    std::vector<cl_device_id> ids(count);
    EXPECT_EQ(CL_SUCCESS,
              clCreateSubDevices(device, properties.data(), count, ids.data(), nullptr));
    return {ids.begin(), ids.end()};
  }
  cl_uint unitsOf(const SubDevice& part) {
    return info<cl_uint>(clGetDeviceInfo, part.get(), CL_DEVICE_MAX_COMPUTE_UNITS);
  }
  cl_int tryPartition(const Properties& properties) {
    cl_uint count = 0;
    return clCreateSubDevices(device, properties.data(), 0, nullptr, &count);
  }
  cl_uint units = 0;
};

TEST_F(SubDeviceTest, equally) {
  const Properties properties = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  const auto parts = partition(properties);
  ASSERT_EQ(units, parts.size());
  for (const SubDevice& part : parts) {
    EXPECT_EQ(1u, unitsOf(part));
    EXPECT_EQ(device, info<cl_device_id>(clGetDeviceInfo, part.get(), CL_DEVICE_PARENT_DEVICE));
    EXPECT_EQ(properties, infoList<cl_device_partition_property>(clGetDeviceInfo, part.get(),
                                                                 CL_DEVICE_PARTITION_TYPE));
    EXPECT_EQ(1u, info<cl_uint>(clGetDeviceInfo, part.get(), CL_DEVICE_REFERENCE_COUNT));
  }
}

TEST_F(SubDeviceTest, byCounts) {
  const Properties properties = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                 static_cast<cl_device_partition_property>(units - 1),
                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  const auto parts = partition(properties);
  ASSERT_EQ(2u, parts.size());
  EXPECT_EQ(1u, unitsOf(parts[0]));
  EXPECT_EQ(units - 1, unitsOf(parts[1]));
  EXPECT_EQ(properties, infoList<cl_device_partition_property>(clGetDeviceInfo, parts[0].get(),
                                                               CL_DEVICE_PARTITION_TYPE));
}

TEST_F(SubDeviceTest, byAffinityDomainWhereThereIsOne) {
  const auto domains =
      info<cl_device_affinity_domain>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  const Properties next = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                           CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  if (domains == 0) {
    EXPECT_EQ(CL_INVALID_VALUE, tryPartition(next));
    return;
  }
  const auto parts = partition(next);
  ASSERT_GE(parts.size(), 1u);
  // The property names the domain that was really used.
  const auto type = infoList<cl_device_partition_property>(clGetDeviceInfo, parts[0].get(),
                                                           CL_DEVICE_PARTITION_TYPE);
  ASSERT_EQ(3u, type.size());
  EXPECT_NE(CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, type[1]);
  EXPECT_TRUE(domains & static_cast<cl_device_affinity_domain>(type[1]));
}

TEST_F(SubDeviceTest, areCounted) {
  auto parts = partition({CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  cl_device_id part = parts[0].get();
  EXPECT_EQ(CL_SUCCESS, clRetainDevice(part));
  EXPECT_EQ(2u, info<cl_uint>(clGetDeviceInfo, part, CL_DEVICE_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseDevice(part));
  EXPECT_EQ(1u, info<cl_uint>(clGetDeviceInfo, part, CL_DEVICE_REFERENCE_COUNT));
}

TEST_F(SubDeviceTest, runCommandsInOneContextEvenWhenReleased) {
  auto parts = partition({CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  const cl_device_id ids[] = {parts[0].get(), parts[1].get()};
  cl_int code = 0;
  Context both(clCreateContext(nullptr, 2, ids, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  Queue first(clCreateCommandQueueWithProperties(both.get(), ids[0], nullptr, &code));
  Queue second(clCreateCommandQueueWithProperties(both.get(), ids[1], nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  parts.clear();
  Memory buffer(clCreateBuffer(both.get(), CL_MEM_READ_WRITE, 64, nullptr, &code));
  const cl_int pattern = 7;
  cl_event raw = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(first.get(), buffer.get(), &pattern, sizeof(pattern), 0,
                                            64, 0, nullptr, &raw));
  Event filled(raw);
  ASSERT_EQ(CL_SUCCESS, clFlush(first.get()));
  std::vector<cl_int> values(16);
  ASSERT_EQ(CL_SUCCESS, clEnqueueReadBuffer(second.get(), buffer.get(), CL_TRUE, 0, 64,
                                            values.data(), 1, &raw, nullptr));
  EXPECT_EQ(std::vector<cl_int>(16, 7), values);
}

TEST_F(SubDeviceTest, rejectsWrongArguments) {
  const auto most = static_cast<cl_device_partition_property>(units);
  EXPECT_EQ(CL_INVALID_VALUE, tryPartition({0}));
  EXPECT_EQ(CL_INVALID_VALUE, tryPartition({12345, 1, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, tryPartition({CL_DEVICE_PARTITION_EQUALLY, 0, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, tryPartition({CL_DEVICE_PARTITION_EQUALLY, -1, 0}));
  EXPECT_EQ(CL_INVALID_VALUE,
            tryPartition({CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_EQUALLY, 1, 0}));
  EXPECT_EQ(CL_INVALID_DEVICE_PARTITION_COUNT,
            tryPartition({CL_DEVICE_PARTITION_EQUALLY, most + 1, 0}));
  EXPECT_EQ(CL_DEVICE_PARTITION_FAILED, tryPartition({CL_DEVICE_PARTITION_EQUALLY, most, 0}));
  EXPECT_EQ(CL_INVALID_DEVICE_PARTITION_COUNT,
            tryPartition({CL_DEVICE_PARTITION_BY_COUNTS, -1, 0, 0}));
  EXPECT_EQ(CL_INVALID_DEVICE_PARTITION_COUNT,
            tryPartition({CL_DEVICE_PARTITION_BY_COUNTS, most, most, 0, 0}));
  EXPECT_EQ(CL_INVALID_DEVICE_PARTITION_COUNT,
            tryPartition({CL_DEVICE_PARTITION_BY_COUNTS, most + 1, 0, 0}));
  EXPECT_EQ(CL_INVALID_VALUE, tryPartition({CL_DEVICE_PARTITION_BY_COUNTS, 0, 0}));
  Properties tooMany(units + 2, 1);
  tooMany[0] = CL_DEVICE_PARTITION_BY_COUNTS;
  tooMany.insert(tooMany.end(), 2, 0);
  EXPECT_EQ(CL_INVALID_DEVICE_PARTITION_COUNT, tryPartition(tooMany));
  for (const cl_device_partition_property domain :
       {0, 1 << 20, CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE})
    EXPECT_EQ(CL_INVALID_VALUE, tryPartition({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain, 0}));

  const Properties good = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  std::vector<cl_device_id> ids(units);
  EXPECT_EQ(CL_INVALID_VALUE, clCreateSubDevices(device, nullptr, 0, nullptr, &count));
  EXPECT_EQ(CL_INVALID_VALUE,
            clCreateSubDevices(device, good.data(), units - 1, ids.data(), nullptr));
  EXPECT_EQ(nullptr, ids[0]);
  EXPECT_EQ(CL_INVALID_DEVICE, clCreateSubDevices(reinterpret_cast<cl_device_id>(context.get()),
                                                  good.data(), 0, nullptr, &count));
}

TEST_F(SubDeviceTest, ofOneUnitCannotBePartitioned) {
  const auto parts = partition({CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  const Properties properties = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  EXPECT_EQ(CL_DEVICE_PARTITION_FAILED,
            clCreateSubDevices(parts[0].get(), properties.data(), 0, nullptr, &count));
  EXPECT_EQ(Properties{0}, infoList<cl_device_partition_property>(clGetDeviceInfo, parts[0].get(),
                                                                  CL_DEVICE_PARTITION_PROPERTIES));
}

} // namespace
} // namespace quern::test
