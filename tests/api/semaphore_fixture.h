#pragma once

#include "opencl_test.h"

namespace quern::test {

struct SemaphoreReleaser {
  void operator()(cl_semaphore_khr semaphore) const;
};
using Semaphore = std::unique_ptr<std::remove_pointer_t<cl_semaphore_khr>, SemaphoreReleaser>;
using SemaphoreProperties = std::vector<cl_semaphore_properties_khr>;

// Of headers younger than the oldest that the tests are built with.
inline constexpr cl_semaphore_properties_khr semaphoreDeviceHandleList = 0x2053;
inline constexpr cl_semaphore_info_khr semaphoreExportable = 0x2054;

/// The functions of the extensions about semaphores, which programs look up by name.
struct SemaphoreFunctions {
  static const SemaphoreFunctions& get();

  decltype(&clCreateSemaphoreWithPropertiesKHR) create;
  decltype(&clEnqueueWaitSemaphoresKHR) enqueueWait;
  decltype(&clEnqueueSignalSemaphoresKHR) enqueueSignal;
  decltype(&clGetSemaphoreInfoKHR) getInfo;
  decltype(&clRetainSemaphoreKHR) retain;
  decltype(&clReleaseSemaphoreKHR) release;
  decltype(&clGetSemaphoreHandleForTypeKHR) getHandle;
  cl_int(CL_API_CALL* reImport)(cl_semaphore_khr semaphore, cl_properties* properties, int file);
};

/// Makes, signals and waits for semaphores.
class SemaphoreTest : public OpenClTest {
protected:
  const SemaphoreFunctions& functions = SemaphoreFunctions::get();

  /// A binary semaphore with these properties beside its type.
  Semaphore makeSemaphore(const SemaphoreProperties& more = {}) const;
  /// One that can be exported as `type`.
  Semaphore makeExportable(cl_external_semaphore_handle_type_khr type) const;
  /// The descriptor that it is exported as.
  int exported(const Semaphore& semaphore, cl_external_semaphore_handle_type_khr type) const;
  /// The error of such a creation, with no properties but these.
  cl_int creationError(const SemaphoreProperties& properties, cl_context of = nullptr) const;

  Event signal(const Queue& on, const std::vector<cl_semaphore_khr>& semaphores,
               const std::vector<cl_event>& events = {}) const;
  Event wait(const Queue& on, const std::vector<cl_semaphore_khr>& semaphores,
             const std::vector<cl_event>& events = {}) const;
  static cl_int await(const Event& event);
  cl_semaphore_payload_khr payloadOf(const Semaphore& semaphore) const;
};

} // namespace quern::test
