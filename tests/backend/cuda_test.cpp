// The CUDA device with the stand-in for NVIDIA's driver, whose memory is the host's: images, and
// what a kernel may need.
#include <cstring>

#include "abi/cpu_image.h"
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

TEST_F(CudaTest, KernelsThatNeedTooMuchAreRefused) {
  abi::ProgramImage image;
  for (const char* name : {"small", "large"})
    image.kernels.push_back(describe(name, 0));
  for (const char c : std::string(".entry"))
    image.code.push_back(static_cast<std::byte>(c));
  image.code.push_back(std::byte{0});
  const auto executable = device->load(image);
  ASSERT_TRUE(executable.ok()) << executable.status().sentence();
  const device::NdRange range = {.workDim = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
  constexpr uint64_t localBytes = 48 << 10;
  EXPECT_TRUE(executable.value()->checkLaunch(0, range, localBytes).ok());
  // More local memory than a work-group has.
  const Status local = executable.value()->checkLaunch(0, range, localBytes + 1);
  EXPECT_EQ(local.code(), CL_OUT_OF_RESOURCES);
  EXPECT_NE(local.sentence().find("49153"), std::string::npos) << local.sentence();
  // More private memory than a work-item has.
  const Status priv = executable.value()->checkLaunch(1, range, 0);
  EXPECT_EQ(priv.code(), CL_OUT_OF_RESOURCES);
  EXPECT_NE(priv.sentence().find("1048576"), std::string::npos) << priv.sentence();
}

} // namespace
} // namespace quern::test
