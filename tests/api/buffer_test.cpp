#include <cstring>

#include "opencl_test.h"

namespace quern::test {
namespace {

class BufferTest : public OpenClTest {
protected:
  cl_int tryCreate(cl_mem_flags flags, size_t bytes, void* hostPointer = nullptr) {
    cl_int code = 0;
    const Memory made(clCreateBuffer(context.get(), flags, bytes, hostPointer, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
  cl_int trySub(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size) {
    const cl_buffer_region region = {origin, size};
    cl_int code = 0;
    const Memory made(
        clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
  char host[4096] = {};
};

TEST_F(BufferTest, answersEveryQuery) {
  const Memory buffer = makeBuffer(4096, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, host);
  const cl_mem handle = buffer.get();
  EXPECT_EQ(cl_mem_object_type{CL_MEM_OBJECT_BUFFER},
            info<cl_mem_object_type>(clGetMemObjectInfo, handle, CL_MEM_TYPE));
  EXPECT_EQ(cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR},
            info<cl_mem_flags>(clGetMemObjectInfo, handle, CL_MEM_FLAGS));
  EXPECT_EQ(4096u, info<size_t>(clGetMemObjectInfo, handle, CL_MEM_SIZE));
  EXPECT_EQ(host, info<void*>(clGetMemObjectInfo, handle, CL_MEM_HOST_PTR));
  EXPECT_EQ(0u, info<cl_uint>(clGetMemObjectInfo, handle, CL_MEM_MAP_COUNT));
  EXPECT_EQ(1u, info<cl_uint>(clGetMemObjectInfo, handle, CL_MEM_REFERENCE_COUNT));
  EXPECT_EQ(context.get(), info<cl_context>(clGetMemObjectInfo, handle, CL_MEM_CONTEXT));
  EXPECT_EQ(nullptr, info<cl_mem>(clGetMemObjectInfo, handle, CL_MEM_ASSOCIATED_MEMOBJECT));
  EXPECT_EQ(0u, info<size_t>(clGetMemObjectInfo, handle, CL_MEM_OFFSET));
  EXPECT_EQ(cl_bool{CL_FALSE}, info<cl_bool>(clGetMemObjectInfo, handle, CL_MEM_USES_SVM_POINTER));
  EXPECT_TRUE(infoList<cl_mem_properties>(clGetMemObjectInfo, handle, CL_MEM_PROPERTIES).empty());
  expectQueryErrors(clGetMemObjectInfo, handle, CL_MEM_SIZE);
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetMemObjectInfo(reinterpret_cast<cl_mem>(device), CL_MEM_SIZE, 0, nullptr, nullptr));
}

TEST_F(BufferTest, takesAnEmptyPropertyListOnly) {
  const cl_mem_properties none[] = {0};
  const cl_mem_properties some[] = {0x1234, 1, 0};
  cl_int code = 0;
  const Memory made(clCreateBufferWithProperties(context.get(), none, 0, 16, nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(std::vector<cl_mem_properties>{0},
            infoList<cl_mem_properties>(clGetMemObjectInfo, made.get(), CL_MEM_PROPERTIES));
  EXPECT_EQ(nullptr, clCreateBufferWithProperties(context.get(), some, 0, 16, nullptr, &code));
  EXPECT_EQ(CL_INVALID_PROPERTY, code);
}

TEST_F(BufferTest, rejectsWrongArguments) {
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateBuffer(reinterpret_cast<cl_context>(device), 0, 16, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(cl_mem_flags{1} << 40, 16));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(CL_MEM_KERNEL_READ_AND_WRITE, 16));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 16));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 16));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 16));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, host));
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, tryCreate(CL_MEM_READ_WRITE, 0));
  const auto limit = info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, tryCreate(CL_MEM_READ_WRITE, limit + 1));
  EXPECT_EQ(CL_INVALID_HOST_PTR, tryCreate(CL_MEM_USE_HOST_PTR, 16));
  EXPECT_EQ(CL_INVALID_HOST_PTR, tryCreate(CL_MEM_COPY_HOST_PTR, 16));
  EXPECT_EQ(CL_INVALID_HOST_PTR, tryCreate(CL_MEM_ALLOC_HOST_PTR, 16, host));
  EXPECT_EQ(CL_INVALID_HOST_PTR, tryCreate(CL_MEM_READ_WRITE, 16, host));
  const auto wrong = reinterpret_cast<cl_mem>(queue.get());
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, clRetainMemObject(wrong));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, clReleaseMemObject(wrong));
}

TEST_F(BufferTest, hostPointerModes) {
  std::strcpy(host, "quern");
  EXPECT_EQ(CL_SUCCESS, tryCreate(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, 6, host));
  const Memory copied = makeBuffer(6, CL_MEM_COPY_HOST_PTR, host);
  const Memory used = makeBuffer(6, CL_MEM_USE_HOST_PTR, host);
  host[0] = 'Q';
  EXPECT_STREQ("quern", contents<char>(copied.get()).data());
  EXPECT_EQ(nullptr, info<void*>(clGetMemObjectInfo, copied.get(), CL_MEM_HOST_PTR));
  EXPECT_STREQ("Quern", contents<char>(used.get()).data());
}

TEST_F(BufferTest, countsReferences) {
  const Memory buffer = makeBuffer(16);
  EXPECT_EQ(CL_SUCCESS, clRetainMemObject(buffer.get()));
  EXPECT_EQ(2u, info<cl_uint>(clGetMemObjectInfo, buffer.get(), CL_MEM_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseMemObject(buffer.get()));
}

TEST_F(BufferTest, memoryThatCannotBeHadIsAnError) {
  const auto limit = info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  std::vector<Memory> held;
  cl_int code = CL_SUCCESS;
  for (int i = 0; i < 8 && code == CL_SUCCESS; ++i)
    held.emplace_back(clCreateBuffer(context.get(), CL_MEM_READ_WRITE, limit, nullptr, &code));
  EXPECT_EQ(CL_MEM_OBJECT_ALLOCATION_FAILURE, code);
  // Released memory goes back.
  held.clear();
  EXPECT_EQ(CL_SUCCESS, tryCreate(CL_MEM_READ_WRITE, limit / 2));
}

TEST_F(BufferTest, subBuffersAnswerEveryQuery) {
  const Memory parent =
      makeBuffer(4096, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY, host);
  const cl_buffer_region region = {1024, 512};
  const Memory sub(
      clCreateSubBuffer(parent.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  ASSERT_TRUE(sub);
  EXPECT_EQ(parent.get(), info<cl_mem>(clGetMemObjectInfo, sub.get(), CL_MEM_ASSOCIATED_MEMOBJECT));
  EXPECT_EQ(1024u, info<size_t>(clGetMemObjectInfo, sub.get(), CL_MEM_OFFSET));
  EXPECT_EQ(512u, info<size_t>(clGetMemObjectInfo, sub.get(), CL_MEM_SIZE));
  EXPECT_EQ(host + 1024, info<void*>(clGetMemObjectInfo, sub.get(), CL_MEM_HOST_PTR));
  EXPECT_EQ(cl_mem_flags{CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR | CL_MEM_HOST_READ_ONLY},
            info<cl_mem_flags>(clGetMemObjectInfo, sub.get(), CL_MEM_FLAGS));
  EXPECT_EQ(context.get(), info<cl_context>(clGetMemObjectInfo, sub.get(), CL_MEM_CONTEXT));
}

TEST_F(BufferTest, subBuffersShareTheirParentsMemoryAndKeepIt) {
  Memory parent = makeBuffer(std::vector<cl_int>(1024, 1));
  const cl_buffer_region region = {1024, 1024};
  const Memory sub(
      clCreateSubBuffer(parent.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  ASSERT_TRUE(sub);
  const cl_int pattern = 5;
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueFillBuffer(queue.get(), sub.get(), &pattern, 4, 0, 1024, 0, nullptr, nullptr));
  const auto values = contents<cl_int>(parent.get());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(i >= 256 && i < 512 ? 5 : 1, values[i]) << i;
  parent.reset();
  EXPECT_EQ(std::vector<cl_int>(256, 5), contents<cl_int>(sub.get()));
}

TEST_F(BufferTest, subBuffersRejectWrongArguments) {
  const Memory parent = makeBuffer(4096);
  const cl_buffer_region region = {0, 1024};
  const Memory sub(
      clCreateSubBuffer(parent.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, trySub(sub.get(), 0, 0, 128));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, trySub(reinterpret_cast<cl_mem>(device), 0, 0, 128));
  EXPECT_EQ(CL_INVALID_VALUE, trySub(parent.get(), CL_MEM_USE_HOST_PTR, 0, 128));
  EXPECT_EQ(CL_INVALID_VALUE, trySub(parent.get(), CL_MEM_ALLOC_HOST_PTR, 0, 128));
  EXPECT_EQ(CL_INVALID_VALUE, trySub(parent.get(), CL_MEM_COPY_HOST_PTR, 0, 128));
  EXPECT_EQ(CL_INVALID_VALUE, trySub(parent.get(), CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 0, 128));
  EXPECT_EQ(CL_INVALID_VALUE, trySub(parent.get(), 0, 4096, 128));
  EXPECT_EQ(CL_INVALID_VALUE, trySub(parent.get(), 0, 1024, 4096));
  EXPECT_EQ(CL_INVALID_VALUE, trySub(parent.get(), 0, 1024, ~size_t{0} - 512));
  EXPECT_EQ(CL_INVALID_BUFFER_SIZE, trySub(parent.get(), 0, 1024, 0));
  EXPECT_EQ(CL_MISALIGNED_SUB_BUFFER_OFFSET, trySub(parent.get(), 0, 4, 128));
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateSubBuffer(parent.get(), 0, 0x9999, &region, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr,
            clCreateSubBuffer(parent.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
}

TEST_F(BufferTest, subBuffersMustSuitTheirParentsFlags) {
  const auto pairs = {std::pair{CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE},
                      {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
                      {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},
                      {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
                      {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY},
                      {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
                      {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},
                      {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY}};
  for (const auto& [parentFlags, flags] : pairs) {
    const Memory parent = makeBuffer(1024, static_cast<cl_mem_flags>(parentFlags));
    EXPECT_EQ(CL_INVALID_VALUE, trySub(parent.get(), static_cast<cl_mem_flags>(flags), 0, 128))
        << parentFlags << " " << flags;
    EXPECT_EQ(CL_SUCCESS, trySub(parent.get(), static_cast<cl_mem_flags>(parentFlags), 0, 128));
  }
}

std::vector<int> destroyedBuffers;
void CL_CALLBACK recordDestruction(cl_mem, void* number) {
  destroyedBuffers.push_back(*static_cast<int*>(number));
}

TEST_F(BufferTest, callsDestructorCallbacksInReverseOrder) {
  int numbers[] = {1, 2, 3};
  Memory parent = makeBuffer(1024);
  const cl_buffer_region region = {0, 512};
  Memory sub(clCreateSubBuffer(parent.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(CL_SUCCESS,
            clSetMemObjectDestructorCallback(parent.get(), recordDestruction, &numbers[0]));
  EXPECT_EQ(CL_SUCCESS,
            clSetMemObjectDestructorCallback(parent.get(), recordDestruction, &numbers[1]));
  EXPECT_EQ(CL_SUCCESS,
            clSetMemObjectDestructorCallback(sub.get(), recordDestruction, &numbers[2]));
  EXPECT_EQ(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(parent.get(), nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clSetMemObjectDestructorCallback(reinterpret_cast<cl_mem>(device), recordDestruction,
                                             nullptr));
  destroyedBuffers.clear();
  parent.reset();
  EXPECT_TRUE(destroyedBuffers.empty()) << "a buffer lives as long as its sub-buffers";
  sub.reset();
  EXPECT_EQ((std::vector<int>{3, 2, 1}), destroyedBuffers);
}

TEST_F(BufferTest, livesUntilItsCommandsHaveEnded) {
  const Event gate = makeUserEvent();
  std::vector<cl_int> values(256);
  {
    const Memory buffer = makeBuffer(std::vector<cl_int>(256, 9));
    const cl_event list[] = {gate.get()};
    ASSERT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queue.get(), buffer.get(), CL_FALSE, 0, 1024,
                                              values.data(), 1, list, nullptr));
  }
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(std::vector<cl_int>(256, 9), values);
}

} // namespace
} // namespace quern::test
