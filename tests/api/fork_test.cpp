#include <sys/wait.h>
#include <unistd.h>

#include "opencl_test.h"

namespace quern::test {
namespace {

class ForkTest : public OpenClTest {
protected:
  /// Runs `body` in a child process and returns its exit status; a child that hangs is ended by an
  /// alarm.
  template <typename Body> int inChild(Body&& body) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      _exit(body());
    }
    int status = 0;
    EXPECT_EQ(child, waitpid(child, &status, 0));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
};

TEST_F(ForkTest, objectsOfTheParentAreRejectedInTheChild) {
  const Memory buffer = makeBuffer(64);
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(0, inChild([&] {
              char byte = 0;
              if (clEnqueueReadBuffer(queue.get(), buffer.get(), CL_TRUE, 0, 1, &byte, 0, nullptr,
                                      nullptr) != CL_INVALID_COMMAND_QUEUE)
                return 1;
              if (clFinish(queue.get()) != CL_INVALID_COMMAND_QUEUE)
                return 2;
              if (clReleaseMemObject(buffer.get()) != CL_INVALID_MEM_OBJECT)
                return 3;
              size_t size = 0;
              return clGetDeviceInfo(device, CL_DEVICE_NAME, 0, nullptr, &size) == CL_INVALID_DEVICE
                         ? 0
                         : 4;
            }));
}

TEST_F(ForkTest, theChildCanStartAnew) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer allows no threads in the child of a process with threads";
#endif
  const Memory buffer = makeBuffer(1 << 20);
  const cl_int one = 1;
  // Commands run while the process is copied.
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), buffer.get(), &one, 4, 0, 1 << 20, 0,
                                              nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, clFlush(queue.get()));
  EXPECT_EQ(0, inChild([&] {
              cl_device_id own = nullptr;
              if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &own, nullptr) != CL_SUCCESS ||
                  own == device)
                return 1;
              const Context childContext(
                  clCreateContext(nullptr, 1, &own, nullptr, nullptr, nullptr));
              const Queue childQueue(
                  clCreateCommandQueueWithProperties(childContext.get(), own, nullptr, nullptr));
              cl_int value = 0;
              const Memory childBuffer(
                  clCreateBuffer(childContext.get(), CL_MEM_READ_WRITE, 64, nullptr, nullptr));
              const cl_int two = 2;
              if (clEnqueueFillBuffer(childQueue.get(), childBuffer.get(), &two, 4, 0, 64, 0,
                                      nullptr, nullptr) != CL_SUCCESS)
                return 2;
              if (clEnqueueReadBuffer(childQueue.get(), childBuffer.get(), CL_TRUE, 60, 4, &value,
                                      0, nullptr, nullptr) != CL_SUCCESS)
                return 3;
              return value == 2 ? 0 : 4;
            }));
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(1, contents<cl_int>(buffer.get())[5]);
}

} // namespace
} // namespace quern::test
