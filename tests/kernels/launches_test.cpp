// Kernels in flight: asynchronous launches, dependencies, several queues and threads.
#include "kernels/kernel_fixture.h"

#include <thread>

namespace quern::tests {
namespace {

constexpr const char* launchedSource = R"(
  kernel void advance(global int* data, int add) { data[get_global_id(0)] = data[get_global_id(0)] * 3 + add; }
  kernel void slow(global int* data, int rounds) {
    int g = get_global_id(0), x = data[g];
    for (int i = 0; i < rounds; ++i)
      x = x * 1664525 + 1013904223;
    data[g] = x;
  })";

class Queue {
public:
  explicit Queue(cl_command_queue_properties properties = 0) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int code = CL_SUCCESS;
    handle_ =
        clCreateCommandQueueWithProperties(Device::get().context, Device::get().id, list, &code);
    check(code, "clCreateCommandQueueWithProperties");
  }
  ~Queue() { clReleaseCommandQueue(handle_); }
  cl_command_queue handle() const { return handle_; }
  cl_event launch(Kernel& kernel, size_t global, const std::vector<cl_event>& after = {}) {
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(handle_, kernel.handle(), 1, nullptr, &global, nullptr,
                                 cl_uint(after.size()), after.empty() ? nullptr : after.data(),
                                 &event),
          "clEnqueueNDRangeKernel");
    return event;
  }

private:
  cl_command_queue handle_ = nullptr;
};

cl_int statusOf(cl_event event) {
  cl_int status = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr),
        "clGetEventInfo");
  return status;
}

cl_int afterSteps(cl_int value, int steps) {
  for (int i = 0; i < steps; ++i)
    value = cl_int(cl_uint(value) * 3 + cl_uint(i));
  return value;
}

TEST(Launches, waitForAUserEvent) {
  Program program = build(launchedSource);
  Queue queue;
  Buffer<cl_int> data(256, 1);
  Kernel kernel(program, "advance");
  kernel.setAll(data, cl_int{5});
  cl_int code = CL_SUCCESS;
  cl_event gate = clCreateUserEvent(Device::get().context, &code);
  check(code, "clCreateUserEvent");
  cl_event event = queue.launch(kernel, 256, {gate});
  check(clFlush(queue.handle()), "clFlush");
  EXPECT_GT(statusOf(event), CL_RUNNING);
  EXPECT_EQ(data.read(), std::vector<cl_int>(256, 1));
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clWaitForEvents(1, &event), "clWaitForEvents");
  EXPECT_EQ(statusOf(event), CL_COMPLETE);
  EXPECT_EQ(data.read(), std::vector<cl_int>(256, 8));
  clReleaseEvent(event);
  clReleaseEvent(gate);
}

TEST(Launches, runInOrder) {
  Program program = build(launchedSource);
  Buffer<cl_int> data(100, 1);
  Kernel kernel(program, "advance");
  kernel.set(0, data);
  for (int i = 0; i < 500; ++i) {
    kernel.set(1, cl_int{i});
    kernel.enqueue({{100}});
  }
  EXPECT_EQ(data.read(), std::vector<cl_int>(100, afterSteps(1, 500)));
}

TEST(Launches, followTheirWaitListsOutOfOrder) {
  Program program = build(launchedSource);
  Queue queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Buffer<cl_int> data(100, 1);
  Kernel kernel(program, "advance");
  kernel.set(0, data);
  std::vector<cl_event> events;
  for (int i = 0; i < 300; ++i) {
    kernel.set(1, cl_int{i});
    events.push_back(
        queue.launch(kernel, 100, events.empty() ? events : std::vector<cl_event>{events.back()}));
  }
  check(clFinish(queue.handle()), "clFinish");
  EXPECT_EQ(data.read(), std::vector<cl_int>(100, afterSteps(1, 300)));
  for (cl_event event : events)
    clReleaseEvent(event);
}

TEST(Launches, alternateBetweenQueues) {
  Program program = build(launchedSource);
  Queue first, second;
  Buffer<cl_int> data(64, 1);
  Kernel kernel(program, "advance");
  kernel.set(0, data);
  cl_event last = nullptr;
  for (int i = 0; i < 100; ++i) {
    kernel.set(1, cl_int{i});
    Queue& queue = i % 2 ? first : second;
    cl_event event =
        queue.launch(kernel, 64, last ? std::vector<cl_event>{last} : std::vector<cl_event>{});
    check(clFlush(queue.handle()), "clFlush");
    if (last)
      clReleaseEvent(last);
    last = event;
  }
  check(clWaitForEvents(1, &last), "clWaitForEvents");
  clReleaseEvent(last);
  EXPECT_EQ(data.read(), std::vector<cl_int>(64, afterSteps(1, 100)));
}

TEST(Launches, programIsReleasedWhileItRuns) {
  Buffer<cl_int> data(64, 1);
  {
    Program program = build(launchedSource);
    Kernel kernel(program, "slow");
    kernel.setAll(data, cl_int{2000000});
    kernel.enqueue({{64}});
    Kernel last(program, "advance");
    last.setAll(data, cl_int{0});
    last.enqueue({{64}});
  }
  cl_uint x = 1;
  for (int i = 0; i < 2000000; ++i)
    x = x * 1664525 + 1013904223;
  EXPECT_EQ(data.read(), std::vector<cl_int>(64, cl_int(x * 3)));
}

/// A GPU may begin a kernel while the one before it still runs. The last work-groups are the slow
/// ones here, and the next kernel's first ones need what they write.
TEST(Launches, eachSeesAllThatThoseBeforeWrote) {
  constexpr size_t count = 1 << 16;
  constexpr cl_uint rounds = 120;
  for (const char* memory : {"global const", "constant", "global const restrict"}) {
    SCOPED_TRACE(memory);
    const std::string name(memory);
    const bool isRestrict = name.ends_with("restrict");
    Program program = build("kernel void next(" + name.substr(0, name.rfind(" restrict")) +
                            " uint* " + (isRestrict ? "restrict" : "") +
                            R"( in, global uint* out, uint round) {
      uint i = get_global_id(0), n = get_global_size(0), x = in[n - 1 - i] + round;
      for (uint k = 0; k < (i > n - 512 ? 300 : 1); ++k)
        x = x * 1664525 + 1013904223;
      out[i] = x;
    })");
    const auto first = tabulate<cl_uint>(count, [](size_t i) { return static_cast<cl_uint>(i); });
    Buffer<cl_uint> here(first), there(count);
    std::vector<cl_uint> expected = first;
    for (cl_uint round = 0; round < rounds; ++round) {
      std::vector<cl_uint> next(count);
      for (size_t i = 0; i < count; ++i) {
        next[i] = expected[count - 1 - i] + round;
        for (int k = 0; k < (i > count - 512 ? 300 : 1); ++k)
          next[i] = next[i] * 1664525 + 1013904223;
      }
      expected = std::move(next);
    }
    Kernel kernel(program, "next");
    const size_t global = count, local = 64;
    for (cl_uint round = 0; round < rounds; ++round) {
      if (round % 2 == 0)
        kernel.setAll(here, there, round);
      else
        kernel.setAll(there, here, round);
      check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &global,
                                   &local, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    }
    EXPECT_EQ(here.read(), expected);
  }
}

TEST(Launches, fromManyThreadsAtOnce) {
  Program program = build(launchedSource);
  constexpr int threads = 8, launches = 60;
  std::vector<std::thread> workers;
  std::vector<int> wrong(threads, 1);
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t]() noexcept {
      Queue queue;
      Buffer<cl_int> data(200, t);
      Kernel kernel(program, "advance");
      kernel.set(0, data);
      for (int i = 0; i < launches; ++i) {
        kernel.set(1, cl_int{i});
        clReleaseEvent(queue.launch(kernel, 200));
      }
      check(clFinish(queue.handle()), "clFinish");
      wrong[t] = data.read() != std::vector<cl_int>(200, afterSteps(t, launches));
    });
  for (std::thread& worker : workers)
    worker.join();
  EXPECT_EQ(wrong, std::vector<int>(threads, 0));
}

TEST(Launches, oneTask) {
  Program program = build("kernel void k(global int* out) { out[get_global_id(0)] += "
                          "(int)get_global_size(0) * 10 + (int)get_local_size(0); }");
  Buffer<cl_int> out(2);
  Kernel kernel(program, "k");
  kernel.setAll(out);
  check(clEnqueueTask(Device::get().queue, kernel.handle(), 0, nullptr, nullptr), "clEnqueueTask");
  EXPECT_EQ(out.read(), (std::vector<cl_int>{11, 0}));
}

TEST(Launches, profilingTimesAreInOrder) {
  Program program = build(launchedSource);
  Queue queue(CL_QUEUE_PROFILING_ENABLE);
  Buffer<cl_int> data(64, 1);
  Kernel kernel(program, "slow");
  kernel.setAll(data, cl_int{100000});
  cl_event event = queue.launch(kernel, 64);
  check(clFinish(queue.handle()), "clFinish");
  cl_ulong last = 0;
  for (cl_profiling_info what :
       {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    cl_ulong time = 0;
    check(clGetEventProfilingInfo(event, what, sizeof(time), &time, nullptr),
          "clGetEventProfilingInfo");
    EXPECT_GE(time, last);
    last = time;
  }
  EXPECT_GT(last, 0u);
  clReleaseEvent(event);
}

} // namespace
} // namespace quern::tests
