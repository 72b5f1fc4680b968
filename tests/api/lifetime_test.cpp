#include <cstdlib>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

#include "opencl_test.h"

namespace quern::test {
namespace {

/// Memory of this process in use, in bytes.
size_t residentBytes() {
  size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

class LifetimeTest : public OpenClTest {
protected:
  void useOnce() {
    const Memory buffer = makeBuffer(4096);
    const cl_int pattern = 3;
    cl_event raw = nullptr;
    ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), buffer.get(), &pattern, 4, 0, 4096, 0,
                                              nullptr, &raw));
    const Event event(raw);
  }
};

TEST_F(LifetimeTest, memoryStaysFlat) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer keeps memory of its own";
#endif
  constexpr int rounds = 20, usesEach = 2000;
  const auto round = [this] {
    for (int i = 0; i < usesEach; ++i)
      useOnce();
    ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  };
  round();
  round();
  const size_t before = residentBytes();
  for (int i = 0; i < rounds; ++i)
    round();
  // Less than a tenth of what one leaked event for each use would take.
  EXPECT_LT(residentBytes(), before + rounds * usesEach * sizeof(void*) * 4);
}

TEST_F(LifetimeTest, everythingMayBeReleasedBeforeItRuns) {
  const Event gate = makeUserEvent();
  const cl_event gates[] = {gate.get()};
  cl_event raw = nullptr;
  {
    const Memory source = makeBuffer(1 << 16), target = makeBuffer(1 << 16);
    const Queue own = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (size_t i = 0; i < 100; ++i) {
      ASSERT_EQ(CL_SUCCESS, clEnqueueCopyBuffer(own.get(), source.get(), target.get(), i * 512,
                                                i * 512, 512, 1, gates, nullptr));
    }
    ASSERT_EQ(CL_SUCCESS, clEnqueueMarker(own.get(), &raw));
  }
  const Event last(raw);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &raw));
}

/// What a process returns that runs `body` and then ends by exit(), with its static destructors. An
/// alarm ends it when it hangs.
template <typename Body> int exitStatusOf(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    body();
    std::exit(0);
  }
  int status = 0;
  EXPECT_EQ(child, waitpid(child, &status, 0));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void CL_CALLBACK neverEnd(void*) {
  for (;;)
    pause();
}

struct Objects {
  Objects() {
    const cl_platform_id platform = quernPlatform();
    cl_device_id device = nullptr;
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    context.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
    queue.reset(clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr));
    buffer.reset(clCreateBuffer(context.get(), CL_MEM_READ_WRITE, 1 << 24, nullptr, nullptr));
  }
  void fill(int times) {
    const cl_int pattern = 1;
    for (int i = 0; i < times; ++i)
      clEnqueueFillBuffer(queue.get(), buffer.get(), &pattern, 4, 0, 1 << 24, 0, nullptr, nullptr);
    clFlush(queue.get());
  }
  Context context;
  Queue queue;
  Memory buffer;
};

TEST(ExitTest, whileCommandsRun) {
  EXPECT_EQ(0, exitStatusOf([] {
              static auto* const objects = new Objects();
              objects->fill(200);
            }));
}

TEST(ExitTest, whileACommandNeverEnds) {
  EXPECT_EQ(0, exitStatusOf([] {
              static auto* const objects = new Objects();
              clEnqueueNativeKernel(objects->queue.get(), neverEnd, nullptr, 0, 0, nullptr, nullptr,
                                    0, nullptr, nullptr);
              clFlush(objects->queue.get());
            }));
}

TEST(ExitTest, withStaticObjectsThatWaitAndRelease) {
  EXPECT_EQ(0, exitStatusOf([] {
              struct WaitingObjects : Objects {
                ~WaitingObjects() { clFinish(queue.get()); }
              };
              static WaitingObjects objects;
              objects.fill(20);
            }));
}

void CL_CALLBACK ignoreEvent(cl_event, cl_int, void*) {}

TEST(ExitTest, withACallbackThread) {
  EXPECT_EQ(0, exitStatusOf([] {
              static auto* const objects = new Objects();
              cl_event event = nullptr;
              clEnqueueMarker(objects->queue.get(), &event);
              clSetEventCallback(event, CL_COMPLETE, ignoreEvent, nullptr);
              clReleaseEvent(event);
              clFinish(objects->queue.get());
            }));
}

} // namespace
} // namespace quern::test
