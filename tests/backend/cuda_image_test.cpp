// Images of the CUDA device, with the stand-in for NVIDIA's driver, whose memory is the host's.
#include <cstring>

#include "abi/cpu_image.h"
#include "backend_test.h"

namespace quern::test {
namespace {

class CudaImageTest : public DeviceTest {
protected:
  CudaImageTest() : DeviceTest(cuda::enumerate) {}
  void SetUp() override {
    DeviceTest::SetUp();
    if (device && device->caps().name != "Stand-in GPU")
      GTEST_SKIP() << "the host cannot look into the GPU's memory";
  }
};

TEST_F(CudaImageTest, DescriptionIsThereWhenTheImageIs) {
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

} // namespace
} // namespace quern::test
