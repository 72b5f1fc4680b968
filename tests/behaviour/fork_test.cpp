// A process that used OpenCL forks. The child may use what it inherited or be told that it cannot;
// it never hangs, and the parent notices nothing.
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr const char* multiplyingSource =
    "kernel void k(global int* out) { out[get_global_id(0)] = (int)get_global_id(0) * 3; }";

bool kernelMultiplies() {
  Buffer<cl_int> out(1000);
  run(build(multiplyingSource), "k", {{1000}, {10}}, out);
  return out.read() == tabulate<cl_int>(1000, [](size_t g) { return 3 * g; });
}

/// Forks; the new process runs `body`, whose exceptions count as clean errors, and leaves through
/// exit(). Its exit status, or -1 when it had to be killed after some seconds.
template <typename Body> int statusOfFork(const Body& body) {
  std::fflush(nullptr);
  pid_t process = fork();
  if (process == 0) {
    alarm(20);
    int status = 0;
    try {
      status = body() ? 0 : 1;
    } catch (const std::exception&) {
    }
    exit(status);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

QUERN_CHILD(forkBeforeFirstUse) {
  if (int status = statusOfFork([] { return kernelMultiplies(); }))
    return 10 + status;
  return kernelMultiplies() ? 0 : 1;
}

QUERN_CHILD(forkAfterPlatformQuery) {
  cl_uint count = 0;
  check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  if (int status = statusOfFork([] { return kernelMultiplies(); }))
    return 10 + status;
  return kernelMultiplies() ? 0 : 1;
}

QUERN_CHILD(forkAfterUse) {
  if (!kernelMultiplies())
    return 1;
  for (int round = 0; round < 3; ++round)
    if (int status = statusOfFork([] { return kernelMultiplies(); }))
      return 10 + status;
  return kernelMultiplies() ? 0 : 2;
}

QUERN_CHILD(forkAndDoNothing) {
  if (!kernelMultiplies())
    return 1;
  if (int status = statusOfFork([] { return true; }))
    return 10 + status;
  return kernelMultiplies() ? 0 : 2;
}

QUERN_CHILD(forkAndQuery) {
  if (!kernelMultiplies())
    return 1;
  int status = statusOfFork([] {
    cl_uint count = 0;
    check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
    const std::string name = Device::get().text(CL_DEVICE_NAME);
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(nullptr, 1, &Device::get().id, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    check(clReleaseContext(context), "clReleaseContext");
    return !name.empty();
  });
  return status ? 10 + status : kernelMultiplies() ? 0 : 2;
}

// Locks may be held by other threads at the moment of the fork.
QUERN_CHILD(forkWhileOthersWork) {
  Device::get();
  std::vector<std::thread> workers;
  std::vector<int> right(3, 0);
  for (int& result : right)
    workers.emplace_back([&result] {
      bool all = true;
      for (int i = 0; i < 10; ++i)
        all &= kernelMultiplies();
      result = all;
    });
  int worst = 0;
  for (int round = 0; round < 5; ++round)
    if (int status = statusOfFork([] { return kernelMultiplies(); }))
      worst = 10 + status;
  for (std::thread& worker : workers)
    worker.join();
  return worst ? worst : right == std::vector<int>(3, 1) ? 0 : 1;
}

QUERN_CHILD(forkAndReleaseEverything) {
  if (!kernelMultiplies())
    return 1;
  Buffer<cl_int> out(16);
  Program program = build(multiplyingSource);
  Kernel kernel(program, "k");
  kernel.setAll(out);
  kernel.enqueue({{16}});
  int status = statusOfFork([&] {
    clReleaseMemObject(out.handle());
    clReleaseKernel(kernel.handle());
    clReleaseProgram(program.handle());
    clReleaseCommandQueue(Device::get().queue);
    clReleaseContext(Device::get().context);
    return true;
  });
  return status ? 10 + status : out.read()[5] == 15 ? 0 : 2;
}

class Fork : public testing::TestWithParam<const char*> {};

TEST_P(Fork, neitherProcessHangs) {
  ChildResult result = runChild({GetParam(), {}, {}, std::chrono::seconds(100), true});
  EXPECT_EQ(result.exitCode, 0) << result;
}

INSTANTIATE_TEST_SUITE_P(Processes, Fork,
                         testing::Values("forkBeforeFirstUse", "forkAfterPlatformQuery",
                                         "forkAfterUse", "forkAndDoNothing", "forkAndQuery",
                                         "forkWhileOthersWork", "forkAndReleaseEverything"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace
} // namespace quern::tests
