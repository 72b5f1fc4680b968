#include "api/handle.h"

namespace quern::api {

namespace {

std::string_view reasonOf(const void* handle) {
  if (!handle)
    return "is NULL";
  if (reinterpret_cast<uintptr_t>(handle) % alignof(runtime::ObjectHeader) != 0)
    return "is not an object: its address is not aligned";
  const auto* header = static_cast<const runtime::ObjectHeader*>(handle);
  if (header->dispatch != runtime::dispatchTable())
    return "is not an object of this platform";
  if (header->process != runtime::processGeneration())
    return "was made before fork() and cannot be used in the child process";
  return "is an object of another kind or was deleted";
}

} // namespace

Status invalidHandle(const void* handle, cl_int code, std::string_view name,
                     std::source_location place) {
  return Status::error(code, sentence("the ", name, " ", reasonOf(handle)), 0, place);
}

} // namespace quern::api
