#include <numeric>

#include "opencl_test.h"

namespace quern::test {
namespace {

class MapTest : public OpenClTest {
protected:
  void SetUp() override {
    OpenClTest::SetUp();
    values.resize(256);
    std::iota(values.begin(), values.end(), 0);
    buffer = makeBuffer(values);
  }
  cl_int* map(cl_map_flags flags, size_t offset = 0, size_t bytes = 1024) {
    code = 1;
    return static_cast<cl_int*>(clEnqueueMapBuffer(queue.get(), buffer.get(), CL_TRUE, flags,
                                                   offset, bytes, 0, nullptr, nullptr, &code));
  }
  cl_int unmap(void* pointer) {
    return clEnqueueUnmapMemObject(queue.get(), buffer.get(), pointer, 0, nullptr, nullptr);
  }
  cl_uint mapCount() { return info<cl_uint>(clGetMemObjectInfo, buffer.get(), CL_MEM_MAP_COUNT); }

  std::vector<cl_int> values;
  Memory buffer;
  cl_int code = 0;
};

TEST_F(MapTest, showsAndChangesTheContents) {
  cl_int* mapped = map(CL_MAP_READ | CL_MAP_WRITE, 400, 40);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(100, mapped[0]);
  mapped[0] = -1;
  EXPECT_EQ(1u, mapCount());
  ASSERT_EQ(CL_SUCCESS, unmap(mapped));
  EXPECT_EQ(0u, mapCount());
  values[100] = -1;
  EXPECT_EQ(values, contents<cl_int>(buffer.get()));
}

TEST_F(MapTest, pointsIntoTheProgramsMemory) {
  std::vector<char> host(512);
  const Memory used = makeBuffer(host.size(), CL_MEM_USE_HOST_PTR, host.data());
  const cl_buffer_region region = {256, 256};
  const Memory sub(
      clCreateSubBuffer(used.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(host.data() + 16, clEnqueueMapBuffer(queue.get(), used.get(), CL_TRUE, CL_MAP_READ, 16,
                                                 16, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(host.data() + 256 + 16, clEnqueueMapBuffer(queue.get(), sub.get(), CL_TRUE, CL_MAP_READ,
                                                       16, 16, 0, nullptr, nullptr, nullptr));
}

TEST_F(MapTest, regionsMayOverlapUnlessBothAreWritten) {
  cl_int* first = map(CL_MAP_READ);
  cl_int* second = map(CL_MAP_READ);
  EXPECT_EQ(first, second);
  cl_int* written = map(CL_MAP_WRITE, 0, 512);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(nullptr, map(CL_MAP_WRITE, 508, 8));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
  cl_int* behind = map(CL_MAP_WRITE_INVALIDATE_REGION, 512, 512);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(4u, mapCount());
  EXPECT_EQ(CL_SUCCESS, unmap(behind));
  // Three mappings began at the same address.
  for (cl_int* pointer : {first, second, written})
    EXPECT_EQ(CL_SUCCESS, unmap(pointer));
  EXPECT_EQ(CL_INVALID_VALUE, unmap(first));
  EXPECT_EQ(0u, mapCount());
}

TEST_F(MapTest, rejectsWrongArguments) {
  const Memory foreign(clCreateBuffer(otherContext.get(), CL_MEM_READ_WRITE, 64, nullptr, nullptr));
  const auto tryMap = [](cl_command_queue on, cl_mem memory, cl_uint count, const cl_event* list) {
    cl_int code = 0;
    EXPECT_EQ(nullptr, clEnqueueMapBuffer(on, memory, CL_TRUE, CL_MAP_READ, 0, 4, count, list,
                                          nullptr, &code));
    return code;
  };
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            tryMap(reinterpret_cast<cl_command_queue>(device), buffer.get(), 0, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            tryMap(queue.get(), reinterpret_cast<cl_mem>(device), 0, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, tryMap(queue.get(), foreign.get(), 0, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, tryMap(queue.get(), buffer.get(), 1, nullptr));
  EXPECT_EQ(nullptr, map(CL_MAP_READ, 1024, 4));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, map(CL_MAP_READ, 0, 0));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, map(1 << 10));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION));
  EXPECT_EQ(CL_INVALID_VALUE, code);

  EXPECT_EQ(CL_INVALID_VALUE, unmap(nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, unmap(values.data()));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clEnqueueUnmapMemObject(queue.get(), reinterpret_cast<cl_mem>(device), values.data(), 0,
                                    nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, clEnqueueUnmapMemObject(queue.get(), foreign.get(), values.data(),
                                                        0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clEnqueueUnmapMemObject(reinterpret_cast<cl_command_queue>(device), buffer.get(),
                                    values.data(), 0, nullptr, nullptr));
}

TEST_F(MapTest, aBlockingMapThatFailsLeavesNothingMapped) {
  const Event user = makeUserEvent();
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), -1));
  const cl_event list[] = {user.get()};
  EXPECT_EQ(nullptr, clEnqueueMapBuffer(queue.get(), buffer.get(), CL_TRUE, CL_MAP_WRITE, 0, 64, 1,
                                        list, nullptr, &code));
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, code);
  EXPECT_EQ(0u, mapCount());
}

} // namespace
} // namespace quern::test
