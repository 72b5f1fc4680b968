#include <atomic>

#include "opencl_test.h"
#include "svm_memory.h"

namespace quern::test {
namespace {

/// What a free function saw.
struct Freed {
  cl_context context;
  cl_command_queue queue = nullptr;
  std::vector<void*> pointers;
};

void CL_CALLBACK freeAll(cl_command_queue queue, cl_uint count, void* pointers[], void* data) {
  auto& freed = *static_cast<Freed*>(data);
  freed.queue = queue;
  freed.pointers.assign(pointers, pointers + count);
  for (void* pointer : freed.pointers)
    clSVMFree(freed.context, pointer);
}

class SvmFreeTest : public OpenClTest {};

TEST_F(SvmFreeTest, callsTheFunctionInItsTurn) {
  void* first = clSVMAlloc(context.get(), 0, 64, 0);
  void* second = clSVMAlloc(context.get(), 0, 64, 0);
  void* pointers[] = {first, second};
  Freed freed = {context.get()};
  const Event gate = makeUserEvent();
  const cl_event list[] = {gate.get()};
  cl_event event = nullptr;
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueSVMFree(queue.get(), 2, pointers, freeAll, &freed, 1, list, &event));
  const Event command(event);
  pointers[0] = pointers[1] = nullptr; // the list belongs to the program again
  EXPECT_EQ(cl_command_type{CL_COMMAND_SVM_FREE},
            info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE));
  EXPECT_LT(CL_COMPLETE, statusOf(command));
  clSetUserEventStatus(gate.get(), CL_COMPLETE);
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(CL_COMPLETE, statusOf(command));
  EXPECT_EQ(queue.get(), freed.queue);
  EXPECT_EQ((std::vector<void*>{first, second}), freed.pointers);
}

TEST_F(SvmFreeTest, freesByItselfWithoutAFunction) {
  // Far more in all than there is, unless each is freed.
  const cl_ulong memory = info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  const size_t bytes = memory / 4;
  for (int i = 0; i < 16; ++i) {
    void* pointer = clSVMAlloc(context.get(), 0, bytes, 0);
    ASSERT_NE(nullptr, pointer) << i;
    EXPECT_EQ(CL_SUCCESS,
              clEnqueueSVMFree(queue.get(), 1, &pointer, nullptr, nullptr, 0, nullptr, nullptr));
    clFinish(queue.get());
  }
}

TEST_F(SvmFreeTest, aFailedWaitListFreesNothing) {
  const SvmMemory svm(context, 64);
  void* pointer = svm.get();
  Freed freed = {context.get()};
  const Event failed = makeUserEvent();
  clSetUserEventStatus(failed.get(), -1);
  const cl_event list[] = {failed.get()};
  cl_event event = nullptr;
  EXPECT_EQ(CL_SUCCESS,
            clEnqueueSVMFree(queue.get(), 1, &pointer, freeAll, &freed, 1, list, &event));
  const Event command(event);
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_TRUE(freed.pointers.empty());
}

void CL_CALLBACK callIn(cl_command_queue queue, cl_uint, void* pointers[], void*) {
  // Waits for work on the device while the command itself runs.
  const cl_int pattern = 3;
  cl_event event = nullptr;
  const cl_context context = info<cl_context>(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT);
  const cl_device_id device = info<cl_device_id>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE);
  const Queue other(clCreateCommandQueueWithProperties(context, device, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clEnqueueSVMMemFill(other.get(), pointers[0], &pattern, sizeof(pattern), 64,
                                            0, nullptr, &event));
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &event));
  clReleaseEvent(event);
}

TEST_F(SvmFreeTest, theFunctionMayCallIn) {
  const SvmMemory svm(context, 64);
  void* pointer = svm.get();
  EXPECT_EQ(CL_SUCCESS,
            clEnqueueSVMFree(queue.get(), 1, &pointer, callIn, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(3, static_cast<cl_int*>(pointer)[15]);
}

TEST_F(SvmFreeTest, errors) {
  void* pointers[] = {nullptr};
  const auto free = [&](cl_command_queue where, cl_uint count, void** list, cl_uint eventCount,
                        const cl_event* events) {
    return clEnqueueSVMFree(where, count, list, nullptr, nullptr, eventCount, events, nullptr);
  };
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, free(nullptr, 1, pointers, 0, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, free(queue.get(), 0, pointers, 0, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, free(queue.get(), 1, nullptr, 0, nullptr));
  EXPECT_EQ(CL_SUCCESS, free(queue.get(), 0, nullptr, 0, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, free(queue.get(), 1, pointers, 1, nullptr));
  const Event foreign(clCreateUserEvent(otherContext.get(), nullptr));
  const cl_event list[] = {foreign.get()};
  EXPECT_EQ(CL_INVALID_CONTEXT, free(queue.get(), 1, pointers, 1, list));
}

} // namespace
} // namespace quern::test
