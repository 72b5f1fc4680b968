#include "opencl_test.h"

namespace quern::test {
namespace {

class UnsupportedTest : public OpenClTest {
protected:
  cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
  cl_int code = 0;
};

TEST_F(UnsupportedTest, thereAreNoImages) {
  EXPECT_EQ(nullptr, clCreateImage(context.get(), 0, &format, &description, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr, clCreateImage2D(context.get(), 0, &format, 4, 4, 0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr, clCreateImage3D(context.get(), 0, &format, 4, 4, 4, 0, 0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr, clCreateImageWithProperties(nullptr, nullptr, 0, &format, &description,
                                                 nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  const Memory buffer = makeBuffer(64);
  size_t size = 0;
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetImageInfo(buffer.get(), CL_IMAGE_WIDTH, sizeof(size), &size, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION, clEnqueueReadImage(queue.get(), buffer.get(), CL_TRUE, origin,
                                                     region, 0, 0, &size, 0, nullptr, nullptr));
  EXPECT_EQ(nullptr, clEnqueueMapImage(queue.get(), buffer.get(), CL_TRUE, CL_MAP_READ, origin,
                                       region, &size, &size, 0, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

TEST_F(UnsupportedTest, noImageFormatIsSupported) {
  cl_uint count = 99;
  EXPECT_EQ(CL_SUCCESS, clGetSupportedImageFormats(context.get(), CL_MEM_READ_WRITE,
                                                   CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  EXPECT_EQ(0u, count);
  EXPECT_EQ(CL_INVALID_CONTEXT,
            clGetSupportedImageFormats(reinterpret_cast<cl_context>(device), 0,
                                       CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetSupportedImageFormats(context.get(), cl_mem_flags{1} << 50, CL_MEM_OBJECT_IMAGE2D,
                                       0, nullptr, &count));
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetSupportedImageFormats(context.get(), 0, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count));
  EXPECT_EQ(CL_INVALID_VALUE, clGetSupportedImageFormats(context.get(), 0, CL_MEM_OBJECT_IMAGE2D, 0,
                                                         &format, &count));
}

TEST_F(UnsupportedTest, thereAreNoSamplersAndPipes) {
  EXPECT_EQ(nullptr,
            clCreateSampler(context.get(), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context.get(), nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  EXPECT_EQ(nullptr, clCreatePipe(context.get(), 0, 16, 16, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

} // namespace
} // namespace quern::test
