#include "program_fixture.h"

namespace quern::test {
namespace {

class SubGroupInfoTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    program = buildProgram("kernel void f(global int* p) { *p = 1; }");
    kernel = makeKernel(program, "f");
  }
  cl_int query(cl_kernel_sub_group_info name, const std::vector<size_t>& input, size_t& value) {
    return clGetKernelSubGroupInfo(kernel.get(), device, name, input.size() * sizeof(size_t),
                                   input.data(), sizeof(value), &value, nullptr);
  }
  size_t answer(cl_kernel_sub_group_info name, const std::vector<size_t>& input = {}) {
    size_t value = 0, size = 0;
    EXPECT_EQ(CL_SUCCESS,
              clGetKernelSubGroupInfo(kernel.get(), device, name, input.size() * sizeof(size_t),
                                      input.data(), sizeof(value), &value, &size));
    EXPECT_EQ(sizeof(value), size);
    return value;
  }
  Program program;
  Kernel kernel;
};

TEST_F(SubGroupInfoTest, sizesAndCounts) {
  const size_t full = answer(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {1024});
  ASSERT_LE(1u, full);
  EXPECT_EQ(1u, answer(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {1, 1, 1}));
  EXPECT_EQ(1u, answer(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {1, 1}));
  EXPECT_EQ(3u, answer(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {full, 3}));
  EXPECT_EQ(4u, answer(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {full * 3 + 1}));
  EXPECT_EQ(0u, answer(CL_KERNEL_COMPILE_NUM_SUB_GROUPS));
  const size_t most = answer(CL_KERNEL_MAX_NUM_SUB_GROUPS);
  EXPECT_LE(1u, most);
  EXPECT_GE(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_NUM_SUB_GROUPS), most);
  const bool isClaimed =
      infoString(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS).find("cl_khr_subgroups ") !=
      std::string::npos;
  EXPECT_EQ(cl_bool{isClaimed}, info<cl_bool>(clGetDeviceInfo, device,
                                              CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS));
}

TEST_F(SubGroupInfoTest, localSizeForACount) {
  const size_t full = answer(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {1024});
  const auto sizes = [&](size_t count, size_t dimensions) {
    std::vector<size_t> local(dimensions, 99);
    size_t size = 0;
    EXPECT_EQ(CL_SUCCESS,
              clGetKernelSubGroupInfo(kernel.get(), device,
                                      CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(count),
                                      &count, dimensions * sizeof(size_t), local.data(), &size));
    EXPECT_EQ(dimensions * sizeof(size_t), size);
    return local;
  };
  EXPECT_EQ(std::vector<size_t>{3 * full}, sizes(3, 1));
  EXPECT_EQ((std::vector<size_t>{2 * full, 1}), sizes(2, 2));
  EXPECT_EQ((std::vector<size_t>{full, 1, 1}), sizes(1, 3));
  EXPECT_EQ((std::vector<size_t>{0, 0, 0}), sizes(0, 3));
  EXPECT_EQ((std::vector<size_t>{0, 0}), sizes(size_t{1} << 40, 2));
}

TEST_F(SubGroupInfoTest, errors) {
  constexpr cl_kernel_sub_group_info maxSize = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
  size_t input = 1, value = 0;
  const auto ask = [&](cl_kernel which, cl_device_id on, size_t inputSize, const void* in,
                       size_t valueSize) {
    return clGetKernelSubGroupInfo(which, on, maxSize, inputSize, in, valueSize, &value, nullptr);
  };
  constexpr size_t one = sizeof(size_t);
  EXPECT_EQ(CL_INVALID_KERNEL, ask(nullptr, device, one, &input, one));
  EXPECT_EQ(CL_INVALID_DEVICE,
            ask(kernel.get(), foreignHandle<cl_device_id>(context), one, &input, one));
  EXPECT_EQ(CL_INVALID_VALUE, ask(kernel.get(), device, one, nullptr, one));
  EXPECT_EQ(CL_INVALID_VALUE, ask(kernel.get(), device, 0, &input, one));
  EXPECT_EQ(CL_INVALID_VALUE, ask(kernel.get(), device, one - 1, &input, one));
  EXPECT_EQ(CL_INVALID_VALUE, ask(kernel.get(), device, one, &input, one - 1));
  EXPECT_EQ(CL_INVALID_VALUE, query(maxSize, {1, 1, 1, 1}, value));
  EXPECT_EQ(CL_INVALID_VALUE, query(maxSize, {4, 0}, value));
  EXPECT_EQ(CL_INVALID_VALUE, query(maxSize, {size_t{1} << 63, 2}, value));
  EXPECT_EQ(CL_INVALID_VALUE, query(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {}, value));
  EXPECT_EQ(CL_INVALID_VALUE, query(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {1, 1}, value));
  EXPECT_EQ(CL_INVALID_VALUE, query(0xdead, {1}, value));
  // The extension's function is the same one.
  const auto khr = reinterpret_cast<clGetKernelSubGroupInfoKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR"));
  ASSERT_TRUE(khr);
  EXPECT_EQ(CL_INVALID_KERNEL,
            khr(nullptr, device, maxSize, one, &input, sizeof(value), &value, nullptr));
  EXPECT_EQ(CL_SUCCESS,
            khr(kernel.get(), device, maxSize, one, &input, sizeof(value), &value, nullptr));
  EXPECT_EQ(1u, value);
  // The one device of the program needs no name.
  EXPECT_EQ(CL_SUCCESS, ask(kernel.get(), nullptr, one, &input, one));
}

} // namespace
} // namespace quern::test
