#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "opencl_test.h"

namespace quern::test {
namespace {

/// Native kernels that write down the order in which they ran.
class OrderingTest : public OpenClTest {
protected:
  struct Step {
    OrderingTest* test;
    int number;
  };

  static void CL_CALLBACK record(void* argument) {
    const Step& step = *static_cast<Step*>(argument);
    const std::lock_guard lock(step.test->mutex);
    step.test->order.push_back(step.number);
  }

  Event enqueueStep(const Queue& on, int number, const std::vector<cl_event>& events = {}) {
    Step step = {this, number};
    cl_event event = nullptr;
    EXPECT_EQ(CL_SUCCESS, clEnqueueNativeKernel(on.get(), record, &step, sizeof(step), 0, nullptr,
                                                nullptr, static_cast<cl_uint>(events.size()),
                                                events.empty() ? nullptr : events.data(), &event));
    return Event(event);
  }
  size_t positionOf(int number) {
    const auto found = std::find(order.begin(), order.end(), number);
    EXPECT_NE(order.end(), found) << "step " << number << " did not run";
    return static_cast<size_t>(found - order.begin());
  }

  std::mutex mutex;
  std::vector<int> order;
};

TEST_F(OrderingTest, inOrderQueuesRunInOrder) {
  std::vector<int> expected;
  for (int i = 0; i < 2000; ++i) {
    enqueueStep(queue, i);
    expected.push_back(i);
  }
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(expected, order);
}

TEST_F(OrderingTest, outOfOrderQueuesRunPastABlockedCommand) {
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Event user = makeUserEvent();
  enqueueStep(unordered, 1, {user.get()});
  const Event free = enqueueStep(unordered, 2);
  const cl_event events[] = {free.get()};
  ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, events));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clFinish(unordered.get()));
  EXPECT_EQ((std::vector<int>{2, 1}), order);
}

TEST_F(OrderingTest, barriersSeparateOutOfOrderCommands) {
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Event user = makeUserEvent();
  for (int i = 0; i < 50; ++i)
    enqueueStep(unordered, i, i % 2 ? std::vector<cl_event>{user.get()} : std::vector<cl_event>());
  ASSERT_EQ(CL_SUCCESS, clEnqueueBarrier(unordered.get()));
  for (int i = 50; i < 100; ++i)
    enqueueStep(unordered, i);
  ASSERT_EQ(CL_SUCCESS, clEnqueueBarrierWithWaitList(unordered.get(), 0, nullptr, nullptr));
  enqueueStep(unordered, 100);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clFinish(unordered.get()));
  ASSERT_EQ(101u, order.size());
  EXPECT_TRUE(std::all_of(order.begin(), order.begin() + 50, [](int n) { return n < 50; }));
  EXPECT_TRUE(std::all_of(order.begin() + 50, order.end(), [](int n) { return n >= 50; }));
  EXPECT_EQ(100, order.back());
}

TEST_F(OrderingTest, barriersWithAWaitListHoldBackOnlyWhatFollows) {
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Event first = makeUserEvent();
  const Event second = makeUserEvent();
  enqueueStep(unordered, 1, {first.get()});
  const cl_event secondList[] = {second.get()};
  ASSERT_EQ(CL_SUCCESS, clEnqueueWaitForEvents(unordered.get(), 1, secondList));
  const Event after = enqueueStep(unordered, 2);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(second.get(), CL_COMPLETE));
  const cl_event afterList[] = {after.get()};
  ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, afterList));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(first.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clFinish(unordered.get()));
  EXPECT_EQ((std::vector<int>{2, 1}), order);
}

TEST_F(OrderingTest, markersWaitForEverythingBefore) {
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Event user = makeUserEvent();
  for (int i = 0; i < 20; ++i)
    enqueueStep(unordered, i, {user.get()});
  cl_event raw = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueMarker(unordered.get(), &raw));
  const Event marker(raw);
  // What follows a marker does not wait for it.
  const Event free = enqueueStep(unordered, 99);
  const cl_event freeList[] = {free.get()};
  ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, freeList));
  EXPECT_GT(statusOf(marker), CL_COMPLETE);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, &raw));
  EXPECT_EQ(21u, order.size());
}

TEST_F(OrderingTest, markersAndBarriersFollowEachOther) {
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Event user = makeUserEvent();
  enqueueStep(unordered, 1, {user.get()});
  cl_event raw = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueMarker(unordered.get(), &raw));
  const Event first(raw);
  // The barrier covers the marker and what the marker covers.
  ASSERT_EQ(CL_SUCCESS, clEnqueueBarrier(unordered.get()));
  enqueueStep(unordered, 2);
  ASSERT_EQ(CL_SUCCESS, clEnqueueMarker(unordered.get(), &raw));
  const Event second(raw);
  ASSERT_EQ(CL_SUCCESS, clFlush(unordered.get()));
  EXPECT_GT(statusOf(second), CL_COMPLETE);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clFinish(unordered.get()));
  EXPECT_EQ((std::vector<int>{1, 2}), order);
  EXPECT_EQ(CL_COMPLETE, statusOf(first));
  EXPECT_EQ(CL_COMPLETE, statusOf(second));
}

TEST_F(OrderingTest, eventsOrderQueues) {
  const Queue other = makeQueue();
  const Event user = makeUserEvent();
  const Event first = enqueueStep(queue, 1, {user.get()});
  const Event second = enqueueStep(other, 2, {first.get()});
  enqueueStep(queue, 3, {second.get()});
  enqueueStep(other, 4);
  ASSERT_EQ(CL_SUCCESS, clFlush(queue.get()));
  ASSERT_EQ(CL_SUCCESS, clFlush(other.get()));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  ASSERT_EQ(CL_SUCCESS, clFinish(other.get()));
  EXPECT_LT(positionOf(1), positionOf(2));
  EXPECT_LT(positionOf(2), positionOf(3));
  EXPECT_LT(positionOf(2), positionOf(4));
}

TEST_F(OrderingTest, commandsWithManyDependencies) {
  const Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<Event> owners;
  std::vector<cl_event> events;
  for (int i = 0; i < 500; ++i) {
    owners.push_back(enqueueStep(unordered, i));
    events.push_back(owners.back().get());
  }
  const Event last = enqueueStep(queue, 500, events);
  const cl_event lastList[] = {last.get()};
  ASSERT_EQ(CL_SUCCESS, clFlush(unordered.get()));
  ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, lastList));
  EXPECT_EQ(501u, order.size());
  EXPECT_EQ(500, order.back());
}

TEST_F(OrderingTest, longChainsNeedNoStack) {
  const Event user = makeUserEvent();
  Queue unordered = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event previous = user.get();
  constexpr int length = 250'000;
  Event last;
  for (int i = 0; i < length; ++i) {
    cl_event next = nullptr;
    ASSERT_EQ(CL_SUCCESS, clEnqueueMarkerWithWaitList(unordered.get(), 1, &previous, &next));
    last.reset(next);
    previous = next;
  }
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(user.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, clWaitForEvents(1, &previous));
  EXPECT_EQ(CL_COMPLETE, statusOf(last));
}

TEST_F(OrderingTest, manyThreadsShareAQueue) {
  constexpr int threadCount = 4, stepsEach = 500;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < threadCount; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < stepsEach; ++i) {
        enqueueStep(queue, thread * stepsEach + i);
        if (i % 50 == 0) {
          EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
        }
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  ASSERT_EQ(size_t{threadCount * stepsEach}, order.size());
  // The steps of each thread ran in the order in which it enqueued them.
  for (int thread = 0; thread < threadCount; ++thread) {
    std::vector<int> own;
    std::copy_if(order.begin(), order.end(), std::back_inserter(own),
                 [thread](int number) { return number / stepsEach == thread; });
    EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
  }
}

} // namespace
} // namespace quern::test
