#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "opencl_test.h"

namespace quern::test {
namespace {

/// Collects what callbacks report and waits for them.
class Calls {
public:
  struct Call {
    int number;
    cl_int status;
    std::thread::id thread;
  };
  void add(int number, cl_int status) {
    const std::lock_guard lock(mutex_);
    calls_.push_back({number, status, std::this_thread::get_id()});
    changed_.notify_all();
  }
  /// Blocks until there are `count` calls.
  std::vector<Call> wait(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return calls_.size() >= count; });
    return calls_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call> calls_;
};

struct Callback {
  Calls* calls;
  int number;
};

void CL_CALLBACK record(cl_event, cl_int status, void* data) {
  const auto& callback = *static_cast<Callback*>(data);
  callback.calls->add(callback.number, status);
}

class EventCallbackTest : public OpenClTest {
protected:
  Event gatedMarker(const Event& gate) {
    const cl_event list[] = {gate.get()};
    cl_event event = nullptr;
    EXPECT_EQ(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue.get(), 1, list, &event));
    return Event(event);
  }
  Calls calls;
};

TEST_F(EventCallbackTest, runsOnceForEachStatusInOrder) {
  const Event gate = makeUserEvent();
  const Event event = gatedMarker(gate);
  Callback complete = {&calls, 3}, running = {&calls, 2}, submitted = {&calls, 1};
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_COMPLETE, record, &complete));
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_RUNNING, record, &running));
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_SUBMITTED, record, &submitted));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  // One more, on the same thread after the others, shows that nothing is called twice.
  Callback last = {&calls, 4};
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_COMPLETE, record, &last));
  const auto made = calls.wait(4);
  ASSERT_EQ(4u, made.size());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(i + 1, made[i].number);
    EXPECT_EQ(std::min(3, i + 1) == 1   ? CL_SUBMITTED
              : std::min(3, i + 1) == 2 ? CL_RUNNING
                                        : CL_COMPLETE,
              made[i].status);
    EXPECT_NE(std::this_thread::get_id(), made[i].thread);
  }
}

TEST_F(EventCallbackTest, reportsFailure) {
  const Event gate = makeUserEvent();
  const Event event = gatedMarker(gate);
  Callback user = {&calls, 1}, command = {&calls, 2}, never = {&calls, 3};
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(gate.get(), CL_COMPLETE, record, &user));
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_COMPLETE, record, &command));
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_RUNNING, record, &never));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), -7));
  const auto made = calls.wait(3);
  EXPECT_EQ(1, made[0].number);
  EXPECT_EQ(-7, made[0].status);
  EXPECT_LT(made[1].status, 0);
  EXPECT_LT(made[2].status, 0);
}

TEST_F(EventCallbackTest, survivesTheReleaseOfItsEvent) {
  const Event gate = makeUserEvent();
  Event event = gatedMarker(gate);
  Callback callback = {&calls, 1};
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_COMPLETE, record, &callback));
  event.reset();
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(CL_COMPLETE, calls.wait(1)[0].status);
}

struct Reentrant {
  Calls* calls;
  cl_command_queue queue;
  cl_mem buffer;
};

void CL_CALLBACK callBackIn(cl_event event, cl_int, void* data) {
  const auto& in = *static_cast<Reentrant*>(data);
  cl_int values[4] = {};
  EXPECT_EQ(CL_SUCCESS, clEnqueueReadBuffer(in.queue, in.buffer, CL_TRUE, 0, sizeof(values), values,
                                            0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(in.queue));
  EXPECT_EQ(CL_SUCCESS, clReleaseEvent(event));
  in.calls->add(values[3], 0);
}

TEST_F(EventCallbackTest, mayBlockAndReleaseItsEvent) {
  const Memory buffer = makeBuffer(std::vector<cl_int>{1, 2, 3, 4});
  const Event gate = makeUserEvent();
  Event event = gatedMarker(gate);
  Reentrant in = {&calls, queue.get(), buffer.get()};
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_COMPLETE, callBackIn, &in));
  // The callback releases the reference that this test holds.
  event.release();
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(4, calls.wait(1)[0].number);
}

struct OtherEvent {
  cl_event event;
  std::promise<void> hasEnded;
};

void CL_CALLBACK waitForOther(cl_event, cl_int, void* data) {
  auto* other = static_cast<OtherEvent*>(data);
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &other->event));
  other->hasEnded.set_value();
}

void CL_CALLBACK setUserEvent(cl_event, cl_int, void* data) {
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(static_cast<cl_event>(data), CL_COMPLETE));
}

TEST_F(EventCallbackTest, mayBlockOnWhatALaterCallbackDoes) {
  const Event first = makeUserEvent();
  const Event second = makeUserEvent();
  const Event awaited = makeUserEvent();
  cl_event handle = awaited.get();
  OtherEvent other = {handle, {}};
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(first.get(), CL_COMPLETE, waitForOther, &other));
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(second.get(), CL_COMPLETE, setUserEvent, handle));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(first.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(second.get(), CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &handle));
  // Still one at a time, and still running after the hand-over.
  Callback callback = {&calls, 1};
  ASSERT_EQ(CL_SUCCESS, clSetEventCallback(awaited.get(), CL_COMPLETE, record, &callback));
  calls.wait(1);
  other.hasEnded.get_future().wait(); // the event is used until then
}

TEST_F(EventCallbackTest, rejectsWrongArguments) {
  const Event event = makeUserEvent();
  EXPECT_EQ(CL_INVALID_VALUE, clSetEventCallback(event.get(), CL_COMPLETE, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clSetEventCallback(event.get(), CL_QUEUED, record, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clSetEventCallback(event.get(), -1, record, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT,
            clSetEventCallback(reinterpret_cast<cl_event>(device), CL_COMPLETE, record, nullptr));
}

} // namespace
} // namespace quern::test
