#include "opencl_test.h"

namespace quern::test {
namespace {

struct Arguments {
  cl_mem buffer;
  cl_mem none;
  cl_int value;
};

void CL_CALLBACK storeValue(void* data) {
  const auto& arguments = *static_cast<Arguments*>(data);
  EXPECT_EQ(nullptr, arguments.none);
  *reinterpret_cast<cl_int*>(arguments.buffer) = arguments.value;
}

bool calledWithoutArguments = false;
void CL_CALLBACK noteNull(void* data) {
  calledWithoutArguments = data == nullptr;
}

class NativeKernelTest : public OpenClTest {
protected:
  cl_int run(void(CL_CALLBACK* function)(void*), void* arguments, size_t bytes, cl_uint count,
             const cl_mem* list, const void** locations) {
    return clEnqueueNativeKernel(queue.get(), function, arguments, bytes, count, list, locations, 0,
                                 nullptr, nullptr);
  }
};

TEST_F(NativeKernelTest, getsACopyOfItsArgumentsWithAddressesForBuffers) {
  const Memory buffer = makeBuffer(std::vector<cl_int>{0, 0});
  Arguments arguments = {buffer.get(), buffer.get(), 17};
  const cl_mem list[] = {buffer.get(), nullptr};
  const void* locations[] = {&arguments.buffer, &arguments.none};
  const Event gate = makeUserEvent();
  const cl_event gates[] = {gate.get()};
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueNativeKernel(queue.get(), storeValue, &arguments, sizeof(arguments), 2, list,
                                  locations, 1, gates, nullptr));
  arguments.value = 99;
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ((std::vector<cl_int>{17, 0}), contents<cl_int>(buffer.get()));
}

TEST_F(NativeKernelTest, mayHaveNoArguments) {
  ASSERT_EQ(CL_SUCCESS, run(noteNull, nullptr, 0, 0, nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_TRUE(calledWithoutArguments);
}

TEST_F(NativeKernelTest, rejectsWrongArguments) {
  const Memory buffer = makeBuffer(16);
  const Memory foreign(clCreateBuffer(otherContext.get(), CL_MEM_READ_WRITE, 16, nullptr, nullptr));
  Arguments arguments = {buffer.get(), nullptr, 0};
  const cl_mem list[] = {buffer.get()};
  const cl_mem wrongList[] = {reinterpret_cast<cl_mem>(device)};
  const cl_mem foreignList[] = {foreign.get()};
  const void* locations[] = {&arguments.buffer};
  const void* outside[] = {&arguments + 1};
  const void* before[] = {reinterpret_cast<const std::byte*>(&arguments) - 8};
  const size_t size = sizeof(arguments);
  EXPECT_EQ(CL_INVALID_VALUE, run(nullptr, &arguments, size, 1, list, locations));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, nullptr, size, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, nullptr, 0, 1, list, locations));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, &arguments, 0, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, &arguments, size, 1, nullptr, locations));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, &arguments, size, 1, list, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, &arguments, size, 0, list, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, &arguments, size, 0, nullptr, locations));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, &arguments, size, 1, list, outside));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, &arguments, size, 1, list, before));
  EXPECT_EQ(CL_INVALID_VALUE, run(noteNull, &arguments, sizeof(cl_mem) - 1, 1, list, locations));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, run(noteNull, &arguments, size, 1, wrongList, locations));
  EXPECT_EQ(CL_INVALID_CONTEXT, run(noteNull, &arguments, size, 1, foreignList, locations));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            clEnqueueNativeKernel(reinterpret_cast<cl_command_queue>(device), noteNull, nullptr, 0,
                                  0, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueNativeKernel(queue.get(), noteNull, nullptr, 0, 0, nullptr, nullptr, 1,
                                  nullptr, nullptr));
}

} // namespace
} // namespace quern::test
