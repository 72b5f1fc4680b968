#include "program_fixture.h"

namespace quern::test {
namespace {

using Sampler = Owned<cl_sampler, clReleaseSampler>;

class ImageArgumentTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    program = buildProgram(R"(
      kernel void f(read_only image2d_t in, write_only image2d_t out, sampler_t s,
                    read_write image2d_array_t array, read_only image2d_depth_t depth,
                    read_only image1d_buffer_t line) {})",
                           "-cl-std=CL3.0 -cl-kernel-arg-info");
    kernel = makeKernel(program, "f");
  }
  Memory makeImage(cl_mem_object_type type, cl_mem_flags flags = 0,
                   cl_image_format format = {CL_R, CL_FLOAT}) {
    cl_image_desc desc = {};
    desc.image_type = type;
    desc.image_width = desc.image_height = 4;
    desc.image_depth = desc.image_array_size = 2;
    const Memory buffer = makeBuffer(64);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
      desc.mem_object = buffer.get();
    cl_int code = 0;
    Memory image(clCreateImage(context.get(), flags, &format, &desc, nullptr, &code));
    EXPECT_EQ(CL_SUCCESS, code);
    return image;
  }
  cl_int set(cl_uint index, const Memory& memory) {
    const cl_mem handle = memory.get();
    return clSetKernelArg(kernel.get(), index, sizeof(handle), &handle);
  }

  Program program;
  Kernel kernel;
};

TEST_F(ImageArgumentTest, imagesOfTheArgumentsType) {
  const Memory plane = makeImage(CL_MEM_OBJECT_IMAGE2D),
               array = makeImage(CL_MEM_OBJECT_IMAGE2D_ARRAY),
               depth = makeImage(CL_MEM_OBJECT_IMAGE2D, 0, {CL_DEPTH, CL_FLOAT}),
               line = makeImage(CL_MEM_OBJECT_IMAGE1D),
               ofBuffer = makeImage(CL_MEM_OBJECT_IMAGE1D_BUFFER), buffer = makeBuffer(64);
  EXPECT_EQ(CL_SUCCESS, set(0, plane));
  EXPECT_EQ(CL_SUCCESS, set(1, plane));
  EXPECT_EQ(CL_SUCCESS, set(3, array));
  EXPECT_EQ(CL_SUCCESS, set(4, depth));
  EXPECT_EQ(CL_SUCCESS, set(5, ofBuffer));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(0, buffer));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(0, line));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(3, plane));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(4, plane));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(5, line));
  // An argument that is a buffer takes no image.
  const Program other = buildProgram("kernel void g(global int* p) {}");
  const Kernel g = makeKernel(other, "g");
  const cl_mem handle = plane.get();
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, clSetKernelArg(g.get(), 0, sizeof(handle), &handle));
}

TEST_F(ImageArgumentTest, valuesAndSizes) {
  const Memory plane = makeImage(CL_MEM_OBJECT_IMAGE2D);
  const cl_mem handle = plane.get(), null = nullptr;
  EXPECT_EQ(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel.get(), 0, sizeof(handle) - 1, &handle));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel.get(), 0, sizeof(handle), &null));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel.get(), 0, sizeof(handle), nullptr));
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  const cl_image_format format = {CL_R, CL_FLOAT};
  cl_int code = 0;
  const Memory foreign(clCreateImage(otherContext.get(), 0, &format, &desc, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, set(0, foreign));
}

TEST_F(ImageArgumentTest, access) {
  const Memory readOnly = makeImage(CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY),
               writeOnly = makeImage(CL_MEM_OBJECT_IMAGE2D, CL_MEM_WRITE_ONLY);
  EXPECT_EQ(CL_SUCCESS, set(0, readOnly));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, set(0, writeOnly));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, set(1, readOnly));
  EXPECT_EQ(CL_SUCCESS, set(1, writeOnly));
}

TEST_F(ImageArgumentTest, samplers) {
  cl_int code = 0;
  const Sampler sampler(
      clCreateSampler(context.get(), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code)),
      foreign(
          clCreateSampler(otherContext.get(), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code));
  const auto set = [&](const void* value, size_t size) {
    return clSetKernelArg(kernel.get(), 2, size, value);
  };
  const cl_sampler own = sampler.get(), other = foreign.get(), null = nullptr;
  const cl_context wrong = context.get();
  EXPECT_EQ(CL_SUCCESS, set(&own, sizeof(own)));
  EXPECT_EQ(CL_INVALID_ARG_SIZE, set(&own, sizeof(own) / 2));
  EXPECT_EQ(CL_INVALID_SAMPLER, set(nullptr, sizeof(own)));
  EXPECT_EQ(CL_INVALID_SAMPLER, set(&null, sizeof(own)));
  EXPECT_EQ(CL_INVALID_SAMPLER, set(&wrong, sizeof(own)));
  EXPECT_EQ(CL_INVALID_CONTEXT, set(&other, sizeof(own)));
}

TEST_F(ImageArgumentTest, anImageThatIsGone) {
  const Program copies = buildProgram("kernel void g(read_only image2d_t image) {}");
  const Kernel g = makeKernel(copies, "g");
  {
    const Memory image = makeImage(CL_MEM_OBJECT_IMAGE2D);
    const cl_mem handle = image.get();
    ASSERT_EQ(CL_SUCCESS, clSetKernelArg(g.get(), 0, sizeof(handle), &handle));
  }
  const size_t one = 1;
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue.get(), g.get(), 1, nullptr, &one,
                                                           nullptr, 0, nullptr, nullptr));
}

TEST_F(ImageArgumentTest, argumentInfo) {
  const auto text = [&](cl_uint index) {
    char name[64] = "";
    EXPECT_EQ(CL_SUCCESS, clGetKernelArgInfo(kernel.get(), index, CL_KERNEL_ARG_TYPE_NAME,
                                             sizeof(name), name, nullptr));
    return std::string(name);
  };
  const auto number = [&](cl_uint index, cl_kernel_arg_info what) {
    cl_uint value = 0;
    EXPECT_EQ(CL_SUCCESS,
              clGetKernelArgInfo(kernel.get(), index, what, sizeof(value), &value, nullptr));
    return value;
  };
  EXPECT_EQ("image2d_t", text(0));
  EXPECT_EQ("sampler_t", text(2));
  EXPECT_EQ("image2d_array_t", text(3));
  EXPECT_EQ(cl_uint{CL_KERNEL_ARG_ADDRESS_GLOBAL}, number(0, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_uint{CL_KERNEL_ARG_ADDRESS_PRIVATE}, number(2, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_uint{CL_KERNEL_ARG_ACCESS_READ_ONLY}, number(0, CL_KERNEL_ARG_ACCESS_QUALIFIER));
  EXPECT_EQ(cl_uint{CL_KERNEL_ARG_ACCESS_WRITE_ONLY}, number(1, CL_KERNEL_ARG_ACCESS_QUALIFIER));
  EXPECT_EQ(cl_uint{CL_KERNEL_ARG_ACCESS_NONE}, number(2, CL_KERNEL_ARG_ACCESS_QUALIFIER));
  EXPECT_EQ(cl_uint{CL_KERNEL_ARG_ACCESS_READ_WRITE}, number(3, CL_KERNEL_ARG_ACCESS_QUALIFIER));
}

} // namespace
} // namespace quern::test
