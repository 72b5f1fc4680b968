#include "semaphore_fixture.h"

namespace quern::test {

namespace {

template <typename Function> void find(Function*& function, const char* name) {
  function =
      reinterpret_cast<Function*>(clGetExtensionFunctionAddressForPlatform(quernPlatform(), name));
  EXPECT_NE(nullptr, function) << name;
}

SemaphoreFunctions findAll() {
  SemaphoreFunctions all = {};
  find(all.create, "clCreateSemaphoreWithPropertiesKHR");
  find(all.enqueueWait, "clEnqueueWaitSemaphoresKHR");
  find(all.enqueueSignal, "clEnqueueSignalSemaphoresKHR");
  find(all.getInfo, "clGetSemaphoreInfoKHR");
  find(all.retain, "clRetainSemaphoreKHR");
  find(all.release, "clReleaseSemaphoreKHR");
  find(all.getHandle, "clGetSemaphoreHandleForTypeKHR");
  find(all.reImport, "clReImportSemaphoreSyncFdKHR");
  return all;
}

template <typename Enqueue>
Event enqueue(Enqueue function, const Queue& on, const std::vector<cl_semaphore_khr>& semaphores,
              const std::vector<cl_event>& events) {
  cl_event event = nullptr;
  EXPECT_EQ(CL_SUCCESS, function(on.get(), static_cast<cl_uint>(semaphores.size()),
                                 semaphores.data(), nullptr, static_cast<cl_uint>(events.size()),
                                 events.empty() ? nullptr : events.data(), &event));
  return Event(event);
}

} // namespace

void SemaphoreReleaser::operator()(cl_semaphore_khr semaphore) const {
  SemaphoreFunctions::get().release(semaphore);
}

const SemaphoreFunctions& SemaphoreFunctions::get() {
  static const SemaphoreFunctions all = findAll();
  return all;
}

Semaphore SemaphoreTest::makeSemaphore(const SemaphoreProperties& more) const {
  SemaphoreProperties properties = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
  properties.insert(properties.end(), more.begin(), more.end());
  properties.push_back(0);
  cl_int code = 0;
  Semaphore made(functions.create(context.get(), properties.data(), &code));
  EXPECT_EQ(CL_SUCCESS, code);
  return made;
}

Semaphore SemaphoreTest::makeExportable(cl_external_semaphore_handle_type_khr type) const {
  return makeSemaphore({CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type, 0});
}

int SemaphoreTest::exported(const Semaphore& semaphore,
                            cl_external_semaphore_handle_type_khr type) const {
  int file = -2;
  size_t size = 0;
  EXPECT_EQ(CL_SUCCESS,
            functions.getHandle(semaphore.get(), device, type, sizeof(file), &file, &size));
  EXPECT_EQ(sizeof(file), size);
  return file;
}

cl_int SemaphoreTest::creationError(const SemaphoreProperties& properties, cl_context of) const {
  cl_int code = 0;
  EXPECT_EQ(nullptr, functions.create(of ? of : context.get(), properties.data(), &code));
  return code;
}

cl_int SemaphoreTest::await(const Event& event) {
  const cl_event list[] = {event.get()};
  return clWaitForEvents(1, list);
}

Event SemaphoreTest::signal(const Queue& on, const std::vector<cl_semaphore_khr>& semaphores,
                            const std::vector<cl_event>& events) const {
  return enqueue(functions.enqueueSignal, on, semaphores, events);
}

Event SemaphoreTest::wait(const Queue& on, const std::vector<cl_semaphore_khr>& semaphores,
                          const std::vector<cl_event>& events) const {
  return enqueue(functions.enqueueWait, on, semaphores, events);
}

cl_semaphore_payload_khr SemaphoreTest::payloadOf(const Semaphore& semaphore) const {
  return info<cl_semaphore_payload_khr>(functions.getInfo, semaphore.get(),
                                        CL_SEMAPHORE_PAYLOAD_KHR);
}

} // namespace quern::test
