#include "opencl_test.h"

namespace quern::test {
namespace {

class EventTest : public OpenClTest {
protected:
  /// A marker of `on` that waits for `events`.
  Event marker(const Queue& on, std::vector<cl_event> events = {}) {
    cl_event event = nullptr;
    EXPECT_EQ(CL_SUCCESS,
              clEnqueueMarkerWithWaitList(on.get(), static_cast<cl_uint>(events.size()),
                                          events.empty() ? nullptr : events.data(), &event));
    return Event(event);
  }
};

TEST_F(EventTest, userEventsAnswerEveryQuery) {
  const Event user = makeUserEvent();
  EXPECT_EQ(nullptr, info<cl_command_queue>(clGetEventInfo, user.get(), CL_EVENT_COMMAND_QUEUE));
  EXPECT_EQ(context.get(), info<cl_context>(clGetEventInfo, user.get(), CL_EVENT_CONTEXT));
  EXPECT_EQ(cl_command_type{CL_COMMAND_USER},
            info<cl_command_type>(clGetEventInfo, user.get(), CL_EVENT_COMMAND_TYPE));
  EXPECT_EQ(1u, info<cl_uint>(clGetEventInfo, user.get(), CL_EVENT_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUBMITTED, statusOf(user));
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  EXPECT_EQ(CL_COMPLETE, statusOf(user));
}

TEST_F(EventTest, commandsAnswerEveryQuery) {
  const Event event = marker(queue);
  EXPECT_EQ(queue.get(),
            info<cl_command_queue>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_QUEUE));
  EXPECT_EQ(context.get(), info<cl_context>(clGetEventInfo, event.get(), CL_EVENT_CONTEXT));
  EXPECT_EQ(cl_command_type{CL_COMMAND_MARKER},
            info<cl_command_type>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_TYPE));
  expectQueryErrors(clGetEventInfo, event.get(), CL_EVENT_CONTEXT);
  EXPECT_EQ(CL_INVALID_EVENT, clGetEventInfo(reinterpret_cast<cl_event>(queue.get()),
                                             CL_EVENT_CONTEXT, 0, nullptr, nullptr));
}

TEST_F(EventTest, countsReferences) {
  const Event event = marker(queue);
  EXPECT_EQ(CL_SUCCESS, clRetainEvent(event.get()));
  EXPECT_EQ(2u, info<cl_uint>(clGetEventInfo, event.get(), CL_EVENT_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseEvent(event.get()));
  EXPECT_EQ(CL_INVALID_EVENT, clRetainEvent(reinterpret_cast<cl_event>(device)));
  EXPECT_EQ(CL_INVALID_EVENT, clReleaseEvent(reinterpret_cast<cl_event>(device)));
}

TEST_F(EventTest, userEventsHoldBackWhatWaitsForThem) {
  const Event user = makeUserEvent();
  const Event waiting = marker(queue, {user.get()});
  EXPECT_EQ(CL_SUCCESS, clFlush(queue.get()));
  EXPECT_GE(statusOf(waiting), CL_SUBMITTED);
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  const cl_event events[] = {user.get(), waiting.get()};
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(2, events));
  EXPECT_EQ(CL_COMPLETE, statusOf(waiting));
}

TEST_F(EventTest, userEventsAreSetOnce) {
  const Event user = makeUserEvent();
  EXPECT_EQ(CL_INVALID_VALUE, clSetUserEventStatus(user.get(), CL_RUNNING));
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), -5));
  EXPECT_EQ(CL_INVALID_OPERATION, clSetUserEventStatus(user.get(), CL_COMPLETE));
  EXPECT_EQ(-5, statusOf(user));
  const Event event = marker(queue);
  EXPECT_EQ(CL_INVALID_EVENT, clSetUserEventStatus(event.get(), CL_COMPLETE));
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateUserEvent(reinterpret_cast<cl_context>(device), &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
}

TEST_F(EventTest, failureTravelsThroughWaitLists) {
  const Event user = makeUserEvent();
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Event first = marker(queue, {user.get()});
  const Event second = marker(unordered, {first.get()});
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), -42));
  const cl_event events[] = {second.get()};
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, events));
  EXPECT_EQ(-42, statusOf(user));
  EXPECT_LT(statusOf(first), 0);
  EXPECT_LT(statusOf(second), 0);
  // A command enqueued after the failure fails as well when it waits for it.
  int value = 0;
  const Memory buffer = makeBuffer(sizeof(value));
  const cl_event failed[] = {first.get()};
  cl_event untouched = nullptr;
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueReadBuffer(queue.get(), buffer.get(), CL_TRUE, 0, sizeof(value), &value, 1,
                                failed, &untouched));
  EXPECT_EQ(nullptr, untouched);
  // The order of the queue alone does not carry it.
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  const Event later = marker(queue);
  const cl_event laterEvents[] = {later.get()};
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, laterEvents));
}

TEST_F(EventTest, commandsOfAReleasedUserEventDoNotHang) {
  Event user = makeUserEvent();
  const Event waiting = marker(queue, {user.get()});
  user.reset();
  const cl_event events[] = {waiting.get()};
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, events));
}

TEST_F(EventTest, waitingRejectsWrongArguments) {
  const Event user = makeUserEvent();
  cl_event events[] = {user.get(), nullptr};
  EXPECT_EQ(CL_INVALID_VALUE, clWaitForEvents(0, events));
  EXPECT_EQ(CL_INVALID_VALUE, clWaitForEvents(1, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT, clWaitForEvents(2, events));
  const Event other(clCreateUserEvent(otherContext.get(), nullptr));
  events[1] = other.get();
  EXPECT_EQ(CL_INVALID_CONTEXT, clWaitForEvents(2, events));
}

TEST_F(EventTest, waitListsRejectWrongArguments) {
  const Event user = makeUserEvent();
  const Event other(clCreateUserEvent(otherContext.get(), nullptr));
  const cl_event good[] = {user.get()};
  const cl_event wrong[] = {reinterpret_cast<cl_event>(queue.get())};
  const cl_event foreign[] = {other.get()};
  cl_event made = nullptr;
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueMarkerWithWaitList(queue.get(), 1, nullptr, &made));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue.get(), 0, good, &made));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue.get(), 1, wrong, &made));
  EXPECT_EQ(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(queue.get(), 1, foreign, &made));
  EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(queue.get(), 0, good, &made));
  EXPECT_EQ(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(queue.get(), 1, foreign, &made));
  EXPECT_EQ(nullptr, made);
  const auto notQueue = reinterpret_cast<cl_command_queue>(context.get());
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(notQueue, 0, nullptr, &made));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(notQueue, 0, nullptr, &made));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(notQueue, &made));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(notQueue));
  EXPECT_EQ(CL_INVALID_VALUE, clEnqueueMarker(queue.get(), nullptr));
  EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(notQueue, 1, good));
  EXPECT_EQ(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue.get(), 0, good));
  EXPECT_EQ(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue.get(), 1, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(queue.get(), 1, foreign));
}

TEST_F(EventTest, profilingTimesAreInOrder) {
  const Queue profiled = makeQueue(CL_QUEUE_PROFILING_ENABLE);
  const Memory buffer = makeBuffer(1 << 16);
  const cl_int pattern = 1;
  cl_ulong previous = 0;
  for (int i = 0; i < 3; ++i) {
    cl_event raw = nullptr;
    ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(profiled.get(), buffer.get(), &pattern, 4, 0, 1 << 16,
                                              0, nullptr, &raw));
    const Event event(raw);
    ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, &raw));
    for (const cl_profiling_info name :
         {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
          CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
      const auto time = info<cl_ulong>(clGetEventProfilingInfo, raw, name);
      EXPECT_LE(previous, time) << name;
      previous = time;
    }
    expectQueryErrors(clGetEventProfilingInfo, raw, CL_PROFILING_COMMAND_END);
  }
  // Device times and clGetDeviceAndHostTimer are of the same clock.
  cl_ulong deviceTime = 0, hostTime = 0;
  EXPECT_EQ(CL_SUCCESS, clGetDeviceAndHostTimer(device, &deviceTime, &hostTime));
  EXPECT_LE(previous, deviceTime);
}

TEST_F(EventTest, profilingIsNotAlwaysAvailable) {
  cl_ulong time = 0;
  const auto query = [&time](const Event& event) {
    return clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof(time), &time,
                                   nullptr);
  };
  const Event user = makeUserEvent();
  EXPECT_EQ(CL_PROFILING_INFO_NOT_AVAILABLE, query(user));
  const Queue profiled = makeQueue(CL_QUEUE_PROFILING_ENABLE);
  const Event waiting = marker(profiled, {user.get()});
  EXPECT_EQ(CL_PROFILING_INFO_NOT_AVAILABLE, query(waiting));
  const Event unprofiled = marker(queue);
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(CL_PROFILING_INFO_NOT_AVAILABLE, query(unprofiled));
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), -1));
  EXPECT_EQ(CL_SUCCESS, clFinish(profiled.get()));
  EXPECT_EQ(CL_PROFILING_INFO_NOT_AVAILABLE, query(waiting));
  EXPECT_EQ(CL_INVALID_EVENT,
            clGetEventProfilingInfo(reinterpret_cast<cl_event>(device), CL_PROFILING_COMMAND_END, 0,
                                    nullptr, nullptr));
}

TEST_F(EventTest, outliveTheirQueue) {
  Queue own = makeQueue();
  const Event user = makeUserEvent();
  const Event event = marker(own, {user.get()});
  own.reset();
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  const cl_event events[] = {event.get()};
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, events));
  EXPECT_NE(nullptr, info<cl_command_queue>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_QUEUE));
}

} // namespace
} // namespace quern::test
