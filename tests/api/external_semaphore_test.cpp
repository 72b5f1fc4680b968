#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "semaphore_fixture.h"

namespace quern::test {
namespace {

constexpr cl_external_semaphore_handle_type_khr opaqueSemaphore = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
constexpr cl_external_semaphore_handle_type_khr syncFile = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
constexpr cl_command_queue_properties outOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

cl_semaphore_properties_khr semaphoreProperty(int file) {
  return static_cast<cl_semaphore_properties_khr>(file);
}

class ExternalSemaphoreTest : public SemaphoreTest {
protected:
  Semaphore import(cl_external_semaphore_handle_type_khr type, int file) const {
    return makeSemaphore({type, semaphoreProperty(file)});
  }
  cl_int importError(std::initializer_list<cl_semaphore_properties_khr> more) const {
    SemaphoreProperties properties = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
    properties.insert(properties.end(), more);
    properties.push_back(0);
    return creationError(properties);
  }
};

TEST_F(ExternalSemaphoreTest, devicesAndThePlatformSayWhatTheyImportAndExport) {
  using Types = std::vector<cl_external_semaphore_handle_type_khr>;
  const Types both = {opaqueSemaphore, syncFile};
  for (const cl_device_info query :
       {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR})
    EXPECT_EQ(both,
              infoList<cl_external_semaphore_handle_type_khr>(clGetDeviceInfo, device, query));
  for (const cl_platform_info query : {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
                                       CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR})
    EXPECT_EQ(both,
              infoList<cl_external_semaphore_handle_type_khr>(clGetPlatformInfo, platform, query));
}

TEST_F(ExternalSemaphoreTest, saysAsWhatItIsExported) {
  const Semaphore plain = makeSemaphore(), shared = makeExportable(opaqueSemaphore);
  const auto types = [this](const Semaphore& semaphore) {
    return infoList<cl_external_semaphore_handle_type_khr>(functions.getInfo, semaphore.get(),
                                                           CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR);
  };
  EXPECT_TRUE(types(plain).empty());
  EXPECT_EQ(std::vector{opaqueSemaphore}, types(shared));
  EXPECT_EQ(cl_bool{CL_FALSE}, info<cl_bool>(functions.getInfo, plain.get(), semaphoreExportable));
  EXPECT_EQ(cl_bool{CL_TRUE}, info<cl_bool>(functions.getInfo, shared.get(), semaphoreExportable));
}

TEST_F(ExternalSemaphoreTest, creationErrors) {
  const Semaphore shared = makeExportable(opaqueSemaphore);
  const int file = exported(shared, opaqueSemaphore), other = exported(shared, opaqueSemaphore);
  // A type that is none, and more than one.
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, 0xdead, 0}));
  EXPECT_EQ(CL_INVALID_VALUE,
            importError({CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, opaqueSemaphore, syncFile, 0}));
  // Imported, and to be exported.
  EXPECT_EQ(CL_INVALID_OPERATION,
            importError({opaqueSemaphore, semaphoreProperty(file),
                         CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, opaqueSemaphore, 0}));
  // Several handles.
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({opaqueSemaphore, semaphoreProperty(file),
                                              opaqueSemaphore, semaphoreProperty(other)}));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({opaqueSemaphore, semaphoreProperty(file), syncFile,
                                              semaphoreProperty(-1)}));
  // No descriptor, or of something else.
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({opaqueSemaphore, semaphoreProperty(-1)}));
  int pipeEnds[2];
  ASSERT_EQ(0, pipe(pipeEnds));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({opaqueSemaphore, semaphoreProperty(pipeEnds[0])}));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({syncFile, semaphoreProperty(pipeEnds[0])}));
  EXPECT_EQ(CL_INVALID_PROPERTY, importError({syncFile, semaphoreProperty(file)}));
  // What is not imported stays the program's.
  for (const int own : {file, other, pipeEnds[0], pipeEnds[1]}) {
    EXPECT_TRUE(isOpen(own));
    close(own);
  }
}

TEST_F(ExternalSemaphoreTest, handleErrors) {
  const Semaphore shared = makeExportable(opaqueSemaphore);
  int file = -2;
  size_t size = 0;
  const auto error = [&](cl_semaphore_khr of, cl_device_id on,
                         cl_external_semaphore_handle_type_khr type, size_t bytes) {
    return functions.getHandle(of, on, type, bytes, &file, &size);
  };
  EXPECT_EQ(CL_INVALID_SEMAPHORE_KHR, error(nullptr, device, opaqueSemaphore, sizeof(file)));
  EXPECT_EQ(CL_INVALID_DEVICE, error(shared.get(), nullptr, opaqueSemaphore, sizeof(file)));
  EXPECT_EQ(CL_INVALID_VALUE, error(shared.get(), device, syncFile, sizeof(file)));
  EXPECT_EQ(CL_INVALID_VALUE, error(shared.get(), device, opaqueSemaphore, sizeof(file) - 1));
  EXPECT_EQ(-2, file);
  EXPECT_EQ(CL_SUCCESS,
            functions.getHandle(shared.get(), device, opaqueSemaphore, 0, nullptr, &size));
  EXPECT_EQ(sizeof(int), size);
}

TEST_F(ExternalSemaphoreTest, allThatAreImportedShareOnePayload) {
  const Semaphore first = makeExportable(opaqueSemaphore);
  const int file = exported(first, opaqueSemaphore), again = exported(first, opaqueSemaphore);
  EXPECT_NE(file, again);
  const Semaphore second = import(opaqueSemaphore, file), third = import(opaqueSemaphore, again);
  EXPECT_EQ(0u, payloadOf(second));
  ASSERT_EQ(CL_SUCCESS, await(signal(queue, {second.get()})));
  EXPECT_EQ(1u, payloadOf(first));
  EXPECT_EQ(1u, payloadOf(third));
  ASSERT_EQ(CL_SUCCESS, await(wait(queue, {third.get()})));
  EXPECT_EQ(0u, payloadOf(first));
}

TEST_F(ExternalSemaphoreTest, ownsTheDescriptorThatItImports) {
  const Semaphore first = makeExportable(opaqueSemaphore);
  const int file = exported(first, opaqueSemaphore);
  Semaphore second = import(opaqueSemaphore, file);
  EXPECT_TRUE(isOpen(file));
  second.reset();
  EXPECT_FALSE(isOpen(file));
}

TEST_F(ExternalSemaphoreTest, outlivesTheOneThatItWasImportedFrom) {
  Semaphore first = makeExportable(opaqueSemaphore);
  ASSERT_EQ(CL_SUCCESS, await(signal(queue, {first.get()})));
  const Semaphore second = import(opaqueSemaphore, exported(first, opaqueSemaphore));
  first.reset();
  EXPECT_EQ(CL_SUCCESS, await(wait(queue, {second.get()})));
}

TEST_F(ExternalSemaphoreTest, joinsContexts) {
  const Semaphore here = makeExportable(opaqueSemaphore);
  const SemaphoreProperties properties = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                          opaqueSemaphore,
                                          semaphoreProperty(exported(here, opaqueSemaphore)), 0};
  cl_int code = 0;
  const Semaphore there(functions.create(otherContext.get(), properties.data(), &code));
  ASSERT_EQ(CL_SUCCESS, code);
  const Queue otherQueue(
      clCreateCommandQueueWithProperties(otherContext.get(), device, nullptr, nullptr));
  const Event waited = wait(otherQueue, {there.get()});
  ASSERT_EQ(CL_SUCCESS, clFlush(otherQueue.get()));
  EXPECT_GT(statusOf(waited), CL_COMPLETE);
  signal(queue, {here.get()});
  EXPECT_EQ(CL_SUCCESS, await(waited));
}

TEST_F(ExternalSemaphoreTest, signalsAndWaitsFollowTheirOrder) {
  const Semaphore shared = makeExportable(opaqueSemaphore);
  const Queue unordered = makeQueue(outOfOrder);
  const Event gate = makeUserEvent(), consumerGate = makeUserEvent();
  const Event first = signal(unordered, {shared.get()}, {gate.get()});
  const Event second = signal(unordered, {shared.get()});
  const Event consumed = wait(unordered, {shared.get()}, {consumerGate.get()});
  const Event next = wait(unordered, {shared.get()});
  // Neither overtakes the one before it.
  EXPECT_GT(statusOf(second), CL_COMPLETE);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  ASSERT_EQ(CL_SUCCESS, await(second));
  EXPECT_EQ(CL_COMPLETE, statusOf(first));
  EXPECT_EQ(1u, payloadOf(shared));
  EXPECT_GT(statusOf(next), CL_COMPLETE);
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(consumerGate.get(), CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, await(next));
  EXPECT_EQ(CL_COMPLETE, statusOf(consumed));
  EXPECT_EQ(0u, payloadOf(shared));
}

TEST_F(ExternalSemaphoreTest, aSignalThatFailsReachesNobody) {
  const Semaphore shared = makeExportable(opaqueSemaphore);
  const Event gate = makeUserEvent();
  const Event failed = signal(queue, {shared.get()}, {gate.get()});
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), -5));
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, await(failed));
  EXPECT_EQ(0u, payloadOf(shared));
  // The next one does.
  signal(queue, {shared.get()});
  EXPECT_EQ(CL_SUCCESS, await(wait(queue, {shared.get()})));
}

TEST_F(ExternalSemaphoreTest, goTogetherWithThoseOfOneContext) {
  const Semaphore own = makeSemaphore(), a = makeExportable(opaqueSemaphore),
                  b = makeExportable(opaqueSemaphore);
  const Queue consumer = makeQueue();
  const Event all = wait(consumer, {a.get(), own.get(), b.get()});
  ASSERT_EQ(CL_SUCCESS, await(signal(queue, {a.get(), own.get()})));
  EXPECT_GT(statusOf(all), CL_COMPLETE);
  signal(queue, {b.get()});
  EXPECT_EQ(CL_SUCCESS, await(all));
}

TEST_F(ExternalSemaphoreTest, waitsStartOnlyWhenTheirTurnHasCome) {
  const Semaphore shared = makeExportable(opaqueSemaphore);
  const Event gate = makeUserEvent();
  ASSERT_EQ(CL_SUCCESS, await(signal(queue, {shared.get()})));
  const Event waited = wait(queue, {shared.get()}, {gate.get()});
  EXPECT_EQ(1u, payloadOf(shared));
  ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(gate.get(), CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, await(waited));
  EXPECT_EQ(0u, payloadOf(shared));
}

TEST_F(ExternalSemaphoreTest, manyWaitForOnePayload) {
  const Semaphore shared = makeExportable(opaqueSemaphore);
  const Queue unordered = makeQueue(outOfOrder);
  std::vector<Semaphore> imported;
  std::vector<Event> waiting;
  for (int i = 0; i < 20; ++i) {
    imported.push_back(import(opaqueSemaphore, exported(shared, opaqueSemaphore)));
    waiting.push_back(wait(unordered, {imported.back().get()}));
  }
  for (int i = 0; i < 20; ++i)
    signal(queue, {shared.get()});
  for (const Event& event : waiting)
    EXPECT_EQ(CL_SUCCESS, await(event));
  EXPECT_EQ(0u, payloadOf(shared));
}

TEST_F(ExternalSemaphoreTest, aSyncFileThatIsNoneHasBeenSignaled) {
  const Semaphore imported = import(syncFile, -1);
  EXPECT_EQ(1u, payloadOf(imported));
  EXPECT_EQ(CL_SUCCESS, await(wait(queue, {imported.get()})));
  EXPECT_EQ(0u, payloadOf(imported));
  // From then on it is like any other.
  const Event waited = wait(queue, {imported.get()});
  EXPECT_GT(statusOf(waited), CL_COMPLETE);
  const Queue producer = makeQueue();
  signal(producer, {imported.get()});
  EXPECT_EQ(CL_SUCCESS, await(waited));
}

TEST_F(ExternalSemaphoreTest, syncFilesAreImportedAgain) {
  const Semaphore imported = import(syncFile, -1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(CL_SUCCESS, await(wait(queue, {imported.get()})));
    EXPECT_EQ(CL_SUCCESS, functions.reImport(imported.get(), nullptr, -1));
    EXPECT_EQ(1u, payloadOf(imported));
  }
  // What was not consumed is replaced.
  EXPECT_EQ(CL_SUCCESS, functions.reImport(imported.get(), nullptr, -1));
  EXPECT_EQ(CL_SUCCESS, await(wait(queue, {imported.get()})));
  EXPECT_EQ(0u, payloadOf(imported));
}

TEST_F(ExternalSemaphoreTest, reImportErrors) {
  const Semaphore imported = import(syncFile, -1), plain = makeSemaphore();
  const int file = eventfd(0, 0);
  EXPECT_EQ(CL_INVALID_SEMAPHORE_KHR, functions.reImport(nullptr, nullptr, -1));
  EXPECT_EQ(CL_INVALID_SEMAPHORE_KHR, functions.reImport(plain.get(), nullptr, -1));
  EXPECT_EQ(CL_INVALID_VALUE, functions.reImport(imported.get(), nullptr, -7));
  EXPECT_EQ(CL_INVALID_VALUE, functions.reImport(imported.get(), nullptr, file));
  cl_properties properties[] = {1, 1, 0};
  EXPECT_EQ(CL_INVALID_VALUE, functions.reImport(imported.get(), properties, -1));
  cl_properties none[] = {0};
  EXPECT_EQ(CL_SUCCESS, functions.reImport(imported.get(), none, -1));
  close(file);
}

TEST_F(ExternalSemaphoreTest, exportAsASyncFileConsumesTheSignal) {
  const Semaphore semaphore = makeExportable(syncFile);
  int file = -2;
  EXPECT_EQ(CL_INVALID_OPERATION,
            functions.getHandle(semaphore.get(), device, syncFile, sizeof(file), &file, nullptr));
  EXPECT_EQ(-2, file);
  // The signal ends before the call does, and so it is that of work that has ended.
  const Memory buffer = makeBuffer(1 << 20);
  const cl_int zero = 0;
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), buffer.get(), &zero, sizeof(zero), 0,
                                            1 << 20, 0, nullptr, nullptr));
  const Event signaled = signal(queue, {semaphore.get()});
  EXPECT_EQ(-1, exported(semaphore, syncFile));
  EXPECT_EQ(CL_COMPLETE, statusOf(signaled));
  EXPECT_EQ(0u, payloadOf(semaphore));
  EXPECT_EQ(CL_SUCCESS, await(wait(queue, {import(syncFile, -1).get()})));
}

} // namespace
} // namespace quern::test
