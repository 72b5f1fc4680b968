#include "api/svm.h"

#include <bit>

#include "api/handle.h"
#include "api/invalid.h"
#include "runtime/context.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::Device;
using runtime::UnifiedAllocation;

/// What `flags` ask of a device (CL_DEVICE_SVM_xxx).
cl_device_svm_capabilities neededCapabilities(cl_svm_mem_flags flags) {
  cl_device_svm_capabilities needed = 0;
  if (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER)
    needed |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  if (flags & CL_MEM_SVM_ATOMICS)
    needed |= CL_DEVICE_SVM_ATOMICS;
  return needed;
}

Status checkFlags(const Context& context, cl_svm_mem_flags flags) {
  constexpr cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  constexpr cl_svm_mem_flags known = access | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  // Atomics without fine grain.
  if ((flags & CL_MEM_SVM_ATOMICS) && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER))
    return invalidValue("CL_MEM_SVM_ATOMICS needs CL_MEM_SVM_FINE_GRAIN_BUFFER");
  // Flags that exclude each other or mean nothing.
  if (std::popcount(flags & access) > 1)
    return invalidValue(
        "CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY exclude each other");
  if (flags & ~known)
    return invalidValue(sentence("SVM memory flags ", flags, " contain bits that mean nothing"));
  // No device has what the flags ask for.
  if (!context.hasSvm(neededCapabilities(flags)))
    return Status::error(
        CL_INVALID_OPERATION,
        sentence("no device of the context can do what the SVM memory flags ", flags, " ask for"));
  return {};
}

/// Whether every device of the context with shared virtual memory can provide it.
Status checkExtent(const Context& context, size_t bytes, cl_uint alignment) {
  if (bytes == 0)
    return invalidValue("shared virtual memory of 0 bytes is not possible");
  if (alignment != 0 && !std::has_single_bit(alignment))
    return invalidValue(sentence("alignment ", alignment, " is not a power of two"));
  for (const Ref<Device>& device : context.devices()) {
    const uint64_t maxBytes = device->caps().maxAllocBytes;
    const uint64_t maxAlignment = device->caps().baseAddressAlignBits / 8;
    if (bytes > maxBytes)
      return invalidValue(
          sentence("shared virtual memory of ", bytes, " bytes is above the limit of ", maxBytes));
    if (alignment > maxAlignment)
      return invalidValue(
          sentence("alignment ", alignment, " is above the limit of ", maxAlignment, " bytes"));
  }
  return {};
}

} // namespace

Result<void*> svmAlloc(cl_context handle, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  // No device of the context has shared virtual memory.
  if (!context->hasSvm(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    return Status::error(CL_INVALID_OPERATION,
                         "no device of the context has shared virtual memory");
  QUERN_TRY(checkFlags(*context, flags));
  QUERN_TRY(checkExtent(*context, bytes, alignment));
  // Every allocation has the largest alignment that checkExtent lets through.
  QUERN_ASSIGN(Ref<UnifiedAllocation> allocation,
               context->allocateUnified({.isFineGrain = (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0,
                                         .isReadOnly = (flags & CL_MEM_READ_ONLY) != 0},
                                        bytes, (flags & CL_MEM_SVM_ATOMICS) != 0));
  return context->unifiedMemory().add(std::move(allocation));
}

void freeSvm(Context& context, const void* pointer) {
  context.unifiedMemory().remove(
      pointer, [](const UnifiedAllocation& allocation) { return !allocation.isIntel(); });
}

Status svmFree(cl_context handle, void* pointer) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  freeSvm(*context, pointer);
  return {};
}

} // namespace quern::api
