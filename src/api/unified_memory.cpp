#include "api/unified_memory.h"

#include <algorithm>
#include <bit>

#include "api/handle.h"
#include "api/invalid.h"
#include "api/property_list.h"
#include "runtime/context.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::Device;
using runtime::UnifiedAllocation;
using runtime::UnifiedMemoryCapabilities;
using Kind = UnifiedAllocation::Kind;

constexpr cl_mem_alloc_flags_intel placementFlags =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

std::string_view nameOf(Kind kind) {
  return kind == Kind::Host ? "host" : kind == Kind::Device ? "device" : "shared";
}

bool canUse(const Device& device, Kind kind) {
  const UnifiedMemoryCapabilities capabilities = runtime::unifiedMemoryCapabilities(device.caps());
  if (kind == Kind::Host)
    return capabilities.host != 0;
  if (kind == Kind::Device)
    return capabilities.device != 0;
  return (capabilities.shared | capabilities.sharedAcrossDevices) != 0;
}

Status checkFlags(Kind kind, cl_mem_alloc_flags_intel flags) {
  if (flags & ~(placementFlags | CL_MEM_ALLOC_WRITE_COMBINED_INTEL))
    return invalidProperty(sentence("allocation flags ", flags, " contain bits that mean nothing"));
  // Where shared memory is at first: for no other kind, and not in two places.
  if (kind != Kind::Shared && (flags & placementFlags))
    return invalidProperty(sentence("allocation flags ", flags,
                                    " say where memory is placed at first, but ", nameOf(kind),
                                    " memory never moves"));
  if ((flags & placementFlags) == placementFlags)
    return invalidProperty("memory cannot be placed both on the device and on the host at first");
  return {};
}

/// The value of CL_MEM_ALLOC_FLAGS_INTEL, 0 where it is not given.
Result<cl_mem_alloc_flags_intel> parseProperties(Kind kind,
                                                 const cl_mem_properties_intel* properties) {
  const std::vector<cl_mem_properties_intel> list = copyPropertyList(properties);
  cl_mem_alloc_flags_intel flags = 0;
  for (size_t i = 0; i + 1 < list.size(); i += 2) {
    // A name that is not known, or given twice, or whose value is not valid.
    if (list[i] != CL_MEM_ALLOC_FLAGS_INTEL)
      return invalidProperty(sentence("property ", list[i], " is not one of an allocation"));
    if (isRepeated(list, i))
      return invalidProperty("CL_MEM_ALLOC_FLAGS_INTEL is given more than once");
    flags = list[i + 1];
    QUERN_TRY(checkFlags(kind, flags));
  }
  return flags;
}

/// What one of the allocation functions was given.
struct AllocationRequest {
  Kind kind;
  Context& context;
  Ref<Device> device; ///< or null
  const cl_mem_properties_intel* properties;
  size_t bytes;
  cl_uint alignment;

  /// Whether the limits of `other` count.
  bool isFor(const Device& other) const {
    return device ? &other == device.get() : canUse(other, kind);
  }
};

Status checkSize(const AllocationRequest& request) {
  if (request.bytes == 0)
    return Status::error(CL_INVALID_BUFFER_SIZE, "an allocation of 0 bytes is not possible");
  for (const Ref<Device>& device : request.context.devices())
    if (const uint64_t limit = device->caps().maxAllocBytes;
        request.isFor(*device) && request.bytes > limit)
      return Status::error(
          CL_INVALID_BUFFER_SIZE,
          sentence("an allocation of ", request.bytes, " bytes is above the limit of ", limit));
  return {};
}

Status checkRequest(const AllocationRequest& request) {
  // The device, or each of the context's, has no memory of this kind.
  const auto isAble = [&request](const Ref<Device>& device) {
    return request.isFor(*device) && canUse(*device, request.kind);
  };
  if (std::ranges::none_of(request.context.devices(), isAble))
    return Status::error(CL_INVALID_OPERATION,
                         sentence(request.device ? "the device" : "no device",
                                  " of the context has ", request.device ? "no " : "",
                                  nameOf(request.kind), " memory"));
  // No power of two, or above the size of the largest data type.
  if (request.alignment != 0 && !std::has_single_bit(request.alignment))
    return Status::error(CL_INVALID_VALUE,
                         sentence("alignment ", request.alignment, " is not a power of two"));
  if (request.alignment > maxUnifiedAlignment)
    return Status::error(CL_INVALID_VALUE,
                         sentence("alignment ", request.alignment, " is above the limit of ",
                                  maxUnifiedAlignment, " bytes"));
  return {};
}

Result<void*> allocate(const AllocationRequest& request) {
  QUERN_TRY(checkRequest(request));
  QUERN_ASSIGN(const cl_mem_alloc_flags_intel flags,
               parseProperties(request.kind, request.properties));
  QUERN_TRY(checkSize(request));
  QUERN_ASSIGN(
      Ref<UnifiedAllocation> allocation,
      allocateUnified(
          request.context, request.bytes,
          {.kind = request.kind, .isIntel = true, .device = request.device, .flags = flags}));
  return request.context.unifiedMemory().add(std::move(allocation));
}

Status free(Context& context, void* pointer) {
  const auto isIntel = [](const UnifiedAllocation& allocation) { return allocation.isIntel(); };
  // Neither NULL nor what an allocation function returned.
  if (pointer && !context.unifiedMemory().remove(pointer, isIntel))
    return Status::error(
        CL_INVALID_VALUE,
        "the pointer is not one that an allocation function of the context returned");
  return {};
}

cl_unified_shared_memory_type_intel typeOf(const UnifiedAllocation* allocation) {
  if (!allocation)
    return CL_MEM_TYPE_UNKNOWN_INTEL;
  switch (allocation->kind()) {
  case Kind::Svm:
    break;
  case Kind::Host:
    return CL_MEM_TYPE_HOST_INTEL;
  case Kind::Device:
    return CL_MEM_TYPE_DEVICE_INTEL;
  case Kind::Shared:
    return CL_MEM_TYPE_SHARED_INTEL;
  }
  return CL_MEM_TYPE_UNKNOWN_INTEL;
}

/// What a pointer was found to point into: null where it is none of the extension's.
struct FoundAllocation {
  const UnifiedAllocation* allocation;
};

constexpr InfoRow<FoundAllocation> allocationRows[] = {
    {CL_MEM_ALLOC_TYPE_INTEL,
     [](const FoundAllocation& found, InfoValue& value) { value.put(typeOf(found.allocation)); }},
    {CL_MEM_ALLOC_BASE_PTR_INTEL,
     [](const FoundAllocation& found, InfoValue& value) {
       value.put<void*>(found.allocation ? found.allocation->begin() : nullptr);
     }},
    {CL_MEM_ALLOC_SIZE_INTEL,
     [](const FoundAllocation& found, InfoValue& value) {
       value.put<size_t>(found.allocation ? found.allocation->memory().bytes() : 0);
     }},
    {CL_MEM_ALLOC_DEVICE_INTEL,
     [](const FoundAllocation& found, InfoValue& value) {
       value.put(toHandle(found.allocation ? found.allocation->device() : nullptr));
     }},
    {CL_MEM_ALLOC_FLAGS_INTEL,
     [](const FoundAllocation& found, InfoValue& value) {
       value.put<cl_mem_alloc_flags_intel>(found.allocation ? found.allocation->flags() : 0);
     }},
};

} // namespace

Result<Ref<Device>> deviceOf(const Context& context, cl_device_id handle) {
  QUERN_ASSIGN(Device * device, fromHandle<Device>(handle));
  if (!context.hasDevice(*device))
    return Status::error(CL_INVALID_DEVICE, "the device is not one of the context");
  return Ref<Device>(device);
}

Result<Ref<UnifiedAllocation>> allocateUnified(const Context& context, uint64_t bytes,
                                               UnifiedAllocation::Creation creation) {
  // Shared memory moves to who accesses it where a device can do that. Host memory stays.
  const bool moves = creation.kind == Kind::Shared && context.hasSvm(CL_DEVICE_SVM_ATOMICS);
  Result<Ref<UnifiedAllocation>> allocation =
      context.allocateUnified(std::move(creation), bytes, moves);
  // The extensions name no code of memory objects.
  if (!allocation.ok())
    return Status::error(CL_OUT_OF_RESOURCES, allocation.status().sentence());
  return allocation;
}

Result<void*> hostMemAlloc(cl_context handle, const cl_mem_properties_intel* properties,
                           size_t bytes, cl_uint alignment) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  return allocate({Kind::Host, *context, nullptr, properties, bytes, alignment});
}

Result<void*> deviceMemAlloc(cl_context handle, cl_device_id deviceHandle,
                             const cl_mem_properties_intel* properties, size_t bytes,
                             cl_uint alignment) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  QUERN_ASSIGN(Ref<Device> device, deviceOf(*context, deviceHandle));
  return allocate({Kind::Device, *context, std::move(device), properties, bytes, alignment});
}

Result<void*> sharedMemAlloc(cl_context handle, cl_device_id deviceHandle,
                             const cl_mem_properties_intel* properties, size_t bytes,
                             cl_uint alignment) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  Ref<Device> device;
  if (deviceHandle) {
    QUERN_ASSIGN(device, deviceOf(*context, deviceHandle));
  }
  return allocate({Kind::Shared, *context, std::move(device), properties, bytes, alignment});
}

Status memFree(cl_context handle, void* pointer) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  return free(*context, pointer);
}

Status memBlockingFree(cl_context handle, void* pointer) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  // Kernels may use memory that they were not told of (CL_KERNEL_EXEC_INFO_INDIRECT_xxx), so that
  // any command may be one that does.
  if (context->unifiedMemory().find(pointer))
    context->finishQueues();
  return free(*context, pointer);
}

Status getMemAllocInfo(cl_context handle, const void* pointer, cl_mem_info_intel name,
                       const InfoRequest& request) {
  QUERN_ASSIGN(const Context* context, fromHandle<Context>(handle));
  const Ref<UnifiedAllocation> allocation = context->unifiedMemory().find(pointer);
  const bool isIntel = allocation && allocation->isIntel();
  return query(std::span<const InfoRow<FoundAllocation>>(allocationRows), "allocation",
               FoundAllocation{isIntel ? allocation.get() : nullptr}, name, request);
}

} // namespace quern::api
