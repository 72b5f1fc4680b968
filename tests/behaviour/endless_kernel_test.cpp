// A kernel that never ends leaves the process killable and everything else running.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>
#include <unistd.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

/// Enqueues `groups` work-groups that run until `*stop` becomes non-zero, and waits until the first
/// has started.
class EndlessKernel {
public:
  explicit EndlessKernel(size_t groups)
      : program_(build(R"(
          kernel void spin(volatile global int* stop, volatile global int* started) {
            started[0] = 1;
            while (stop[0] == 0) {
            }
          })")),
        stop_(std::vector<cl_int>(1)), kernel_(program_, "spin") {
    cl_int code = CL_SUCCESS;
    queue_ =
        clCreateCommandQueueWithProperties(Device::get().context, Device::get().id, nullptr, &code);
    check(code, "clCreateCommandQueueWithProperties");
    shared_ =
        clCreateBuffer(Device::get().context, CL_MEM_USE_HOST_PTR, sizeof(flags_), flags_, &code);
    check(code, "clCreateBuffer");
    kernel_.setAll(stop_);
    check(clSetKernelArg(kernel_.handle(), 1, sizeof(cl_mem), &shared_), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue_, kernel_.handle(), 1, nullptr, &groups, &one_, 0, nullptr,
                                 &event_),
          "clEnqueueNDRangeKernel");
    check(clFlush(queue_), "clFlush");
    while (__atomic_load_n(flags_, __ATOMIC_RELAXED) == 0)
      std::this_thread::yield();
  }
  cl_command_queue queue() const { return queue_; }
  cl_event event() const { return event_; }

private:
  Program program_;
  Buffer<cl_int> stop_;
  Kernel kernel_;
  cl_command_queue queue_ = nullptr;
  cl_mem shared_ = nullptr;
  cl_event event_ = nullptr;
  const size_t one_ = 1;
  alignas(4096) cl_int flags_[1024] = {};
};

QUERN_CHILD(waitForEndlessKernel) {
  static EndlessKernel kernel(std::stoul(arguments[0]));
  std::puts("running");
  std::fflush(stdout);
  clFinish(kernel.queue());
  return 0;
}

TEST(EndlessKernel, isEndedBySignals) {
  for (int signal : {SIGINT, SIGTERM})
    for (const char* groups : {"1", "64"}) {
      Child child({"waitForEndlessKernel", {groups}});
      ASSERT_TRUE(child.waitForOutput("running"));
      const auto start = std::chrono::steady_clock::now();
      kill(child.pid(), signal);
      ChildResult result = child.wait();
      EXPECT_EQ(result.signal, signal) << result;
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    }
}

QUERN_CHILD(goOnBesideEndlessKernel) {
  // With one compute unit nothing else can run; queries still answer.
  const auto units = Device::get().info<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  static EndlessKernel endless(1);
  std::thread waiting([] { clFinish(endless.queue()); });
  waiting.detach();
  if (Device::get().text(CL_DEVICE_NAME).empty())
    return 1;
  cl_int status = 0;
  check(clGetEventInfo(endless.event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                       nullptr),
        "clGetEventInfo");
  if (status != CL_RUNNING)
    return 2;
  if (units > 1) {
    Buffer<cl_int> out(1000, 1);
    Program program = build("kernel void k(global int* out) { out[get_global_id(0)] *= 7; }");
    for (int i = 0; i < 3; ++i)
      run(program, "k", {{1000}, {10}}, out);
    if (out.read() != std::vector<cl_int>(1000, 343))
      return 3;
  }
  std::puts("went on");
  std::fflush(stdout);
  _exit(0);
}

TEST(EndlessKernel, otherQueuesAndQueriesGoOn) {
  ChildResult result = runChild({"goOnBesideEndlessKernel", {}, {}, std::chrono::seconds(20)});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_EQ(result.output, "went on\n");
}

QUERN_CHILD(returnFromMainWithEndlessKernel) {
  static EndlessKernel kernel(std::stoul(arguments[0]));
  return 7;
}

TEST(EndlessKernel, doesNotHoldUpTheExit) {
  for (const char* groups : {"1", "64"}) {
    ChildResult result =
        runChild({"returnFromMainWithEndlessKernel", {groups}, {}, std::chrono::seconds(20)});
    EXPECT_EQ(result.exitCode, 7) << result;
  }
}

/// An endless launch, then a good one, then one that is long in all but short in each work-group.
QUERN_CHILD(exceedTheTimeLimit) {
  static EndlessKernel endless(std::stoul(arguments[0]));
  cl_event event = endless.event();
  if (clWaitForEvents(1, &event) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    return 1;
  cl_int status = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr),
        "clGetEventInfo");
  if (status != CL_OUT_OF_RESOURCES)
    return 2;
  Buffer<cl_int> out(1000, 1);
  run(build("kernel void k(global int* out) { out[get_global_id(0)] *= 7; }"), "k", {{1000}, {10}},
      out);
  return out.read() == std::vector<cl_int>(1000, 7) ? 0 : 3;
}

/// Most of the time such a kernel is in functions of the driver, which it must not be taken out of:
/// they hold locks that the next launch needs.
TEST(EndlessKernel, hasATimeLimitAlsoWithChecks) {
  const ChildResult result = runChild(
      {"exceedTheTimeLimit",
       {"2"},
       {{"QUERN_KERNEL_TIME", "1"}, {"QUERN_LOG", "error"}, {"QUERN_CHECK", "races,memory"}},
       std::chrono::seconds(60)});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_NE(result.errors.find("the kernel 'spin' is ended"), std::string::npos) << result;
}

TEST(EndlessKernel, hasATimeLimitWhereOneIsSet) {
  for (const char* groups : {"1", "64"}) {
    const ChildResult result = runChild({"exceedTheTimeLimit",
                                         {groups},
                                         {{"QUERN_KERNEL_TIME", "1"}, {"QUERN_LOG", "error"}},
                                         std::chrono::seconds(60)});
    EXPECT_EQ(result.exitCode, 0) << result;
    EXPECT_NE(result.errors.find("the kernel 'spin' is ended"), std::string::npos) << result;
  }
}

template <typename Function> Function extensionFunction(const char* name) {
  return reinterpret_cast<Function>(
      clGetExtensionFunctionAddressForPlatform(Device::get().platform, name));
}

/// A kernel recorded once, to be run again and again.
class RecordedKernel {
public:
  RecordedKernel(const Kernel& kernel, size_t size) {
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = Device::get().queue;
    buffer_ = extensionFunction<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR")(
        1, &queue, nullptr, &code);
    check(code, "clCreateCommandBufferKHR");
    check(extensionFunction<clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR")(
              buffer_, nullptr, nullptr, kernel.handle(), 1, nullptr, &size, nullptr, 0, nullptr,
              nullptr, nullptr),
          "clCommandNDRangeKernelKHR");
    check(extensionFunction<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR")(buffer_),
          "clFinalizeCommandBufferKHR");
  }
  RecordedKernel(const RecordedKernel&) = delete;
  ~RecordedKernel() {
    extensionFunction<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR")(buffer_);
  }

  /// What it ends with.
  cl_int run() const {
    cl_event event = nullptr;
    check(extensionFunction<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR")(
              0, nullptr, buffer_, 0, nullptr, &event),
          "clEnqueueCommandBufferKHR");
    clWaitForEvents(1, &event);
    cl_int status = CL_QUEUED;
    check(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr),
        "clGetEventInfo");
    clReleaseEvent(event);
    return status;
  }

private:
  cl_command_buffer_khr buffer_ = nullptr;
};

/// A command buffer that is older than the limit, one that never ends, and the first once more.
QUERN_CHILD(exceedTheTimeLimitInCommandBuffers) {
  constexpr size_t size = 1000;
  const Program program = build(R"(
    kernel void add(global int* p, int steps) {
      if (steps == 0)
        while (atomic_or(p, 0) >= 0) {
        }
      p[get_global_id(0)] += steps;
    })");
  Buffer<cl_int> numbers(size, 1);
  Kernel kernel(program, "add");
  kernel.setAll(numbers, cl_int{2});
  const RecordedKernel good(kernel, size);
  kernel.setAll(numbers, cl_int{0});
  const RecordedKernel endless(kernel, size);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  if (good.run() != CL_COMPLETE)
    return 1;
  if (endless.run() != CL_OUT_OF_RESOURCES)
    return 2;
  if (good.run() != CL_COMPLETE)
    return 3;
  return numbers.read() == std::vector<cl_int>(size, 5) ? 0 : 4;
}

TEST(EndlessKernel, hasATimeLimitInEachRunOfACommandBuffer) {
  const ChildResult result = runChild({"exceedTheTimeLimitInCommandBuffers",
                                       {},
                                       {{"QUERN_KERNEL_TIME", "1"}, {"QUERN_LOG", "error"}},
                                       std::chrono::seconds(60)});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_NE(result.errors.find("the kernel 'add' is ended"), std::string::npos) << result;
}

} // namespace
} // namespace quern::tests
