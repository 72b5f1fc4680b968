// Each allocation, mapping, thread and write of the driver fails in turn, in the thread that calls
// it, and each call of NVIDIA's driver, for which there is a stand-in: the call gives an error of
// the specification's, nothing crashes or hangs, and the next calls work.
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <sched.h>

#include "behaviour/failing_calls.h"
#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

/// The functions of the library that was loaded before the driver.
struct Failures {
  void (*fail)(int call,
               long after) = reinterpret_cast<void (*)(int, long)>(dlsym(RTLD_DEFAULT,
                                                                         "quernFailCall"));
  bool (*hasFailed)() = reinterpret_cast<bool (*)()>(dlsym(RTLD_DEFAULT, "quernHasFailed"));
};

/// What one kernel doubles and another makes greater by one, and what that leaves when it has been
/// done twice.
constexpr cl_int before = 3, after = 15;

/// What the command of `event` has ended with. Releases the event, which may be null.
cl_int takeStatus(cl_event event) {
  cl_int status = CL_SUCCESS;
  if (event) {
    const cl_int code =
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    clReleaseEvent(event);
    if (code != CL_SUCCESS)
      return code;
  }
  return status;
}

/// The life of a context with a queue, a buffer, a program, two kernels and commands. Goes on after
/// a call that failed as far as it can, and gives up all. The first error, CL_SUCCESS, or 1 where
/// the kernels have not left `expected`.
cl_int liveOnce(cl_device_id device, cl_int expected = after) {
  cl_int first = CL_SUCCESS, code = CL_SUCCESS;
  const auto note = [&](cl_int result) {
    if (first == CL_SUCCESS)
      first = result;
  };
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  note(code);
  if (!context)
    return first;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  note(code);
  std::vector<cl_int> data(1 << 16, before);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, data.size() * sizeof(cl_int),
                                 data.data(), &code);
  note(code);
  // The second has more arguments than a launch keeps in itself, and local ones.
  const char* source = R"(
    kernel void twice(global int* p) { p[get_global_id(0)] *= 2; }
    kernel void greater(global int* p, int16 a, int16 b, local int* sum) {
      if (get_local_id(0) == 0)
        *sum = a.s0 + b.sf;
      barrier(CLK_LOCAL_MEM_FENCE);
      p[get_global_id(0)] += *sum;
    })";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  note(code);
  if (program)
    note(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr));
  std::vector<cl_kernel> kernels;
  for (const char* name : {"twice", "greater"})
    if (first == CL_SUCCESS) {
      kernels.push_back(clCreateKernel(program, name, &code));
      note(code);
    }
  if (first == CL_SUCCESS) {
    const cl_int16 a = {{1}}, b = {};
    for (cl_kernel kernel : kernels)
      note(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    note(clSetKernelArg(kernels.back(), 1, sizeof(a), &a));
    note(clSetKernelArg(kernels.back(), 2, sizeof(b), &b));
    note(clSetKernelArg(kernels.back(), 3, sizeof(cl_int), nullptr));
    // How long a kernel takes is known the second time: then the thread that waits may run it.
    for (int i = 0; i < 2; ++i) {
      std::vector<cl_event> events;
      for (cl_kernel kernel : kernels) {
        const size_t size = data.size(), local = 64;
        events.push_back(nullptr);
        note(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, &local, 0, nullptr,
                                    &events.back()));
      }
      note(clFinish(queue));
      for (cl_event event : events)
        note(takeStatus(event));
    }
    note(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, data.size() * sizeof(cl_int), data.data(),
                             0, nullptr, nullptr));
  }
  for (cl_kernel kernel : kernels)
    if (kernel)
      clReleaseKernel(kernel);
  if (program)
    clReleaseProgram(program);
  if (buffer)
    clReleaseMemObject(buffer);
  if (queue)
    clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return first == CL_SUCCESS && data != std::vector<cl_int>(data.size(), expected) ? 1 : first;
}

/// Workers come late from now on: the thread that waits mostly runs the commands.
void putThreadsOnOneProcessor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    sched_setaffinity(std::stoi(task.path().filename()), sizeof(one), &one);
}

QUERN_CHILD(failInTurn) {
  const Failures failures;
  if (!failures.fail || !failures.hasFailed)
    return 2;
  const cl_device_id device = Device::get().id;
  const int call = std::stoi(arguments[0]);
  check(liveOnce(device), "a life without failures");
  if (arguments.size() > 1)
    putThreadsOnOneProcessor();
  long turns = 0, errors = 0;
  bool hasFailed = true;
  for (long calls = 0; hasFailed; ++calls) {
    failures.fail(call, calls);
    const cl_int code = liveOnce(device);
    hasFailed = failures.hasFailed();
    if (code > 0)
      return 3;
    turns += hasFailed;
    errors += code < 0;
    check(liveOnce(device), "a life after one with a failure");
  }
  std::printf("%ld failures, %ld errors", turns, errors);
  return 0;
}

/// The same in a process that has done nothing yet: what it starts and writes once, it does here.
/// Exit codes from 10 on: there was nothing left to fail.
QUERN_CHILD(failAtFirst) {
  const Failures failures;
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (!failures.fail || clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS)
    return 2;
  failures.fail(std::stoi(arguments[0]), std::stol(arguments[1]));
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  if (code == CL_SUCCESS)
    code = liveOnce(device);
  const bool hasFailed = failures.hasFailed();
  if (code > 0)
    return 3;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  check(liveOnce(device), "a life after one with a failure");
  return hasFailed ? 0 : 10;
}

/// Likewise for a GPU, whose stand-in runs no kernel.
QUERN_CHILD(failOnGpuInTurn) {
  const Failures failures;
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (!failures.fail || clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr) != CL_SUCCESS)
    return 2;
  check(liveOnce(device, before), "a life without failures");
  long turns = 0, errors = 0;
  bool hasFailed = true;
  for (long calls = 0; hasFailed; ++calls) {
    failures.fail(static_cast<int>(FailingCall::Gpu), calls);
    const cl_int code = liveOnce(device, before);
    hasFailed = failures.hasFailed();
    // What could not be read is not there; an error must say so.
    if (code > 0) {
      std::printf("wrong data without an error after %ld calls", calls);
      return 3;
    }
    turns += hasFailed;
    errors += code < 0;
    check(liveOnce(device, before), "a life after one with a failure");
  }
  std::printf("%ld failures, %ld errors", turns, errors);
  return 0;
}

/// Whatever becomes of the GPU when the process looks for it, the CPU is there.
QUERN_CHILD(failOnGpuAtFirst) {
  const Failures failures;
  cl_platform_id platform = nullptr;
  if (!failures.fail || clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS)
    return 2;
  failures.fail(static_cast<int>(FailingCall::Gpu), std::stol(arguments[0]));
  cl_uint count = 0;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
  std::vector<cl_device_id> devices(count);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr),
        "clGetDeviceIDs");
  for (const cl_device_id device : devices) {
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, nullptr);
    const cl_int code = liveOnce(device, type == CL_DEVICE_TYPE_CPU ? after : before);
    if (code > 0 || (code < 0 && type == CL_DEVICE_TYPE_CPU))
      return 3;
  }
  return failures.hasFailed() ? 0 : 10;
}

struct Failure {
  FailingCall call;
  const char* name;
  friend std::ostream& operator<<(std::ostream& stream, const Failure& failure) {
    return stream << failure.name;
  }
};

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool haveOwnAllocators = true;
#else
constexpr bool haveOwnAllocators = false;
#endif

class EachFailure : public ::testing::TestWithParam<Failure> {
protected:
  /// The child gets the number of the call before its other arguments.
  static ChildResult run(const std::string& child, std::vector<std::string> arguments,
                         const std::string& cache) {
    arguments.insert(arguments.begin(), std::to_string(static_cast<int>(GetParam().call)));
    return runChild(
        {child,
         std::move(arguments),
         {{"LD_PRELOAD", QUERN_FAILING_CALLS}, {"QUERN_CACHE", "on"}, {"QUERN_CACHE_DIR", cache}},
         std::chrono::seconds(280)});
  }
};

TEST_P(EachFailure, isAnErrorAndNoMore) {
  if (haveOwnAllocators)
    GTEST_SKIP() << "sanitizers have allocators of their own";
  const TemporaryFolder folder; // a program that is built in no time
  const ChildResult result = run("failInTurn", {}, folder / "cache");
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_NE(result.output.find(" failures"), std::string::npos) << result;
}

TEST_P(EachFailure, isAnErrorAndNoMoreWhereWorkersComeLate) {
  if (haveOwnAllocators)
    GTEST_SKIP() << "sanitizers have allocators of their own";
  const TemporaryFolder folder;
  const ChildResult result = run("failInTurn", {"on one processor"}, folder / "cache");
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_NE(result.output.find(" failures"), std::string::npos) << result;
}

TEST_P(EachFailure, isAnErrorAndNoMoreInANewProcess) {
  if (haveOwnAllocators)
    GTEST_SKIP() << "sanitizers have allocators of their own";
  constexpr int most = 2000, lastOfFew = 40, distance = 64;
  int turns = 0;
  // Where there are many, not each has a process.
  for (int after = 0; after < most; after += after < lastOfFew ? 1 : distance) {
    const TemporaryFolder folder;
    const ChildResult result = run("failAtFirst", {std::to_string(after)}, folder / "cache");
    if (result.exitCode == 10)
      break;
    EXPECT_EQ(result.exitCode, 0) << "after " << after << " calls: " << result;
    ++turns;
  }
  EXPECT_GT(turns, 0);
}

ChildResult runOnGpu(const std::string& child, std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  return runChild({child,
                   std::move(arguments),
                   {{"LD_PRELOAD", QUERN_FAILING_CALLS},
                    {"LD_LIBRARY_PATH", QUERN_STAND_IN_DRIVER},
                    {"QUERN_DEVICES", "cpu,cuda"},
                    {"QUERN_CACHE", "on"},
                    {"QUERN_CACHE_DIR", folder / "cache"}},
                   std::chrono::seconds(280)});
}

TEST(EachFailureOfAGpu, isAnErrorAndNoMore) {
  if (haveOwnAllocators)
    GTEST_SKIP() << "sanitizers have allocators of their own";
  const ChildResult result = runOnGpu("failOnGpuInTurn", {});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_NE(result.output.find(" failures"), std::string::npos) << result;
}

TEST(EachFailureOfAGpu, leavesTheCpuInANewProcess) {
  if (haveOwnAllocators)
    GTEST_SKIP() << "sanitizers have allocators of their own";
  constexpr int most = 400;
  int turns = 0;
  for (int after = 0; after < most; ++after) {
    const ChildResult result = runOnGpu("failOnGpuAtFirst", {std::to_string(after)});
    if (result.exitCode == 10)
      break;
    EXPECT_EQ(result.exitCode, 0) << "after " << after << " calls: " << result;
    ++turns;
  }
  EXPECT_GT(turns, 0);
}

INSTANTIATE_TEST_SUITE_P(, EachFailure,
                         ::testing::Values(Failure{FailingCall::Malloc, "ofAllocations"},
                                           Failure{FailingCall::Mmap, "ofMappings"},
                                           Failure{FailingCall::Thread, "ofThreads"},
                                           Failure{FailingCall::Write, "ofWrites"}),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace quern::tests
