#include <thread>

#include "semaphore_fixture.h"

namespace quern::test {
namespace {

constexpr cl_command_queue_properties outOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

TEST_F(SemaphoreTest, answersQueries) {
  const SemaphoreProperties properties = {CL_SEMAPHORE_TYPE_KHR,
                                          CL_SEMAPHORE_TYPE_BINARY_KHR,
                                          semaphoreDeviceHandleList,
                                          reinterpret_cast<cl_semaphore_properties_khr>(device),
                                          0,
                                          0};
  cl_int code = 0;
  const Semaphore semaphore(functions.create(context.get(), properties.data(), &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const cl_semaphore_khr s = semaphore.get();
  EXPECT_EQ(context.get(), info<cl_context>(functions.getInfo, s, CL_SEMAPHORE_CONTEXT_KHR));
  EXPECT_EQ(cl_semaphore_type_khr{CL_SEMAPHORE_TYPE_BINARY_KHR},
            info<cl_semaphore_type_khr>(functions.getInfo, s, CL_SEMAPHORE_TYPE_KHR));
  EXPECT_EQ(properties, infoList<cl_semaphore_properties_khr>(functions.getInfo, s,
                                                              CL_SEMAPHORE_PROPERTIES_KHR));
  EXPECT_EQ(std::vector<cl_device_id>{device},
            infoList<cl_device_id>(functions.getInfo, s, semaphoreDeviceHandleList));
  EXPECT_EQ(0u, payloadOf(semaphore));
  expectQueryErrors(functions.getInfo, s, CL_SEMAPHORE_PROPERTIES_KHR);
}

TEST_F(SemaphoreTest, isForAllDevicesWhereNoneIsNamed) {
  const Semaphore semaphore = makeSemaphore();
  EXPECT_EQ(std::vector<cl_device_id>{device},
            infoList<cl_device_id>(functions.getInfo, semaphore.get(), semaphoreDeviceHandleList));
  EXPECT_EQ(3u, infoList<cl_semaphore_properties_khr>(functions.getInfo, semaphore.get(),
                                                      CL_SEMAPHORE_PROPERTIES_KHR)
                    .size());
}

TEST_F(SemaphoreTest, devicesAndThePlatformSayThatItIsBinary) {
  const std::vector<cl_semaphore_type_khr> binary = {CL_SEMAPHORE_TYPE_BINARY_KHR};
  EXPECT_EQ(binary, infoList<cl_semaphore_type_khr>(clGetDeviceInfo, device,
                                                    CL_DEVICE_SEMAPHORE_TYPES_KHR));
  EXPECT_EQ(binary, infoList<cl_semaphore_type_khr>(clGetPlatformInfo, platform,
                                                    CL_PLATFORM_SEMAPHORE_TYPES_KHR));
}

TEST_F(SemaphoreTest, countsReferences) {
  const auto references = [this](cl_semaphore_khr semaphore) {
    return info<cl_uint>(functions.getInfo, semaphore, CL_SEMAPHORE_REFERENCE_COUNT_KHR);
  };
  const Semaphore semaphore = makeSemaphore();
  EXPECT_EQ(1u, references(semaphore.get()));
  EXPECT_EQ(CL_SUCCESS, functions.retain(semaphore.get()));
  EXPECT_EQ(2u, references(semaphore.get()));
  EXPECT_EQ(CL_SUCCESS, functions.release(semaphore.get()));
  EXPECT_EQ(1u, references(semaphore.get()));
  EXPECT_EQ(CL_INVALID_SEMAPHORE_KHR, functions.retain(nullptr));
  EXPECT_EQ(CL_INVALID_SEMAPHORE_KHR, functions.release(nullptr));
}

TEST_F(SemaphoreTest, creationErrors) {
  cl_int code = 0;
  const SemaphoreProperties binary = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  EXPECT_EQ(nullptr, functions.create(nullptr, binary.data(), &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  // No list, or none that says what is required.
  EXPECT_EQ(nullptr, functions.create(context.get(), nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(CL_INVALID_VALUE, creationError({0}));
  // A name or a value that means nothing, and a name given twice: what follows it is not read.
  EXPECT_EQ(CL_INVALID_PROPERTY, creationError({0xdead, 1, 0}));
  EXPECT_EQ(CL_INVALID_PROPERTY, creationError({CL_SEMAPHORE_TYPE_KHR, 7, 0}));
  EXPECT_EQ(CL_INVALID_PROPERTY, creationError({CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                CL_SEMAPHORE_TYPE_KHR}));
  // Not exactly one device of the context.
  const auto forDevices = [this](std::vector<cl_device_id> devices) {
    SemaphoreProperties list = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                semaphoreDeviceHandleList};
    for (cl_device_id id : devices)
      list.push_back(reinterpret_cast<cl_semaphore_properties_khr>(id));
    list.insert(list.end(), {0, 0});
    return creationError(list);
  };
  EXPECT_EQ(CL_INVALID_DEVICE, forDevices({}));
  EXPECT_EQ(CL_INVALID_DEVICE, forDevices({device, device}));
  EXPECT_EQ(CL_INVALID_DEVICE, forDevices({reinterpret_cast<cl_device_id>(context.get())}));
}

/// The device as two, in a context of their own.
class SemaphoreOfPartsTest : public SemaphoreTest {
protected:
  void SetUp() override {
    SemaphoreTest::SetUp();
    const cl_uint units = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    if (units < 2)
      GTEST_SKIP() << "a device with one compute unit cannot be partitioned";
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                   cl_device_partition_property(units) - 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    ASSERT_EQ(CL_SUCCESS, clCreateSubDevices(device, counts, 2, parts, nullptr));
    first.reset(parts[0]);
    second.reset(parts[1]);
    context.reset(clCreateContext(nullptr, 2, parts, nullptr, nullptr, nullptr));
    ASSERT_TRUE(context);
  }
  Queue queueOf(const SubDevice& part) const {
    return Queue(clCreateCommandQueueWithProperties(context.get(), part.get(), nullptr, nullptr));
  }
  Semaphore semaphoreOf(const SubDevice& part) const {
    return makeSemaphore(
        {semaphoreDeviceHandleList, reinterpret_cast<cl_semaphore_properties_khr>(part.get()), 0});
  }

  cl_device_id parts[2] = {};
  SubDevice first, second;
};

TEST_F(SemaphoreOfPartsTest, mustNameOne) {
  EXPECT_EQ(CL_INVALID_PROPERTY,
            creationError({CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0}));
  // A device of another context.
  EXPECT_EQ(
      CL_INVALID_DEVICE,
      creationError({CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, semaphoreDeviceHandleList,
                     reinterpret_cast<cl_semaphore_properties_khr>(device), 0, 0}));
  const Semaphore semaphore = semaphoreOf(second);
  EXPECT_EQ(std::vector<cl_device_id>{second.get()},
            infoList<cl_device_id>(functions.getInfo, semaphore.get(), semaphoreDeviceHandleList));
}

TEST_F(SemaphoreOfPartsTest, isForQueuesOfThatOne) {
  const Semaphore semaphore = semaphoreOf(first);
  const Queue own = queueOf(first), other = queueOf(second);
  const cl_semaphore_khr list[] = {semaphore.get()};
  for (const auto enqueue : {functions.enqueueSignal, functions.enqueueWait}) {
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
              enqueue(other.get(), 1, list, nullptr, 0, nullptr, nullptr));
    // Neither its device nor its context.
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
              enqueue(queue.get(), 1, list, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(CL_SUCCESS, enqueue(own.get(), 1, list, nullptr, 0, nullptr, nullptr));
  }
  EXPECT_EQ(CL_SUCCESS, clFinish(own.get()));
}

TEST_F(SemaphoreTest, enqueueErrors) {
  const Semaphore semaphore = makeSemaphore();
  const cl_semaphore_khr list[] = {semaphore.get()}, invalid[] = {semaphore.get(), nullptr};
  const Queue foreign(
      clCreateCommandQueueWithProperties(otherContext.get(), device, nullptr, nullptr));
  const Event foreignEvent(clCreateUserEvent(otherContext.get(), nullptr));
  const Event failed = makeUserEvent(), pending = makeUserEvent();
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(failed.get(), -1));
  const cl_event nothing[] = {nullptr}, foreignList[] = {foreignEvent.get()},
                 failedList[] = {failed.get()}, pendingList[] = {pending.get()};
  for (const auto enqueue : {functions.enqueueSignal, functions.enqueueWait}) {
    const auto error = [&](cl_command_queue on, cl_uint count, const cl_semaphore_khr* semaphores,
                           cl_uint eventCount = 0, const cl_event* events = nullptr) {
      return enqueue(on, count, semaphores, nullptr, eventCount, events, nullptr);
    };
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE, error(nullptr, 1, list));
    EXPECT_EQ(CL_INVALID_VALUE, error(queue.get(), 0, list));
    EXPECT_EQ(CL_INVALID_VALUE, error(queue.get(), 1, nullptr));
    EXPECT_EQ(CL_INVALID_SEMAPHORE_KHR, error(queue.get(), 2, invalid));
    EXPECT_EQ(CL_INVALID_CONTEXT, error(foreign.get(), 1, list));
    EXPECT_EQ(CL_INVALID_CONTEXT, error(queue.get(), 1, list, 1, foreignList));
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, error(queue.get(), 1, list, 1, nullptr));
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, error(queue.get(), 1, list, 0, pendingList));
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, error(queue.get(), 1, list, 1, nothing));
    EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
              error(queue.get(), 1, list, 1, failedList));
  }
  // None of that has signaled it.
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(0u, payloadOf(semaphore));
}

TEST_F(SemaphoreTest, isNotExportableUnlessItSaysSo) {
  const Semaphore semaphore = makeSemaphore();
  int handle = -1;
  const auto error = [&](cl_semaphore_khr of, cl_device_id on) {
    return functions.getHandle(of, on, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof(handle), &handle,
                               nullptr);
  };
  EXPECT_EQ(CL_INVALID_SEMAPHORE_KHR, error(nullptr, device));
  EXPECT_EQ(CL_INVALID_DEVICE, error(semaphore.get(), nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, error(semaphore.get(), device));
  EXPECT_EQ(-1, handle);
}

TEST_F(SemaphoreTest, payloadIsThatOfTheCommandsThatHaveEnded) {
  const Semaphore semaphore = makeSemaphore();
  const Event gate = makeUserEvent();
  const Event signaled = signal(queue, {semaphore.get()}, {gate.get()});
  EXPECT_EQ(0u, payloadOf(semaphore));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, await(signaled));
  EXPECT_EQ(1u, payloadOf(semaphore));
  const Event waited = wait(queue, {semaphore.get()});
  ASSERT_EQ(CL_SUCCESS, await(waited));
  EXPECT_EQ(0u, payloadOf(semaphore));
  EXPECT_EQ(cl_command_type{CL_COMMAND_SEMAPHORE_SIGNAL_KHR},
            info<cl_command_type>(clGetEventInfo, signaled.get(), CL_EVENT_COMMAND_TYPE));
  EXPECT_EQ(cl_command_type{CL_COMMAND_SEMAPHORE_WAIT_KHR},
            info<cl_command_type>(clGetEventInfo, waited.get(), CL_EVENT_COMMAND_TYPE));
}

TEST_F(SemaphoreTest, signalsFollowTheOrderOfTheirQueue) {
  const Semaphore semaphore = makeSemaphore();
  const Event gate = makeUserEvent();
  const cl_event gates[] = {gate.get()};
  ASSERT_EQ(CL_SUCCESS, clEnqueueBarrierWithWaitList(queue.get(), 1, gates, nullptr));
  signal(queue, {semaphore.get()});
  const Queue consumer = makeQueue();
  const Event waited = wait(consumer, {semaphore.get()});
  ASSERT_EQ(CL_SUCCESS, clFlush(consumer.get()));
  EXPECT_GT(statusOf(waited), CL_COMPLETE);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, await(waited));
}

TEST_F(SemaphoreTest, commandsAfterAWaitInOrderWaitToo) {
  const Semaphore semaphore = makeSemaphore();
  const Queue consumer = makeQueue();
  wait(consumer, {semaphore.get()});
  cl_event raw = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueMarkerWithWaitList(consumer.get(), 0, nullptr, &raw));
  const Event after(raw);
  ASSERT_EQ(CL_SUCCESS, clFlush(consumer.get()));
  EXPECT_GT(statusOf(after), CL_COMPLETE);
  signal(queue, {semaphore.get()});
  EXPECT_EQ(CL_SUCCESS, await(after));
  EXPECT_EQ(0u, payloadOf(semaphore));
}

TEST_F(SemaphoreTest, waitsMayComeBeforeTheirSignals) {
  const Semaphore semaphore = makeSemaphore();
  const Queue unordered = makeQueue(outOfOrder);
  const Event first = wait(unordered, {semaphore.get()});
  const Event second = wait(unordered, {semaphore.get()});
  signal(unordered, {semaphore.get()});
  EXPECT_EQ(CL_SUCCESS, await(first));
  EXPECT_GT(statusOf(second), CL_COMPLETE);
  signal(unordered, {semaphore.get()});
  EXPECT_EQ(CL_SUCCESS, await(second));
}

TEST_F(SemaphoreTest, aWaitGetsTheSignalThatWasMeantForIt) {
  const Semaphore semaphore = makeSemaphore();
  const Queue unordered = makeQueue(outOfOrder);
  const Event gate = makeUserEvent();
  signal(unordered, {semaphore.get()}, {gate.get()});
  const Event first = wait(unordered, {semaphore.get()});
  // Overtakes the first signal.
  ASSERT_EQ(CL_SUCCESS, await(signal(unordered, {semaphore.get()})));
  const Event second = wait(unordered, {semaphore.get()});
  EXPECT_EQ(CL_SUCCESS, await(second));
  EXPECT_GT(statusOf(first), CL_COMPLETE);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, await(first));
}

TEST_F(SemaphoreTest, severalAreSignaledAndAwaitedTogether) {
  const Semaphore a = makeSemaphore(), b = makeSemaphore(), c = makeSemaphore();
  const Queue unordered = makeQueue(outOfOrder);
  const Event all = wait(unordered, {a.get(), b.get(), c.get()});
  signal(unordered, {b.get(), a.get()});
  ASSERT_EQ(CL_SUCCESS, clFlush(unordered.get()));
  EXPECT_GT(statusOf(all), CL_COMPLETE);
  signal(unordered, {c.get()});
  EXPECT_EQ(CL_SUCCESS, await(all));
}

TEST_F(SemaphoreTest, waitsFailWithTheirSignal) {
  const Semaphore semaphore = makeSemaphore();
  const Event gate = makeUserEvent();
  const Queue consumer = makeQueue();
  const Event before = wait(consumer, {semaphore.get()});
  const Event failed = signal(queue, {semaphore.get()}, {gate.get()});
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), -5));
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, await(before));
  EXPECT_LT(statusOf(before), 0);
  EXPECT_LT(statusOf(failed), 0);
  EXPECT_EQ(0u, payloadOf(semaphore));
  // It can be used as before.
  signal(queue, {semaphore.get()});
  EXPECT_EQ(CL_SUCCESS, await(wait(consumer, {semaphore.get()})));
}

TEST_F(SemaphoreTest, aWaitThatFailsConsumesNothing) {
  const Semaphore semaphore = makeSemaphore();
  const Event gate = makeUserEvent();
  ASSERT_EQ(CL_SUCCESS, await(signal(queue, {semaphore.get()})));
  const Event failed = wait(queue, {semaphore.get()}, {gate.get()});
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), -5));
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, await(failed));
  EXPECT_EQ(1u, payloadOf(semaphore));
  EXPECT_EQ(CL_SUCCESS, await(wait(queue, {semaphore.get()})));
  EXPECT_EQ(0u, payloadOf(semaphore));
}

TEST_F(SemaphoreTest, waitsFailWhenNobodyCanSignalAnyMore) {
  Semaphore semaphore = makeSemaphore();
  const Event waited = wait(queue, {semaphore.get()});
  EXPECT_GT(statusOf(waited), CL_COMPLETE);
  semaphore.reset();
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, await(waited));
}

TEST_F(SemaphoreTest, signalsOutliveTheProgramsReference) {
  Semaphore semaphore = makeSemaphore();
  const Event gate = makeUserEvent();
  signal(queue, {semaphore.get()}, {gate.get()});
  const Queue consumer = makeQueue();
  const Event waited = wait(consumer, {semaphore.get()});
  semaphore.reset();
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, await(waited));
}

TEST_F(SemaphoreTest, tellsTheirTimes) {
  const Semaphore semaphore = makeSemaphore();
  const Queue profiled = makeQueue(CL_QUEUE_PROFILING_ENABLE);
  const Event signaled = signal(profiled, {semaphore.get()});
  const Event waited = wait(profiled, {semaphore.get()});
  ASSERT_EQ(CL_SUCCESS, await(waited));
  const auto time = [](const Event& event, cl_profiling_info name) {
    return info<cl_ulong>(clGetEventProfilingInfo, event.get(), name);
  };
  EXPECT_LE(time(signaled, CL_PROFILING_COMMAND_END), time(waited, CL_PROFILING_COMMAND_END));
  EXPECT_LE(time(waited, CL_PROFILING_COMMAND_QUEUED), time(waited, CL_PROFILING_COMMAND_START));
}

/// Two threads hand a number back and forth, each with a queue of its own.
TEST_F(SemaphoreTest, keepsTwoThreadsInStep) {
  constexpr int rounds = 2000;
  const Semaphore ping = makeSemaphore(), pong = makeSemaphore();
  const Memory buffer = makeBuffer(std::vector<cl_int>{0});
  const auto add = [&](const Queue& on, const Semaphore& from, const Semaphore& to) {
    for (int i = 0; i < rounds; ++i) {
      wait(on, {from.get()});
      cl_int value = 0;
      clEnqueueReadBuffer(on.get(), buffer.get(), CL_TRUE, 0, sizeof(value), &value, 0, nullptr,
                          nullptr);
      ++value;
      clEnqueueWriteBuffer(on.get(), buffer.get(), CL_TRUE, 0, sizeof(value), &value, 0, nullptr,
                           nullptr);
      signal(on, {to.get()});
    }
  };
  const Queue first = makeQueue(), second = makeQueue();
  signal(queue, {ping.get()});
  std::thread other([&] { add(first, ping, pong); });
  add(second, pong, ping);
  other.join();
  EXPECT_EQ(std::vector<cl_int>{2 * rounds}, contents<cl_int>(buffer.get()));
  EXPECT_EQ(1u, payloadOf(ping));
}

} // namespace
} // namespace quern::test
