// Callbacks may do what the program may do: call back in, wait, release what they were called for.
// Each is called once.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

/// Opens once; threads wait for it. Not a busy wait.
class Gate {
public:
  void open() {
    std::lock_guard lock(mutex_);
    isOpen_ = true;
    changed_.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return isOpen_; });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool isOpen_ = false;
};

cl_event userEvent() {
  cl_int code = CL_SUCCESS;
  cl_event event = clCreateUserEvent(Device::get().context, &code);
  check(code, "clCreateUserEvent");
  return event;
}

/// Calls `function` with the status when `event` is complete or failed.
template <typename Function> void onComplete(cl_event event, Function& function) {
  check(clSetEventCallback(
            event, CL_COMPLETE,
            [](cl_event which, cl_int status, void* data) {
              (*static_cast<Function*>(data))(which, status);
            },
            &function),
        "clSetEventCallback");
}

/// A marker on the test queue that waits for `gate`.
cl_event markerAfter(cl_event gate) {
  cl_event marker = nullptr;
  check(clEnqueueMarkerWithWaitList(Device::get().queue, 1, &gate, &marker),
        "clEnqueueMarkerWithWaitList");
  return marker;
}

TEST(Callbacks, mayUseTheWholeInterface) {
  Gate done;
  std::vector<cl_int> result;
  std::string failure;
  auto body = [&](cl_event event, cl_int status) {
    try {
      check(status, "the event");
      check(clReleaseEvent(event), "clReleaseEvent");
      Buffer<cl_int> out(100, 2);
      run(build("kernel void k(global int* out) { out[get_global_id(0)] *= 21; }"), "k", {{100}},
          out);
      result = out.read();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    done.open();
  };
  cl_event gate = userEvent(), marker = markerAfter(gate);
  check(clRetainEvent(marker), "clRetainEvent");
  onComplete(marker, body);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  ASSERT_TRUE(done.wait());
  EXPECT_EQ(failure, "");
  EXPECT_EQ(result, std::vector<cl_int>(100, 42));
  clReleaseEvent(marker);
  clReleaseEvent(gate);
}

TEST(Callbacks, mayReleaseTheLastReference) {
  Gate done;
  auto body = [&](cl_event event, cl_int) {
    clReleaseEvent(event);
    done.open();
  };
  cl_event gate = userEvent();
  onComplete(gate, body);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  EXPECT_TRUE(done.wait());
}

// Commands that need no callback run on while one callback blocks.
TEST(Callbacks, thatBlockDoNotHoldUpCommands) {
  Gate entered, leave, left;
  auto body = [&](cl_event, cl_int) {
    entered.open();
    leave.wait();
    left.open();
  };
  cl_event gate = userEvent(), marker = markerAfter(gate);
  onComplete(marker, body);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  ASSERT_TRUE(entered.wait());
  Buffer<cl_int> out(64, 1);
  run(build("kernel void k(global int* out) { out[get_global_id(0)] += 4; }"), "k", {{64}}, out);
  EXPECT_EQ(out.read(), std::vector<cl_int>(64, 5));
  check(clFinish(Device::get().queue), "clFinish");
  leave.open();
  EXPECT_TRUE(left.wait());
  clReleaseEvent(marker);
  clReleaseEvent(gate);
}

TEST(Callbacks, mayWaitForOtherCommands) {
  Gate done;
  cl_int waited = 1;
  cl_event gate = userEvent(), first = markerAfter(gate), second = nullptr;
  check(clEnqueueMarkerWithWaitList(Device::get().queue, 1, &gate, &second),
        "clEnqueueMarkerWithWaitList");
  auto body = [&](cl_event, cl_int) {
    waited = clWaitForEvents(1, &second);
    if (waited == CL_SUCCESS)
      waited = clFinish(Device::get().queue);
    done.open();
  };
  onComplete(first, body);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  ASSERT_TRUE(done.wait());
  EXPECT_EQ(waited, CL_SUCCESS);
  for (cl_event event : {gate, first, second})
    clReleaseEvent(event);
}

TEST(Callbacks, areSetFromCallbacks) {
  Gate done;
  std::atomic<int> calls{0};
  auto inner = [&](cl_event, cl_int) {
    ++calls;
    done.open();
  };
  auto outer = [&](cl_event event, cl_int) {
    ++calls;
    onComplete(event, inner); // the event is complete already
  };
  cl_event gate = userEvent();
  onComplete(gate, outer);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  EXPECT_TRUE(done.wait());
  EXPECT_EQ(calls, 2);
  clReleaseEvent(gate);
}

TEST(Callbacks, areCalledOnceForEachState) {
  Gate done;
  std::atomic<int> submitted{0}, running{0}, complete{0};
  auto count = [](cl_event, cl_int, void* data) { ++*static_cast<std::atomic<int>*>(data); };
  cl_event gate = userEvent(), marker = markerAfter(gate);
  for (int i = 0; i < 3; ++i) {
    check(clSetEventCallback(marker, CL_SUBMITTED, count, &submitted), "clSetEventCallback");
    check(clSetEventCallback(marker, CL_RUNNING, count, &running), "clSetEventCallback");
    check(clSetEventCallback(marker, CL_COMPLETE, count, &complete), "clSetEventCallback");
  }
  auto last = [&](cl_event, cl_int) { done.open(); };
  cl_event after = markerAfter(marker);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clWaitForEvents(1, &after), "clWaitForEvents");
  // Callbacks come one after the other, so that this one is after all others.
  onComplete(after, last);
  ASSERT_TRUE(done.wait());
  EXPECT_EQ(submitted, 3);
  EXPECT_EQ(running, 3);
  EXPECT_EQ(complete, 3);
  for (cl_event event : {gate, marker, after})
    clReleaseEvent(event);
}

TEST(Callbacks, areToldOfFailure) {
  Gate done;
  std::atomic<int> calls{0};
  std::atomic<cl_int> statuses[2] = {1, 1};
  auto first = [&](cl_event, cl_int status) { statuses[0] = status, ++calls; };
  auto second = [&](cl_event, cl_int status) {
    statuses[1] = status, ++calls;
    done.open();
  };
  cl_int code = CL_SUCCESS;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(Device::get().context, Device::get().id, nullptr, &code);
  check(code, "clCreateCommandQueueWithProperties");
  cl_event gate = userEvent(), one = nullptr, two = nullptr;
  Buffer<cl_int> out(16, 3);
  Kernel kernel(build("kernel void k(global int* out) { out[get_global_id(0)] = 9; }"), "k");
  kernel.setAll(out);
  const size_t size = 16;
  check(clEnqueueNDRangeKernel(queue, kernel.handle(), 1, nullptr, &size, nullptr, 1, &gate, &one),
        "clEnqueueNDRangeKernel");
  check(clEnqueueMarkerWithWaitList(queue, 1, &one, &two), "clEnqueueMarkerWithWaitList");
  onComplete(one, first);
  onComplete(two, second);
  check(clSetUserEventStatus(gate, -1234), "clSetUserEventStatus");
  ASSERT_TRUE(done.wait());
  EXPECT_EQ(calls, 2);
  EXPECT_LT(statuses[0], 0);
  EXPECT_LT(statuses[1], 0);
  EXPECT_EQ(clWaitForEvents(1, &two), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(out.read(), std::vector<cl_int>(16, 3));
  for (cl_event event : {gate, one, two})
    clReleaseEvent(event);
  clReleaseCommandQueue(queue);
}

TEST(Callbacks, ofDestructorsRunInReverseOrderAndMayCallBack) {
  struct State {
    Gate done;
    std::vector<int> order;
  } state;
  cl_int code = CL_SUCCESS;
  cl_mem buffer = clCreateBuffer(Device::get().context, 0, 4096, nullptr, &code);
  check(code, "clCreateBuffer");
  check(clSetMemObjectDestructorCallback(
            buffer,
            [](cl_mem, void* data) {
              static_cast<State*>(data)->order.push_back(1);
              static_cast<State*>(data)->done.open();
            },
            &state),
        "clSetMemObjectDestructorCallback");
  check(clSetMemObjectDestructorCallback(
            buffer,
            [](cl_mem, void* data) {
              cl_int code = CL_SUCCESS;
              cl_mem other = clCreateBuffer(Device::get().context, 0, 64, nullptr, &code);
              clReleaseMemObject(other);
              static_cast<State*>(data)->order.push_back(code == CL_SUCCESS ? 2 : -1);
            },
            &state),
        "clSetMemObjectDestructorCallback");
  // A command in flight keeps the buffer.
  cl_event gate = userEvent();
  cl_int pattern = 1;
  check(clEnqueueFillBuffer(Device::get().queue, buffer, &pattern, 4, 0, 4096, 1, &gate, nullptr),
        "clEnqueueFillBuffer");
  check(clReleaseMemObject(buffer), "clReleaseMemObject");
  EXPECT_TRUE(state.order.empty());
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  ASSERT_TRUE(state.done.wait());
  EXPECT_EQ(state.order, (std::vector<int>{2, 1}));
  clReleaseEvent(gate);
}

TEST(Callbacks, ofBuildsMayUseTheProgram) {
  struct State {
    Gate done;
    std::vector<cl_int> result;
    std::string failure;
  } state;
  Program program = createProgram("kernel void k(global int* out) { out[get_global_id(0)] = 8; }");
  check(clBuildProgram(
            program.handle(), 1, &Device::get().id, "",
            [](cl_program built, void* data) {
              State& own = *static_cast<State*>(data);
              try {
                check(clRetainProgram(built), "clRetainProgram");
                Program reference(built);
                Buffer<cl_int> out(8);
                run(reference, "k", {{8}}, out);
                own.result = out.read();
              } catch (const std::exception& error) {
                own.failure = error.what();
              }
              own.done.open();
            },
            &state),
        "clBuildProgram");
  ASSERT_TRUE(state.done.wait());
  EXPECT_EQ(state.failure, "");
  EXPECT_EQ(state.result, std::vector<cl_int>(8, 8));
}

TEST(Callbacks, ofFailedBuildsAreCalledToo) {
  struct State {
    Gate done;
    cl_build_status status = 1;
  } state;
  Program program = createProgram("kernel void k( { }");
  cl_int code = clBuildProgram(
      program.handle(), 1, &Device::get().id, "",
      [](cl_program built, void* data) {
        State& own = *static_cast<State*>(data);
        clGetProgramBuildInfo(built, Device::get().id, CL_PROGRAM_BUILD_STATUS, sizeof(own.status),
                              &own.status, nullptr);
        own.done.open();
      },
      &state);
  EXPECT_TRUE(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE);
  ASSERT_TRUE(state.done.wait());
  EXPECT_EQ(state.status, CL_BUILD_ERROR);
}

} // namespace
} // namespace quern::tests
