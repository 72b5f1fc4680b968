#pragma once

#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include <CL/cl.h>

#include "api/handle.h"
#include "api/report.h"
#include "base/result.h"

/// The one place where results turn into error codes and out-parameters. Nothing leaves an exported
/// function by exception, and out-parameters are written only on success.
namespace quern::icd {

/// Which exported function runs and the handle whose context hears about a failure.
struct Call {
  const char* function;
  const void* subject = nullptr;
};

/// Reports the failure and returns its code.
inline cl_int fail(const Call& call, const Status& status) noexcept {
  try {
    api::reportFailure(call.function, call.subject, status);
  } catch (...) {
    // A failure that cannot be reported is still returned.
  }
  return status.code();
}

/// Must be called in a catch block.
inline cl_int failException(const Call& call) noexcept {
  try {
    throw;
  } catch (const std::system_error&) {
    return fail(call, Status::error(CL_OUT_OF_RESOURCES, "the system refused a thread or a lock"));
  } catch (...) {
    // Allocation failed, or a container would have grown past its limit.
    return CL_OUT_OF_HOST_MEMORY;
  }
}

/// Runs a `body` that returns Status.
template <typename Body> cl_int run(const Call& call, Body&& body) noexcept {
  try {
    const Status status = body();
    return status.ok() ? CL_SUCCESS : fail(call, status);
  } catch (...) {
    return failException(call);
  }
}

/// Runs a `body` that returns Result<Ref<T>> and gives the new object to the program.
template <typename Body> auto create(const Call& call, cl_int* errcode, Body&& body) noexcept {
  using Object = std::remove_reference_t<decltype(*body().value())>;
  api::HandleOf<Object> handle = nullptr;
  const cl_int code = run(call, [&]() -> Status {
    QUERN_ASSIGN(Ref<Object> object, body());
    handle = api::publish(object);
    return {};
  });
  if (errcode)
    *errcode = code;
  return handle;
}

/// Runs a `body` that enqueues a command and returns Result<Ref<Event>>; gives the event to a
/// program that asked for it.
template <typename Body> cl_int enqueue(const Call& call, cl_event* event, Body&& body) noexcept {
  return run(call, [&]() -> Status {
    auto command = body();
    if (!command.ok())
      return command.takeStatus();
    if (event)
      *event = api::publish(*command);
    return {};
  });
}

} // namespace quern::icd
