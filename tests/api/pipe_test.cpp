#include "opencl_test.h"

#include <array>

namespace quern::test {
namespace {

class PipeTest : public OpenClTest {
protected:
  Memory makePipe(cl_uint packetBytes, cl_uint capacity, cl_mem_flags flags = 0) {
    return Memory(clCreatePipe(context.get(), flags, packetBytes, capacity, nullptr, &code));
  }
  cl_int failure(cl_mem_flags flags, cl_uint packetBytes, cl_uint capacity) {
    EXPECT_EQ(nullptr, makePipe(packetBytes, capacity, flags));
    return code;
  }
  cl_int code = 0;
};

TEST_F(PipeTest, devicesSayWhatTheyCan) {
  EXPECT_EQ(cl_bool{CL_TRUE}, info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT));
  EXPECT_LE(16u, info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_PIPE_ARGS));
  EXPECT_LE(1u, info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS));
  EXPECT_LE(1024u, info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_PACKET_SIZE));
}

TEST_F(PipeTest, answersQueries) {
  const Memory pipe = makePipe(24, 100);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(24u, info<cl_uint>(clGetPipeInfo, pipe.get(), CL_PIPE_PACKET_SIZE));
  EXPECT_EQ(100u, info<cl_uint>(clGetPipeInfo, pipe.get(), CL_PIPE_MAX_PACKETS));
  EXPECT_TRUE(infoList<cl_pipe_properties>(clGetPipeInfo, pipe.get(), CL_PIPE_PROPERTIES).empty());
  expectQueryErrors(clGetPipeInfo, pipe.get(), CL_PIPE_PACKET_SIZE);

  EXPECT_EQ(cl_mem_object_type{CL_MEM_OBJECT_PIPE},
            info<cl_mem_object_type>(clGetMemObjectInfo, pipe.get(), CL_MEM_TYPE));
  EXPECT_EQ(cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS},
            info<cl_mem_flags>(clGetMemObjectInfo, pipe.get(), CL_MEM_FLAGS));
  EXPECT_LE(2400u, info<size_t>(clGetMemObjectInfo, pipe.get(), CL_MEM_SIZE));
  EXPECT_EQ(nullptr, info<void*>(clGetMemObjectInfo, pipe.get(), CL_MEM_HOST_PTR));
  EXPECT_EQ(nullptr, info<cl_mem>(clGetMemObjectInfo, pipe.get(), CL_MEM_ASSOCIATED_MEMOBJECT));
  EXPECT_EQ(0u, info<size_t>(clGetMemObjectInfo, pipe.get(), CL_MEM_OFFSET));
  EXPECT_EQ(context.get(), info<cl_context>(clGetMemObjectInfo, pipe.get(), CL_MEM_CONTEXT));
  EXPECT_EQ(1u, info<cl_uint>(clGetMemObjectInfo, pipe.get(), CL_MEM_REFERENCE_COUNT));
}

TEST_F(PipeTest, flags) {
  for (const cl_mem_flags flags :
       {cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS}}) {
    const Memory pipe = makePipe(4, 4, flags);
    ASSERT_EQ(CL_SUCCESS, code);
    EXPECT_EQ(flags, info<cl_mem_flags>(clGetMemObjectInfo, pipe.get(), CL_MEM_FLAGS));
  }
  for (const cl_mem_flags flags :
       {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, 1 << 30})
    EXPECT_EQ(CL_INVALID_VALUE, failure(static_cast<cl_mem_flags>(flags), 4, 4));
}

TEST_F(PipeTest, creationErrors) {
  EXPECT_EQ(nullptr, clCreatePipe(nullptr, 0, 4, 4, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  const cl_pipe_properties none = 0;
  EXPECT_EQ(nullptr, clCreatePipe(context.get(), 0, 4, 4, &none, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  const cl_uint most = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  EXPECT_EQ(CL_INVALID_PIPE_SIZE, failure(0, 0, 4));
  EXPECT_EQ(CL_INVALID_PIPE_SIZE, failure(0, most + 1, 4));
  EXPECT_EQ(CL_INVALID_PIPE_SIZE, failure(0, 4, 0));
  EXPECT_EQ(CL_MEM_OBJECT_ALLOCATION_FAILURE, failure(0, most, ~0u));
  EXPECT_NE(nullptr, makePipe(most, 4));
}

TEST_F(PipeTest, queryErrors) {
  const Memory buffer = makeBuffer(64);
  cl_uint value = 0;
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetPipeInfo(nullptr, CL_PIPE_PACKET_SIZE, sizeof(value), &value, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetPipeInfo(buffer.get(), CL_PIPE_PACKET_SIZE, sizeof(value), &value, nullptr));
}

TEST_F(PipeTest, isNoBufferOrImage) {
  const Memory pipe = makePipe(4, 16), buffer = makeBuffer(64);
  std::array<char, 16> bytes = {};
  const cl_command_queue q = queue.get();
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clEnqueueReadBuffer(q, pipe.get(), CL_TRUE, 0, 4, bytes.data(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clEnqueueWriteBuffer(q, pipe.get(), CL_TRUE, 0, 4, bytes.data(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyBuffer(q, pipe.get(), buffer.get(), 0, 0, 4, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clEnqueueFillBuffer(q, pipe.get(), bytes.data(), 4, 0, 4, 0, nullptr, nullptr));
  EXPECT_EQ(nullptr, clEnqueueMapBuffer(q, pipe.get(), CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr,
                                        nullptr, &code));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, code);
  const cl_buffer_region region = {0, 4};
  EXPECT_EQ(nullptr,
            clCreateSubBuffer(pipe.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, code);
  size_t width = 0;
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetImageInfo(pipe.get(), CL_IMAGE_WIDTH, sizeof(width), &width, nullptr));
  const size_t origin[3] = {}, size[3] = {1, 1, 1};
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, clEnqueueReadImage(q, pipe.get(), CL_TRUE, origin, size, 0, 0,
                                                      bytes.data(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            clEnqueueUnmapMemObject(q, pipe.get(), bytes.data(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clEnqueueMigrateMemObjects(q, 1, std::array{pipe.get()}.data(), 0, 0,
                                                   nullptr, nullptr));
}

TEST_F(PipeTest, tellsThatItIsDeleted) {
  bool isDeleted = false;
  Memory pipe = makePipe(4, 4);
  ASSERT_EQ(
      CL_SUCCESS,
      clSetMemObjectDestructorCallback(
          pipe.get(), [](cl_mem, void* flag) { *static_cast<bool*>(flag) = true; }, &isDeleted));
  pipe.reset();
  EXPECT_TRUE(isDeleted);
}

} // namespace
} // namespace quern::test
