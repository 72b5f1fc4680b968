#include "program_fixture.h"

#include <array>
#include <limits>

namespace quern::test {
namespace {

constexpr const char* commandSource = R"(
kernel void ids(global uint* out) {
  size_t at = get_global_id(0) - get_global_offset(0);
  out[at] = (uint)get_global_id(0);
}
kernel void sizes(global uint* out) {
  if (get_global_id(0) == 0 && get_global_id(1) == 0 && get_global_id(2) == 0)
    for (uint i = 0; i < 3; ++i)
      out[i] = (uint)get_local_size(i);
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global uint* out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (uint)get_local_size(0);
}
kernel void scratch(global uint* out, local uint* memory) { memory[0] = 1; out[0] = memory[0]; }
kernel void twoScratches(global uint* out, local uint* one, local uint* other) {
  one[0] = 1;
  other[0] = 2;
  out[0] = one[0] + other[0];
}
kernel void oneScratch(global uint* out, local uint* none, local uint* own, int usesNone) {
  if (usesNone)
    none[0] = 0;
  own[get_local_id(0)] = (uint)get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = own[get_local_size(0) - 1 - get_local_id(0)];
}
)";

using Sizes = std::vector<size_t>;

class KernelCommandTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    program = buildProgram(commandSource);
    kernel = makeKernel(program, "ids");
    out = makeBuffer(64 * 1024);
    setArguments(kernel, out.get());
  }
  cl_int enqueue(const Kernel& which, const Sizes& global, const Sizes& local = {},
                 const Sizes& offset = {}) {
    return clEnqueueNDRangeKernel(queue.get(), which.get(), static_cast<cl_uint>(global.size()),
                                  offset.empty() ? nullptr : offset.data(), global.data(),
                                  local.empty() ? nullptr : local.data(), 0, nullptr, nullptr);
  }
  size_t maxGroupSize(const Kernel& which) {
    size_t size = 0;
    EXPECT_EQ(CL_SUCCESS, clGetKernelWorkGroupInfo(which.get(), device, CL_KERNEL_WORK_GROUP_SIZE,
                                                   sizeof(size), &size, nullptr));
    return size;
  }

  Program program;
  Kernel kernel;
  Memory out;
};

TEST_F(KernelCommandTest, queueKernelAndContext) {
  const size_t one = 1;
  const auto tryEnqueue = [&](cl_command_queue where, cl_kernel which) {
    return clEnqueueNDRangeKernel(where, which, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, tryEnqueue(nullptr, kernel.get()));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
            tryEnqueue(foreignHandle<cl_command_queue>(context), kernel.get()));
  EXPECT_EQ(CL_INVALID_KERNEL, tryEnqueue(queue.get(), nullptr));
  EXPECT_EQ(CL_INVALID_KERNEL, tryEnqueue(queue.get(), foreignHandle<cl_kernel>(context)));
  const Queue foreign(
      clCreateCommandQueueWithProperties(otherContext.get(), device, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, tryEnqueue(foreign.get(), kernel.get()));
}

TEST_F(KernelCommandTest, argumentsMustBeSet) {
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, enqueue(makeKernel(program, "ids"), {1}));
}

TEST_F(KernelCommandTest, workDimension) {
  const size_t sizes[4] = {1, 1, 1, 1};
  for (cl_uint dimension : {0u, 4u, ~0u})
    EXPECT_EQ(CL_INVALID_WORK_DIMENSION,
              clEnqueueNDRangeKernel(queue.get(), kernel.get(), dimension, nullptr, sizes, nullptr,
                                     0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, enqueue(kernel, {1, 1, 1}));
}

TEST_F(KernelCommandTest, offsetPlusSizeMustBeRepresentable) {
  const size_t most = std::numeric_limits<size_t>::max();
  EXPECT_EQ(CL_INVALID_GLOBAL_OFFSET, enqueue(kernel, {16}, {}, {most - 8}));
  EXPECT_EQ(CL_INVALID_GLOBAL_OFFSET, enqueue(kernel, {16, 2}, {}, {0, most}));
}

TEST_F(KernelCommandTest, offsetReachesTheKernel) {
  ASSERT_EQ(CL_SUCCESS, enqueue(kernel, {3}, {}, {100}));
  const auto values = contents<cl_uint>(out.get());
  EXPECT_EQ(100u, values[0]);
  EXPECT_EQ(102u, values[2]);
}

TEST_F(KernelCommandTest, emptyRangesComplete) {
  cl_event handle = nullptr;
  for (const Sizes& global : {Sizes{0}, Sizes{16, 0}, Sizes{0, 0, 1}}) {
    ASSERT_EQ(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue.get(), kernel.get(), static_cast<cl_uint>(global.size()),
                                     nullptr, global.data(), nullptr, 0, nullptr, &handle));
    const Event event(handle);
    EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &handle));
    EXPECT_EQ(cl_command_type{CL_COMMAND_NDRANGE_KERNEL},
              info<cl_command_type>(clGetEventInfo, handle, CL_EVENT_COMMAND_TYPE));
  }
  EXPECT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, nullptr,
                                               nullptr, 0, nullptr, nullptr));
}

TEST_F(KernelCommandTest, workGroupSize) {
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {16}, {0}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {16, 16}, {4, 0}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {16}, {5}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {4, 4}, {4, 3}));
  const size_t most = maxGroupSize(kernel);
  EXPECT_EQ(CL_SUCCESS, enqueue(kernel, {most}, {most}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {most * 2}, {most * 2}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {most, 2}, {most, 2}));
  const size_t huge = size_t{1} << 40;
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {huge, huge, huge}, {huge, huge, huge}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {huge, huge, 16}, {huge, huge, 0}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {16, huge, huge}, {0, huge, huge}));
}

TEST_F(KernelCommandTest, workItemSizes) {
  // A limit of one dimension only shows where it is below that of the work-group.
  const auto limits = infoList<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  ASSERT_EQ(3u, limits.size());
  for (size_t i = 0; i < 3; ++i) {
    Sizes sizes = {1, 1, 1};
    sizes[i] = limits[i] + 1;
    const cl_int code = enqueue(kernel, sizes, sizes);
    EXPECT_TRUE(code == CL_INVALID_WORK_ITEM_SIZE || code == CL_INVALID_WORK_GROUP_SIZE) << code;
  }
}

TEST_F(KernelCommandTest, requiredWorkGroupSize) {
  const Kernel required = makeKernel(program, "required");
  setArguments(required, out.get());
  EXPECT_EQ(CL_SUCCESS, enqueue(required, {8, 4}, {4, 2}));
  EXPECT_EQ(CL_SUCCESS, enqueue(required, {8, 4, 3}, {4, 2, 1}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(required, {8, 4}, {2, 2}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(required, {8}, {4}));
  // Without a local size it is the one that is used.
  ASSERT_EQ(CL_SUCCESS, enqueue(required, {8, 4}));
  EXPECT_EQ(4u, contents<cl_uint>(out.get())[31]);
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(required, {6, 4}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE,
            clEnqueueTask(queue.get(), required.get(), 0, nullptr, nullptr));
}

TEST_F(KernelCommandTest, nonUniformOnlyWhereTheProgramAllowsIt) {
  const Program allowed = buildProgram(commandSource, "-cl-std=CL3.0"),
                forbidden =
                    buildProgram(commandSource, "-cl-std=CL3.0 -cl-uniform-work-group-size"),
                older = buildProgram(commandSource, "-cl-std=CL1.2");
  const auto tryOn = [&](const Program& which) {
    const Kernel made = makeKernel(which, "ids");
    setArguments(made, out.get());
    return enqueue(made, {17}, {4});
  };
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, tryOn(forbidden));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, tryOn(older));
  const bool supported =
      info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT);
  EXPECT_EQ(supported ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE, tryOn(allowed));
  EXPECT_EQ(16u, contents<cl_uint>(out.get())[16] * supported + 16u * !supported);
  const Program again = programFromBinary(binaryOf(allowed));
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(again.get(), 1, &device, nullptr, nullptr, nullptr));
  EXPECT_EQ(supported ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE, tryOn(again));
}

TEST_F(KernelCommandTest, misalignedSubBuffer) {
  const auto alignBits = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
  const size_t align = alignBits / 8;
  const auto enqueueWith = [&](size_t origin) {
    const cl_buffer_region region = {origin, 16};
    cl_int code = 0;
    const Memory part(clCreateSubBuffer(out.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                        &region, &code));
    if (code != CL_SUCCESS)
      return code;
    setArguments(kernel, part.get());
    return enqueue(kernel, {1});
  };
  EXPECT_EQ(CL_SUCCESS, enqueueWith(align));
  EXPECT_EQ(CL_MISALIGNED_SUB_BUFFER_OFFSET, enqueueWith(align / 2));
}

TEST_F(KernelCommandTest, waitList) {
  const size_t one = 1;
  const Event event = makeUserEvent();
  const cl_event good = event.get(), bad = foreignHandle<cl_event>(context);
  const auto tryEnqueue = [&](cl_uint count, const cl_event* events) {
    return clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &one, nullptr, count,
                                  events, nullptr);
  };
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, tryEnqueue(1, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, tryEnqueue(0, &good));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, tryEnqueue(1, &bad));
  cl_int code = 0;
  const Event foreign(clCreateUserEvent(otherContext.get(), &code));
  const cl_event elsewhere = foreign.get();
  EXPECT_EQ(CL_INVALID_CONTEXT, tryEnqueue(1, &elsewhere));
}

TEST_F(KernelCommandTest, tooMuchLocalMemory) {
  const Kernel scratch = makeKernel(program, "scratch");
  setArguments(scratch, out.get());
  const auto limit = info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE);
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(scratch.get(), 1, limit / 2, nullptr));
  EXPECT_EQ(CL_SUCCESS, enqueue(scratch, {1}));
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(scratch.get(), 1, limit * 2, nullptr));
  EXPECT_EQ(CL_OUT_OF_RESOURCES, enqueue(scratch, {1}));
}

TEST_F(KernelCommandTest, localArgumentsWithoutMemory) {
  const Kernel kernel = makeKernel(program, "oneScratch");
  setArguments(kernel, out.get());
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 1, 0, nullptr));
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 2, 8 * sizeof(cl_uint), nullptr));
  const cl_int no = 0;
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 3, sizeof(no), &no));
  ASSERT_EQ(CL_SUCCESS, enqueue(kernel, {8}, {8}));
  const auto got = contents<cl_uint>(out.get());
  for (cl_uint i = 0; i < 8; ++i)
    EXPECT_EQ(7 - i, got[i]);
}

TEST_F(KernelCommandTest, moreLocalMemoryThanCanBeCounted) {
  const Kernel scratches = makeKernel(program, "twoScratches");
  setArguments(scratches, out.get());
  const size_t half = size_t{1} << 63; // twice that is 0 in 64 bits
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(scratches.get(), 1, half, nullptr));
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(scratches.get(), 2, half, nullptr));
  EXPECT_EQ(CL_OUT_OF_RESOURCES, enqueue(scratches, {1}));
  cl_ulong bytes = 0;
  EXPECT_EQ(CL_SUCCESS, clGetKernelWorkGroupInfo(scratches.get(), device, CL_KERNEL_LOCAL_MEM_SIZE,
                                                 sizeof(bytes), &bytes, nullptr));
  EXPECT_LT(info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE), bytes);
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(scratches.get(), 1, 4, nullptr));
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(scratches.get(), 2, 4, nullptr));
  EXPECT_EQ(CL_SUCCESS, enqueue(scratches, {1}));
  EXPECT_EQ(3u, contents<cl_uint>(out.get())[0]);
}

TEST_F(KernelCommandTest, morePrivateMemoryThanCanBeCounted) {
  // What lives across the barrier is kept for each of a packet's work-items, of which there are
  // powers of two.
  for (const char* elements : {"1L << 58", "1L << 59", "1L << 60"}) {
    const Program large = buildProgram(
        std::string("kernel void large(global uint* out) { char data[") + elements +
        "]; data[out[0]] = 1; barrier(CLK_GLOBAL_MEM_FENCE); out[0] = data[out[1]]; }");
    const Kernel kernel = makeKernel(large, "large");
    setArguments(kernel, out.get());
    EXPECT_EQ(CL_OUT_OF_RESOURCES, enqueue(kernel, {1})) << elements;
    EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, {1}, {1})) << elements;
  }
}

TEST_F(KernelCommandTest, moreWorkItemsThanCanBeCounted) {
  const size_t many = size_t{1} << 30;
  EXPECT_EQ(CL_OUT_OF_RESOURCES, enqueue(kernel, {many, many, many}));
}

TEST_F(KernelCommandTest, task) {
  ASSERT_EQ(CL_SUCCESS, clEnqueueTask(queue.get(), kernel.get(), 0, nullptr, nullptr));
  EXPECT_EQ(0u, contents<cl_uint>(out.get())[0]);
  cl_event handle = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueTask(queue.get(), kernel.get(), 0, nullptr, &handle));
  const Event event(handle);
  EXPECT_EQ(cl_command_type{CL_COMMAND_TASK},
            info<cl_command_type>(clGetEventInfo, handle, CL_EVENT_COMMAND_TYPE));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueTask(nullptr, kernel.get(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_KERNEL, clEnqueueTask(queue.get(), nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS,
            clEnqueueTask(queue.get(), makeKernel(program, "ids").get(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueTask(queue.get(), kernel.get(), 1, nullptr, nullptr));
}

/// Two halves of the device in one context, each with a queue.
class SubDeviceKernelTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    const auto units = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    if (units < 2)
      GTEST_SKIP() << "the device has only one compute unit";
    const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, units / 2, 0};
    cl_device_id parts[2] = {};
    ASSERT_EQ(CL_SUCCESS, clCreateSubDevices(device, halves, 2, parts, nullptr));
    cl_int code = 0;
    both.reset(clCreateContext(nullptr, 2, parts, nullptr, nullptr, &code));
    ASSERT_EQ(CL_SUCCESS, code);
    for (int i = 0; i < 2; ++i) {
      subDevices[i].reset(parts[i]);
      queues[i].reset(clCreateCommandQueueWithProperties(both.get(), parts[i], nullptr, &code));
      ASSERT_EQ(CL_SUCCESS, code);
    }
  }
  cl_int enqueue(int where, const Kernel& kernel) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queues[where].get(), kernel.get(), 1, nullptr, &one, nullptr, 0,
                                  nullptr, nullptr);
  }

  SubDevice subDevices[2];
  Context both;
  Queue queues[2];
};

TEST_F(SubDeviceKernelTest, runsOnEachDeviceOfItsProgram) {
  cl_int code = 0;
  const char* text = commandSource;
  const Program program(clCreateProgramWithSource(both.get(), 1, &text, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr));
  const Kernel kernel = makeKernel(program, "ids");
  for (int i = 0; i < 2; ++i) {
    const Memory out(clCreateBuffer(both.get(), CL_MEM_READ_WRITE, 64, nullptr, &code));
    setArguments(kernel, out.get());
    EXPECT_EQ(CL_SUCCESS, enqueue(i, kernel));
    cl_uint value = 1;
    EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queues[i].get(), out.get(), CL_TRUE, 0, sizeof(value),
                                              &value, 0, nullptr, nullptr));
    EXPECT_EQ(0u, value);
  }
  size_t size = 0;
  EXPECT_EQ(CL_INVALID_DEVICE,
            clGetKernelWorkGroupInfo(kernel.get(), nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size),
                                     &size, nullptr));
}

TEST_F(SubDeviceKernelTest, notOnADeviceThatItsProgramWasNotBuiltFor) {
  cl_int code = 0;
  const char* text = commandSource;
  const Program program(clCreateProgramWithSource(both.get(), 1, &text, nullptr, &code));
  const cl_device_id first = subDevices[0].get();
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 1, &first, nullptr, nullptr, nullptr));
  const Kernel kernel = makeKernel(program, "ids");
  const Memory out(clCreateBuffer(both.get(), CL_MEM_READ_WRITE, 64, nullptr, &code));
  setArguments(kernel, out.get());
  EXPECT_EQ(CL_SUCCESS, enqueue(0, kernel));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, enqueue(1, kernel));
}

TEST_F(SubDeviceKernelTest, differentKernelsOfOneNameAreRefused) {
  cl_int code = 0;
  const char* text = "#ifdef WIDE\nkernel void f(long x) {}\n#else\nkernel void f(int x) "
                     "{}\n#endif\nkernel void g() {}\n";
  const Program program(clCreateProgramWithSource(both.get(), 1, &text, nullptr, &code));
  const cl_device_id devices[] = {subDevices[0].get(), subDevices[1].get()};
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 1, &devices[0], "-D WIDE", nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 1, &devices[1], "", nullptr, nullptr));
  EXPECT_EQ(nullptr, clCreateKernel(program.get(), "f", &code));
  EXPECT_EQ(CL_INVALID_KERNEL_DEFINITION, code);
  EXPECT_EQ("g", infoString(clGetProgramInfo, program.get(), CL_PROGRAM_KERNEL_NAMES));
}

class SuggestedLocalSizeTest : public KernelCommandTest,
                               public testing::WithParamInterface<const char*> {};

// The function of the core has the type of the extension's.
INSTANTIATE_TEST_SUITE_P(BothNames, SuggestedLocalSizeTest,
                         testing::Values("clGetKernelSuggestedLocalWorkSize",
                                         "clGetKernelSuggestedLocalWorkSizeKHR"));

TEST_P(SuggestedLocalSizeTest, isTheSameWhateverWasAskedBefore) {
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, GetParam()));
  ASSERT_TRUE(suggest);
  const auto ask = [&](const Kernel& kernel, const Sizes& global) {
    std::array<size_t, 3> suggested = {1, 1, 1};
    EXPECT_EQ(CL_SUCCESS, suggest(queue.get(), kernel.get(), static_cast<cl_uint>(global.size()),
                                  nullptr, global.data(), suggested.data()));
    return suggested;
  };
  const Kernel asked = makeKernel(program, "sizes");
  setArguments(asked, out.get());
  for (const Sizes& global :
       {Sizes{1009}, Sizes{1009}, Sizes{1024}, Sizes{1009}, Sizes{1024, 6}, Sizes{6, 1024}}) {
    const Kernel fresh = makeKernel(program, "sizes");
    setArguments(fresh, out.get());
    EXPECT_EQ(ask(fresh, global), ask(asked, global)) << testing::PrintToString(global);
  }
}

TEST_P(SuggestedLocalSizeTest, isTheOneThatIsUsed) {
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, GetParam()));
  ASSERT_TRUE(suggest);
  const Kernel sizes = makeKernel(program, "sizes");
  setArguments(sizes, out.get());
  for (const Sizes& global : {Sizes{1000}, Sizes{7, 13}, Sizes{64, 64}, Sizes{3, 5, 7}}) {
    std::array<size_t, 3> suggested = {1, 1, 1};
    const auto dimension = static_cast<cl_uint>(global.size());
    ASSERT_EQ(CL_SUCCESS, suggest(queue.get(), sizes.get(), dimension, nullptr, global.data(),
                                  suggested.data()));
    ASSERT_EQ(CL_SUCCESS, enqueue(sizes, global));
    const auto used = contents<cl_uint>(out.get());
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(suggested[i], used[i]);
  }
  const size_t one = 1, zero = 0;
  size_t size = 0;
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, suggest(nullptr, sizes.get(), 1, nullptr, &one, &size));
  EXPECT_EQ(CL_INVALID_KERNEL, suggest(queue.get(), nullptr, 1, nullptr, &one, &size));
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS,
            suggest(queue.get(), makeKernel(program, "ids").get(), 1, nullptr, &one, &size));
  EXPECT_EQ(CL_INVALID_WORK_DIMENSION, suggest(queue.get(), sizes.get(), 4, nullptr, &one, &size));
  EXPECT_EQ(CL_INVALID_GLOBAL_WORK_SIZE,
            suggest(queue.get(), sizes.get(), 1, nullptr, nullptr, &size));
  EXPECT_EQ(CL_INVALID_GLOBAL_WORK_SIZE,
            suggest(queue.get(), sizes.get(), 1, nullptr, &zero, &size));
  EXPECT_EQ(CL_INVALID_VALUE, suggest(queue.get(), sizes.get(), 1, nullptr, &one, nullptr));
}

} // namespace
} // namespace quern::test
