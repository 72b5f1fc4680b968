#include <atomic>
#include <random>
#include <thread>

#include "opencl_test.h"

namespace quern::test {
namespace {

/// Several threads at once on the same objects and on their own; meant for ThreadSanitizer.
class ThreadsTest : public OpenClTest {
protected:
  template <typename Body> void onThreads(Body&& body) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i)
      threads.emplace_back([&body, i] { body(i); });
    for (std::thread& thread : threads)
      thread.join();
  }
};

TEST_F(ThreadsTest, makeAndReleaseObjects) {
  onThreads([this](unsigned) {
    for (int i = 0; i < 100; ++i) {
      const Context own(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
      const Queue ownQueue(clCreateCommandQueueWithProperties(own.get(), device, nullptr, nullptr));
      const Memory buffer(clCreateBuffer(own.get(), CL_MEM_READ_WRITE, 256, nullptr, nullptr));
      const Event user(clCreateUserEvent(context.get(), nullptr));
      EXPECT_EQ(CL_SUCCESS, clRetainContext(context.get()));
      EXPECT_EQ(CL_SUCCESS, clReleaseContext(context.get()));
      const cl_char pattern = 1;
      EXPECT_EQ(CL_SUCCESS, clEnqueueFillBuffer(ownQueue.get(), buffer.get(), &pattern, 1, 0, 256,
                                                0, nullptr, nullptr));
    }
  });
}

TEST_F(ThreadsTest, shareAnOutOfOrderQueue) {
  const Queue shared = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  constexpr int commands = 300;
  constexpr size_t bytes = 64;
  // Commands without an order between them must not write the same memory.
  const Memory buffer = makeBuffer(4 * commands * bytes);
  onThreads([&](unsigned thread) {
    std::mt19937 random(thread);
    Event previous;
    for (int i = 0; i < commands; ++i) {
      cl_event raw = nullptr;
      const cl_event list[] = {previous.get()};
      const cl_uint count = previous && random() % 2 ? 1 : 0;
      const cl_event* events = count ? list : nullptr;
      const size_t offset = (thread * commands + static_cast<size_t>(i)) * bytes;
      switch (random() % 5) {
      case 0:
        EXPECT_EQ(CL_SUCCESS, clEnqueueBarrierWithWaitList(shared.get(), count, events, &raw));
        break;
      case 1:
        EXPECT_EQ(CL_SUCCESS, clEnqueueMarkerWithWaitList(shared.get(), count, events, &raw));
        break;
      case 2:
        EXPECT_EQ(CL_SUCCESS, clFinish(shared.get()));
        continue;
      default: {
        const cl_uint pattern = thread;
        EXPECT_EQ(CL_SUCCESS, clEnqueueFillBuffer(shared.get(), buffer.get(), &pattern, 4, offset,
                                                  bytes, count, events, &raw));
      }
      }
      previous.reset(raw);
    }
  });
  ASSERT_EQ(CL_SUCCESS, clFinish(shared.get()));
}

std::atomic<int> calls = 0;
void CL_CALLBACK countCall(cl_event, cl_int, void*) {
  ++calls;
  calls.notify_all();
}

TEST_F(ThreadsTest, waitForAndCompleteEachOthersEvents) {
  constexpr int rounds = 200;
  calls = 0; // the test may be repeated
  std::vector<Event> gates;
  for (int i = 0; i < rounds; ++i)
    gates.push_back(makeUserEvent());
  onThreads([&](unsigned thread) {
    for (int i = 0; i < rounds; ++i) {
      const cl_event gate = gates[i].get();
      // One thread opens the gates, the others wait at them in three ways.
      if (thread == 0) {
        EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
      } else if (thread == 1) {
        EXPECT_EQ(CL_SUCCESS, clSetEventCallback(gate, CL_COMPLETE, countCall, nullptr));
      } else if (thread == 2) {
        EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &gate));
      } else {
        cl_event raw = nullptr;
        EXPECT_EQ(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue.get(), 1, &gate, &raw));
        const Event marker(raw);
        EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &raw));
      }
    }
  });
  for (int seen = calls; seen != rounds; seen = calls)
    calls.wait(seen);
}

TEST_F(ThreadsTest, mapOneBuffer) {
  const Memory buffer = makeBuffer(4096);
  onThreads([&](unsigned thread) {
    for (int i = 0; i < 200; ++i) {
      cl_int code = 0;
      void* pointer =
          clEnqueueMapBuffer(queue.get(), buffer.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                             thread * 1024, 1024, 0, nullptr, nullptr, &code);
      ASSERT_EQ(CL_SUCCESS, code);
      static_cast<unsigned*>(pointer)[0] = thread;
      EXPECT_EQ(CL_SUCCESS,
                clEnqueueUnmapMemObject(queue.get(), buffer.get(), pointer, 0, nullptr, nullptr));
    }
  });
  EXPECT_EQ(0u, info<cl_uint>(clGetMemObjectInfo, buffer.get(), CL_MEM_MAP_COUNT));
}

} // namespace
} // namespace quern::test
