#include "program_fixture.h"

#include <thread>

namespace quern::test {
namespace {

class KernelArgumentTest : public ProgramTest {
protected:
  static constexpr const char* source = R"(
typedef struct { char a; int b; short c; } Record;
kernel void takes(global int* buffer, constant int* table, local int* scratch, int value, float4 vector, Record record) {
  if (buffer)
    buffer[0] = value;
}
kernel void isNull(global int* out, global int* maybe, constant int* table) { out[0] = maybe == 0; out[1] = table == 0; }
kernel void add(global int* out, int value) { out[get_global_id(0)] = value; }
)";

  void SetUp() override {
    ProgramTest::SetUp();
    program = buildProgram(source);
    kernel = makeKernel(program, "takes");
    buffer = makeBuffer(64);
  }
  cl_int set(cl_uint index, size_t size, const void* value) {
    return clSetKernelArg(kernel.get(), index, size, value);
  }
  cl_int enqueue(const Kernel& which) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue.get(), which.get(), 1, nullptr, &one, nullptr, 0, nullptr,
                                  nullptr);
  }

  Program program;
  Kernel kernel;
  Memory buffer;
};

TEST_F(KernelArgumentTest, kernelAndIndex) {
  const cl_int value = 1;
  EXPECT_EQ(CL_INVALID_KERNEL, clSetKernelArg(nullptr, 0, sizeof(value), &value));
  EXPECT_EQ(CL_INVALID_KERNEL,
            clSetKernelArg(foreignHandle<cl_kernel>(context), 0, sizeof(value), &value));
  EXPECT_EQ(CL_INVALID_ARG_INDEX, set(6, sizeof(value), &value));
  EXPECT_EQ(CL_INVALID_ARG_INDEX, set(~0u, sizeof(value), &value));
}

TEST_F(KernelArgumentTest, values) {
  const cl_int value = 1;
  const cl_float4 vector = {};
  const struct {
    char a;
    int b;
    short c;
  } record = {};
  EXPECT_EQ(CL_SUCCESS, set(3, sizeof(value), &value));
  EXPECT_EQ(CL_INVALID_ARG_SIZE, set(3, sizeof(value) - 1, &value));
  EXPECT_EQ(CL_INVALID_ARG_SIZE, set(3, sizeof(value) + 1, &value));
  EXPECT_EQ(CL_INVALID_ARG_SIZE, set(3, 0, &value));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, set(3, sizeof(value), nullptr));
  EXPECT_EQ(CL_SUCCESS, set(4, sizeof(vector), &vector));
  EXPECT_EQ(CL_INVALID_ARG_SIZE, set(4, sizeof(cl_float), &vector));
  EXPECT_EQ(CL_SUCCESS, set(5, sizeof(record), &record));
}

TEST_F(KernelArgumentTest, buffers) {
  const cl_mem handle = buffer.get(), none = nullptr, foreign = foreignHandle<cl_mem>(context);
  for (cl_uint index : {0u, 1u}) {
    EXPECT_EQ(CL_SUCCESS, set(index, sizeof(handle), &handle));
    EXPECT_EQ(CL_SUCCESS, set(index, sizeof(handle), nullptr));
    EXPECT_EQ(CL_SUCCESS, set(index, sizeof(none), &none));
    EXPECT_EQ(CL_INVALID_ARG_SIZE, set(index, sizeof(handle) - 1, &handle));
    EXPECT_EQ(CL_INVALID_ARG_SIZE, set(index, 0, &handle));
    EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(index, sizeof(foreign), &foreign));
  }
  cl_int code = 0;
  const Memory elsewhere(clCreateBuffer(otherContext.get(), CL_MEM_READ_WRITE, 16, nullptr, &code));
  const cl_mem other = elsewhere.get();
  EXPECT_EQ(CL_INVALID_CONTEXT, set(0, sizeof(other), &other));
}

TEST_F(KernelArgumentTest, localMemory) {
  const cl_int value = 1;
  EXPECT_EQ(CL_SUCCESS, set(2, 16, nullptr));
  EXPECT_EQ(CL_SUCCESS, set(2, 0, nullptr));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, set(2, sizeof(value), &value));
}

TEST_F(KernelArgumentTest, allMustBeSet) {
  const cl_int value = 7;
  const cl_float4 vector = {};
  const char record[12] = {};
  const cl_mem handle = buffer.get();
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, enqueue(kernel));
  EXPECT_EQ(CL_SUCCESS, set(0, sizeof(handle), &handle));
  EXPECT_EQ(CL_SUCCESS, set(1, sizeof(handle), nullptr));
  EXPECT_EQ(CL_SUCCESS, set(2, 16, nullptr));
  EXPECT_EQ(CL_SUCCESS, set(3, sizeof(value), &value));
  EXPECT_EQ(CL_SUCCESS, set(4, sizeof(vector), &vector));
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, enqueue(kernel));
  EXPECT_EQ(CL_SUCCESS, set(5, sizeof(record), record));
  EXPECT_EQ(CL_SUCCESS, enqueue(kernel));
  EXPECT_EQ(7, contents<cl_int>(buffer.get())[0]);
}

TEST_F(KernelArgumentTest, failedSetChangesNothing) {
  const Kernel add = makeKernel(program, "add");
  setArguments(add, buffer.get(), cl_int{5});
  const cl_int value = 6;
  EXPECT_EQ(CL_INVALID_ARG_SIZE, clSetKernelArg(add.get(), 1, sizeof(value) + 1, &value));
  run(add, 1);
  EXPECT_EQ(5, contents<cl_int>(buffer.get())[0]);
}

TEST_F(KernelArgumentTest, nullPointersReachTheKernel) {
  const Kernel isNull = makeKernel(program, "isNull");
  setArguments(isNull, buffer.get(), buffer.get(), buffer.get());
  run(isNull, 1);
  EXPECT_EQ(0, contents<cl_int>(buffer.get())[0]);
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(isNull.get(), 1, sizeof(cl_mem), nullptr));
  setArguments(isNull, buffer.get(), cl_mem{nullptr}, cl_mem{nullptr});
  run(isNull, 1);
  EXPECT_EQ(1, contents<cl_int>(buffer.get())[0]);
  EXPECT_EQ(1, contents<cl_int>(buffer.get())[1]);
}

TEST_F(KernelArgumentTest, enqueueTakesASnapshot) {
  const Kernel add = makeKernel(program, "add");
  const Event gate = makeUserEvent();
  const cl_event wait = gate.get();
  const Memory first = makeBuffer(4), second = makeBuffer(4);
  const size_t one = 1;
  setArguments(add, first.get(), cl_int{1});
  ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), add.get(), 1, nullptr, &one, nullptr, 1,
                                               &wait, nullptr));
  setArguments(add, second.get(), cl_int{2});
  ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), add.get(), 1, nullptr, &one, nullptr, 0,
                                               nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(1, contents<cl_int>(first.get())[0]);
  EXPECT_EQ(2, contents<cl_int>(second.get())[0]);
}

TEST_F(KernelArgumentTest, kernelDoesNotKeepBuffers) {
  const Kernel add = makeKernel(program, "add");
  Memory gone = makeBuffer(4);
  bool deleted = false;
  ASSERT_EQ(
      CL_SUCCESS,
      clSetMemObjectDestructorCallback(
          gone.get(), [](cl_mem, void* flag) { *static_cast<bool*>(flag) = true; }, &deleted));
  setArguments(add, gone.get(), cl_int{1});
  gone.reset();
  EXPECT_TRUE(deleted);
  // What the specification leaves undefined is an error here.
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, enqueue(add));
  setArguments(add, buffer.get());
  EXPECT_EQ(CL_SUCCESS, enqueue(add));
}

TEST_F(KernelArgumentTest, enqueuedCommandKeepsItsBuffers) {
  const Kernel add = makeKernel(program, "add");
  const Event gate = makeUserEvent();
  const cl_event wait = gate.get();
  Memory kept = makeBuffer(4);
  const size_t one = 1;
  setArguments(add, kept.get(), cl_int{1});
  ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), add.get(), 1, nullptr, &one, nullptr, 1,
                                               &wait, nullptr));
  kept.reset();
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
}

TEST_F(KernelArgumentTest, twoThreadsOnOneKernel) {
  const Kernel add = makeKernel(program, "add");
  setArguments(add, buffer.get(), cl_int{0});
  const auto work = [&](cl_int value) {
    for (int i = 0; i < 500; ++i) {
      setArguments(add, buffer.get(), value);
      EXPECT_EQ(CL_SUCCESS, enqueue(add));
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  const cl_int last = contents<cl_int>(buffer.get())[0];
  EXPECT_TRUE(last == 1 || last == 2);
}

TEST_F(KernelArgumentTest, buffersDeletedByAnotherThread) {
  const Kernel add = makeKernel(program, "add");
  setArguments(add, buffer.get(), cl_int{0});
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) {
      const Memory shortLived = makeBuffer(4);
      setArguments(add, shortLived.get());
    }
  });
  for (int i = 0; i < 500; ++i) {
    const cl_int code = enqueue(add);
    EXPECT_TRUE(code == CL_SUCCESS || code == CL_INVALID_KERNEL_ARGS) << code;
  }
  done = true;
  other.join();
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
}

} // namespace
} // namespace quern::test
