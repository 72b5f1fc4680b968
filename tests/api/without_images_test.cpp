#include "opencl_test.h"

namespace quern::test {
namespace {

/// The functions of images on a device that has none: the null device.
class WithoutImagesTest : public OpenClTest {};

TEST_F(WithoutImagesTest, everyFunctionRefuses) {
  EXPECT_EQ(cl_bool{CL_FALSE}, info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT));
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateImage(context.get(), 0, &format, &desc, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr, clCreateImage2D(context.get(), 0, &format, 4, 4, 0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr, clCreateImage3D(context.get(), 0, &format, 4, 4, 4, 0, 0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr,
            clCreateSampler(context.get(), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context.get(), nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  cl_uint count = 99;
  EXPECT_EQ(CL_SUCCESS, clGetSupportedImageFormats(context.get(), CL_MEM_READ_WRITE,
                                                   CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  EXPECT_EQ(0u, count);
}

} // namespace
} // namespace quern::test
