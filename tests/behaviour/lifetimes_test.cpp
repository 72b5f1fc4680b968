// Objects released while commands use them, and loops of create, use and release that keep memory
// flat.
#include <atomic>
#include <malloc.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

constexpr const char* outlivedSource = R"(
  kernel void k(global int* data, int value) { data[get_global_id(0)] = data[get_global_id(0)] * 2 + value; })";

/// Memory of this process in use. Without pages of files: those of the compiler become resident
/// when it first makes a variant of a kernel, on a thread of its own and at no moment that can be
/// told.
size_t residentBytes() {
  malloc_trim(0);
  const std::string status = readFile("/proc/self/status");
  size_t kibibytes = 0;
  for (const std::string part : {"RssAnon:", "RssShmem:"})
    kibibytes += std::stoul(status.substr(status.find(part) + part.size()));
  return kibibytes * 1024;
}

TEST(Lifetimes, commandsKeepWhatTheyUse) {
  cl_int code = CL_SUCCESS;
  cl_event gate = clCreateUserEvent(Device::get().context, &code);
  check(code, "clCreateUserEvent");
  std::vector<cl_int> results(64);
  cl_event last = nullptr;
  {
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(Device::get().context, Device::get().id, nullptr, &code);
    check(code, "clCreateCommandQueueWithProperties");
    Buffer<cl_int> data(64, 5);
    cl_buffer_region region = {0, 32 * sizeof(cl_int)};
    cl_mem part = clCreateSubBuffer(data.handle(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    check(code, "clCreateSubBuffer");
    Kernel kernel(build(outlivedSource), "k");
    check(clSetKernelArg(kernel.handle(), 0, sizeof(part), &part), "clSetKernelArg");
    kernel.set(1, cl_int{1});
    const size_t size = 32;
    check(clEnqueueNDRangeKernel(queue, kernel.handle(), 1, nullptr, &size, nullptr, 1, &gate,
                                 nullptr),
          "clEnqueueNDRangeKernel");
    check(clReleaseMemObject(part), "clReleaseMemObject");
    check(clEnqueueReadBuffer(queue, data.handle(), CL_FALSE, 0, 64 * sizeof(cl_int),
                              results.data(), 0, nullptr, &last),
          "clEnqueueReadBuffer");
    check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
  }
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clReleaseEvent(gate), "clReleaseEvent");
  check(clWaitForEvents(1, &last), "clWaitForEvents");
  EXPECT_EQ(results, tabulate<cl_int>(64, [](size_t i) { return i < 32 ? 11 : 5; }));
  clReleaseEvent(last);
}

TEST(Lifetimes, contextOutlivesItsLastReference) {
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &Device::get().id, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(context, Device::get().id, nullptr, &code);
  check(code, "clCreateCommandQueueWithProperties");
  cl_mem buffer = clCreateBuffer(context, 0, 4096, nullptr, &code);
  check(code, "clCreateBuffer");
  check(clReleaseContext(context), "clReleaseContext");
  cl_int pattern = 7, value = 0;
  check(clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, 4096, 0, nullptr, nullptr),
        "clEnqueueFillBuffer");
  check(clReleaseMemObject(clCreateBuffer(context, 0, 64, nullptr, &code)), "clReleaseMemObject");
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 4000, 4, &value, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  EXPECT_EQ(value, 7);
  check(clReleaseMemObject(buffer), "clReleaseMemObject");
  check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

/// How many callbacks of createUseRelease were called.
std::atomic<int> callbacksCalled = 0;

/// Creates one of everything, uses it and releases it before it is finished with.
void createUseRelease(const Program& program, int round) {
  cl_int code = CL_SUCCESS;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(Device::get().context, Device::get().id, nullptr, &code);
  check(code, "clCreateCommandQueueWithProperties");
  cl_mem buffer = clCreateBuffer(Device::get().context, 0, 64 * sizeof(cl_int), nullptr, &code);
  check(code, "clCreateBuffer");
  cl_kernel kernel = clCreateKernel(program.handle(), "k", &code);
  check(code, "clCreateKernel");
  cl_event user = clCreateUserEvent(Device::get().context, &code), event = nullptr;
  check(code, "clCreateUserEvent");
  check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(round), &round), "clSetKernelArg");
  const size_t size = 64;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 1, &user, &event),
        "clEnqueueNDRangeKernel");
  check(clSetEventCallback(
            event, CL_COMPLETE,
            [](cl_event, cl_int, void*) {
              ++callbacksCalled;
              callbacksCalled.notify_one();
            },
            nullptr),
        "clSetEventCallback");
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
  check(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  clReleaseEvent(user);
  if (round % 16 == 0)
    check(clWaitForEvents(1, &event), "clWaitForEvents");
  clReleaseEvent(event);
  clReleaseCommandQueue(queue);
}

/// Does `rounds` rounds. Waits for all their callbacks after every 16th: how many rounds wait for
/// the callback thread, each with its objects, would else depend on what the machine does besides.
void createUseReleaseRounds(const Program& program, int rounds) {
  const int calledBefore = callbacksCalled;
  for (int i = 0; i < rounds; ++i) {
    createUseRelease(program, i);
    if (i % 16 == 0 || i == rounds - 1)
      for (int called = callbacksCalled; called <= calledBefore + i; called = callbacksCalled)
        callbacksCalled.wait(called);
  }
}

QUERN_CHILD(createUseReleaseLoop) {
  const int rounds = std::stoi(arguments[0]);
  Program program = build(outlivedSource);
  createUseReleaseRounds(program, rounds / 4);
  const size_t before = residentBytes();
  createUseReleaseRounds(program, rounds);
  const size_t after = residentBytes();
  std::printf("%zu KiB before, %zu KiB after\n", before / 1024, after / 1024);
  return after < before + (4 << 20) ? 0 : 1;
}

QUERN_CHILD(launchLoop) {
  Program program = build(outlivedSource);
  Buffer<cl_int> data(64);
  Kernel kernel(program, "k");
  kernel.setAll(data, cl_int{0});
  size_t before = 0;
  constexpr int rounds = 200000;
  for (int i = 0; i < rounds; ++i) {
    kernel.enqueue({{8}, {8}});
    if (i % 1000 == 999)
      check(clFinish(Device::get().queue), "clFinish");
    if (i == rounds / 4)
      before = residentBytes();
  }
  check(clFinish(Device::get().queue), "clFinish");
  const size_t after = residentBytes();
  std::printf("%zu KiB before, %zu KiB after\n", before / 1024, after / 1024);
  return after < before + (4 << 20) ? 0 : 1;
}

/// Makes a buffer, runs a kernel on it that the program waits for now and then, and gives all up at
/// once: a million times.
QUERN_CHILD(millionCycles) {
  Program program = build(outlivedSource);
  Kernel kernel(program, "k");
  size_t before = 0;
  constexpr int rounds = 1'000'000;
  for (int i = 0; i < rounds; ++i) {
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(Device::get().context, 0, 256, nullptr, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(kernel.handle(), 0, sizeof(buffer), &buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel.handle(), 1, sizeof(i), &i), "clSetKernelArg");
    const size_t size = 8;
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &size, &size, 0,
                                 nullptr, &event),
          "clEnqueueNDRangeKernel");
    clReleaseMemObject(buffer);
    if (i % 256 == 255)
      check(clWaitForEvents(1, &event), "clWaitForEvents");
    clReleaseEvent(event);
    if (i == rounds / 10)
      before = residentBytes();
  }
  check(clFinish(Device::get().queue), "clFinish");
  const size_t after = residentBytes();
  std::printf("%zu KiB before, %zu KiB after\n", before / 1024, after / 1024);
  return after < before + (4 << 20) ? 0 : 1;
}

QUERN_CHILD(buildLoop) {
  const auto round = [](int i) {
    Buffer<cl_int> data(4, 1);
    run(build(outlivedSource, "-DROUND=" + std::to_string(i)), "k", {{4}}, data, cl_int{1});
  };
  for (int i = 0; i < 15; ++i)
    round(i);
  const size_t before = residentBytes();
  for (int i = 15; i < 45; ++i)
    round(i);
  const size_t after = residentBytes();
  std::printf("%zu KiB before, %zu KiB after\n", before / 1024, after / 1024);
  return after < before + (8 << 20) ? 0 : 1;
}

QUERN_CHILD(contextLoop) {
  const auto round = [] {
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(nullptr, 1, &Device::get().id, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    cl_mem buffer = clCreateBuffer(context, 0, 1 << 16, nullptr, &code);
    check(code, "clCreateBuffer");
    clReleaseContext(context);
    clReleaseMemObject(buffer);
  };
  for (int i = 0; i < 2000; ++i)
    round();
  const size_t before = residentBytes();
  for (int i = 0; i < 20000; ++i)
    round();
  const size_t after = residentBytes();
  std::printf("%zu KiB before, %zu KiB after\n", before / 1024, after / 1024);
  return after < before + (2 << 20) ? 0 : 1;
}

TEST(Lifetimes, memoryStaysFlat) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers keep freed memory";
#endif
#endif
  for (ChildRequest request :
       {ChildRequest{"createUseReleaseLoop", {"20000"}}, ChildRequest{"launchLoop"},
        ChildRequest{"buildLoop", {}, {{"QUERN_CACHE", "off"}}}, ChildRequest{"contextLoop"},
        ChildRequest{"millionCycles", {}, {}, std::chrono::seconds(240)}}) {
    ChildResult result = runChild(request);
    EXPECT_EQ(result.exitCode, 0) << request.name << ": " << result;
  }
}

} // namespace
} // namespace quern::tests
