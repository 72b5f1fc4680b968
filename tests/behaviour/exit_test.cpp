// A process may end at any moment, whatever its queues are doing.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <thread>
#include <unistd.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

/// Keeps the test queue busy for a while after the call.
void startWork() {
  static Buffer<cl_int>& data = *new Buffer<cl_int>(4096, 1);
  static Program& program = *new Program(build(R"(
    kernel void k(global int* data) {
      int x = data[get_global_id(0)];
      for (int i = 0; i < 20000; ++i)
        x = x * 1664525 + 1013904223;
      data[get_global_id(0)] = x;
    })"));
  Kernel kernel(program, "k");
  kernel.setAll(data);
  for (int i = 0; i < 50; ++i)
    kernel.enqueue({{4096}, {64}});
  check(clFlush(Device::get().queue), "clFlush");
}

QUERN_CHILD(returnFromMain) {
  startWork();
  return 7;
}

QUERN_CHILD(callExit) {
  startWork();
  std::exit(7);
}

QUERN_CHILD(callExitInAnotherThread) {
  startWork();
  std::thread([] { std::exit(7); }).join();
  return 1;
}

QUERN_CHILD(callQuickExit) {
  startWork();
  std::quick_exit(7);
}

QUERN_CHILD(exitWhileThreadsWait) {
  startWork();
  cl_int code = CL_SUCCESS;
  static cl_event never = clCreateUserEvent(Device::get().context, &code);
  check(code, "clCreateUserEvent");
  static std::atomic<int> ready{0};
  for (int i = 0; i < 3; ++i)
    std::thread([i] {
      ++ready;
      if (i == 0)
        clFinish(Device::get().queue);
      else
        clWaitForEvents(1, &never);
    }).detach();
  while (ready < 3)
    std::this_thread::yield();
  return 7;
}

QUERN_CHILD(exitWithUnresolvedUserEvent) {
  cl_int code = CL_SUCCESS;
  cl_event never = clCreateUserEvent(Device::get().context, &code);
  check(code, "clCreateUserEvent");
  check(clEnqueueBarrierWithWaitList(Device::get().queue, 1, &never, nullptr),
        "clEnqueueBarrierWithWaitList");
  startWork();
  return 7;
}

QUERN_CHILD(exitInsideACallback) {
  cl_int code = CL_SUCCESS;
  cl_event event = clCreateUserEvent(Device::get().context, &code);
  check(code, "clCreateUserEvent");
  check(clSetEventCallback(
            event, CL_COMPLETE, [](cl_event, cl_int, void*) { std::exit(7); }, nullptr),
        "clSetEventCallback");
  startWork();
  check(clSetUserEventStatus(event, CL_COMPLETE), "clSetUserEventStatus");
  for (;;)
    pause();
}

QUERN_CHILD(exitWhileACallbackRuns) {
  cl_int code = CL_SUCCESS;
  cl_event event = clCreateUserEvent(Device::get().context, &code);
  check(code, "clCreateUserEvent");
  static std::atomic<bool> inside{false};
  check(clSetEventCallback(
            event, CL_COMPLETE,
            [](cl_event, cl_int, void*) {
              inside = true;
              for (;;)
                pause();
            },
            nullptr),
        "clSetEventCallback");
  check(clSetUserEventStatus(event, CL_COMPLETE), "clSetUserEventStatus");
  while (!inside)
    std::this_thread::yield();
  return 7;
}

/// Releases its objects, and uses the device once more, when static objects are destroyed.
struct StaticUser {
  cl_command_queue queue = nullptr;
  cl_mem buffer = nullptr;
  void create() {
    cl_int code = CL_SUCCESS;
    queue =
        clCreateCommandQueueWithProperties(Device::get().context, Device::get().id, nullptr, &code);
    check(code, "clCreateCommandQueueWithProperties");
    buffer = clCreateBuffer(Device::get().context, 0, 4096, nullptr, &code);
    check(code, "clCreateBuffer");
  }
  ~StaticUser() {
    if (!queue)
      return;
    cl_int value = 5, result = 0;
    clEnqueueFillBuffer(queue, buffer, &value, sizeof(value), 0, 4096, 0, nullptr, nullptr);
    // Whether commands still run this late is open; the calls must come back.
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), &result, 0, nullptr, nullptr);
    clFinish(queue);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
  }
};

StaticUser constructedFirst; // destroyed after the driver's own static objects

QUERN_CHILD(staticDestructorBeforeTheDriver) {
  startWork();
  static StaticUser constructedLast;
  constructedLast.create();
  return 7;
}

QUERN_CHILD(staticDestructorAfterTheDriver) {
  startWork();
  constructedFirst.create();
  return 7;
}

QUERN_CHILD(atexitHandlerUsesTheDevice) {
  std::atexit([] {
    clFinish(Device::get().queue);
    clReleaseCommandQueue(Device::get().queue);
    clReleaseContext(Device::get().context);
  });
  startWork();
  return 7;
}

QUERN_CHILD(releaseEverythingAtOnce) {
  startWork();
  clReleaseCommandQueue(Device::get().queue);
  clReleaseContext(Device::get().context);
  return 7;
}

QUERN_CHILD(buildInAnotherThreadDuringExit) {
  Device::get();
  static std::atomic<bool> building{false};
  std::thread([] {
    std::string text = "kernel void k(global int* out) { int x = out[0];\n";
    for (int i = 0; i < 3000; ++i)
      text += "x = x * 3 + " + std::to_string(i) + "; x ^= out[x & 15];\n";
    building = true;
    tryBuild(text + "out[0] = x; }");
  }).detach();
  while (!building)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return 7;
}

// The program opens the driver's library itself and closes it again.
QUERN_CHILD(closeTheLibrary) {
  const char* folder = std::getenv("OCL_ICD_VENDORS");
  std::string path = readFile(std::string(folder ? folder : "") + "/quern.icd");
  path.erase(path.find_last_not_of(" \n") + 1);
  for (int round = 0; round < 2; ++round) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return 1;
    using Get = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
    auto address = reinterpret_cast<void*(CL_API_CALL*)(const char*)>(
        dlsym(library, "clGetExtensionFunctionAddress"));
    auto get = reinterpret_cast<Get>(address("clIcdGetPlatformIDsKHR"));
    cl_uint count = 0;
    if (!get || get(0, nullptr, &count) != CL_SUCCESS || count == 0)
      return 2;
    dlclose(library);
  }
  return 7;
}

class Exit : public testing::TestWithParam<const char*> {};

TEST_P(Exit, isClean) {
  ChildResult result =
      runChild({GetParam(), {}, {{"QUERN_CACHE", "off"}}, std::chrono::seconds(30), true});
  EXPECT_EQ(result.exitCode, 7) << result;
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Exit,
    testing::Values("returnFromMain", "callExit", "callExitInAnotherThread", "callQuickExit",
                    "exitWhileThreadsWait", "exitWithUnresolvedUserEvent", "exitInsideACallback",
                    "exitWhileACallbackRuns", "staticDestructorBeforeTheDriver",
                    "staticDestructorAfterTheDriver", "atexitHandlerUsesTheDevice",
                    "releaseEverythingAtOnce", "buildInAnotherThreadDuringExit", "closeTheLibrary"),
    [](const auto& info) { return std::string(info.param); });

} // namespace
} // namespace quern::tests
