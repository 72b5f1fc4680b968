#include "api/svm_types.h"

#include <bit>
#include <limits>

#include "api/handle.h"
#include "api/invalid.h"
#include "api/property_list.h"
#include "api/unified_memory.h"
#include "runtime/context.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::Device;
using runtime::UnifiedAllocation;
using Kind = UnifiedAllocation::Kind;

/// In the order of the lists.
enum class Type : cl_uint { CoarseGrain, FineGrain, Device, Host, Shared, System };
constexpr cl_uint typeCount = 6;

SvmCapabilities capabilitiesOf(Type type, const device::Caps& caps) {
  constexpr SvmCapabilities everywhere =
      svmSingleAddressSpace | svmDeviceRead | svmDeviceWrite | svmDeviceAtomics | svmIndirectAccess;
  constexpr SvmCapabilities forAll = svmDeviceUnassociated | svmContextAccess;
  constexpr SvmCapabilities onHost = svmHostRead | svmHostWrite | svmConcurrentAccess;
  if (caps.svm == 0 || (caps.hasOwnSvm() && type != Type::CoarseGrain))
    return 0;
  const SvmCapabilities atomics =
      (caps.svm & CL_DEVICE_SVM_ATOMICS) ? svmConcurrentAtomics : SvmCapabilities{0};
  // Across a bus, atomic operations on memory that stays with the host are a device's own.
  const SvmCapabilities atomicsOnHost = caps.hostUnifiedMemory ? atomics : 0;
  switch (type) {
  case Type::CoarseGrain:
    return everywhere | forAll | svmHostMap;
  case Type::FineGrain:
    return everywhere | forAll | svmHostMap | onHost | atomicsOnHost;
  case Type::Device:
    return everywhere | svmDeviceOwned;
  case Type::Host:
    return everywhere | forAll | svmHostOwned | onHost | atomicsOnHost;
  case Type::Shared:
    return everywhere | forAll | onHost | atomics;
  case Type::System:
    break;
  }
  return (caps.svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)
             ? everywhere | forAll | svmHostMap | onHost | atomics | svmSystemAllocated
             : 0;
}

Type typeOf(const UnifiedAllocation& allocation) {
  switch (allocation.kind()) {
  case Kind::Svm:
    break;
  case Kind::Host:
    return Type::Host;
  case Kind::Device:
    return Type::Device;
  case Kind::Shared:
    return Type::Shared;
  }
  return allocation.isFineGrain() ? Type::FineGrain : Type::CoarseGrain;
}

/// The program's list of properties of an allocation, and what it says.
struct Properties {
  std::vector<cl_properties> list;
  Ref<Device> device;
  cl_bitfield access = 0;
};

Status checkAlignment(cl_properties alignment) {
  if (alignment != 0 && (!std::has_single_bit(alignment) || alignment > maxUnifiedAlignment))
    return invalidProperty(sentence("CL_SVM_ALLOC_ALIGNMENT_KHR is ", alignment,
                                    ", not a power of two up to ", maxUnifiedAlignment));
  return {};
}

Status parseProperty(const Context& context, cl_properties name, cl_properties value,
                     Properties& parsed) {
  constexpr cl_bitfield known =
      svmAccessHostNoRead | svmAccessHostNoWrite | svmAccessDeviceNoRead | svmAccessDeviceNoWrite;
  switch (name) {
  case svmAllocAssociatedDevice:
    if (value != 0) {
      QUERN_ASSIGN(parsed.device, deviceOf(context, reinterpret_cast<cl_device_id>(value)));
    }
    return {};
  case svmAllocAccessFlags:
    if (value & ~known)
      return invalidProperty(sentence("access flags ", value, " contain bits that mean nothing"));
    parsed.access = value;
    return {};
  case svmAllocAlignment:
    return checkAlignment(value);
  default:
    return invalidProperty(sentence("property ", name, " is not one of an SVM allocation"));
  }
}

Result<Properties> parseAllocationProperties(const Context& context,
                                             const cl_properties* properties) {
  Properties parsed = {.list = copyPropertyList(properties)};
  for (size_t i = 0; i + 1 < parsed.list.size(); i += 2) {
    if (isRepeated(parsed.list, i))
      return invalidProperty(sentence("property ", parsed.list[i], " is given more than once"));
    QUERN_TRY(parseProperty(context, parsed.list[i], parsed.list[i + 1], parsed));
  }
  return parsed;
}

/// What all devices that it is about can do with a type: `device`, or all of the context.
SvmCapabilities commonCapabilities(const Context& context, const Device* device, Type type) {
  if (device)
    return capabilitiesOf(type, device->caps());
  SvmCapabilities common = ~SvmCapabilities{0};
  for (const Ref<Device>& each : context.devices())
    common &= capabilitiesOf(type, each->caps());
  return common;
}

Status checkType(const Context& context, const Device* device, cl_uint index, size_t bytes) {
  // The type is none, is not for this function to allocate, or no device has it.
  if (index >= typeCount)
    return invalidValue(sentence("SVM type ", index, " is not one of the ", typeCount, " types"));
  const auto type = static_cast<Type>(index);
  if (type == Type::System)
    return Status::error(CL_INVALID_OPERATION, "memory of the system is not allocated by OpenCL");
  if (commonCapabilities(context, device, type) == 0)
    return Status::error(CL_INVALID_OPERATION,
                         sentence("not all devices of the context have SVM type ", index));
  if (type == Type::Device && !device)
    return Status::error(CL_INVALID_OPERATION, "memory of a device needs an associated device");
  if (bytes == 0)
    return Status::error(CL_INVALID_BUFFER_SIZE, "an allocation of 0 bytes is not possible");
  return {};
}

Kind kindOf(Type type) {
  return type == Type::Device   ? Kind::Device
         : type == Type::Host   ? Kind::Host
         : type == Type::Shared ? Kind::Shared
                                : Kind::Svm;
}

/// A pointer, and what it was found to point into, or null.
struct FoundPointer {
  const Context& context;
  const Device* device; ///< that the query is about, or null
  const UnifiedAllocation* allocation;
};

cl_bitfield accessOf(const UnifiedAllocation& allocation) {
  const std::vector<cl_properties>& list = allocation.properties();
  for (size_t i = 0; i + 1 < list.size(); i += 2)
    if (list[i] == svmAllocAccessFlags)
      return list[i + 1];
  return 0;
}

constexpr InfoRow<FoundPointer> pointerRows[] = {
    {svmInfoTypeIndex,
     [](const FoundPointer& found, InfoValue& value) {
       value.put(found.allocation ? static_cast<cl_uint>(typeOf(*found.allocation))
                                  : std::numeric_limits<cl_uint>::max());
     }},
    {svmInfoCapabilities,
     [](const FoundPointer& found, InfoValue& value) {
       value.put<SvmCapabilities>(found.allocation ? commonCapabilities(found.context, found.device,
                                                                        typeOf(*found.allocation))
                                                   : 0);
     }},
    {svmInfoProperties,
     [](const FoundPointer& found, InfoValue& value) {
       if (found.allocation)
         value.putArray(found.allocation->properties());
     }},
    {svmInfoAccessFlags,
     [](const FoundPointer& found, InfoValue& value) {
       value.put<cl_bitfield>(found.allocation ? accessOf(*found.allocation) : 0);
     }},
    {svmInfoBasePointer,
     [](const FoundPointer& found, InfoValue& value) {
       value.put<void*>(found.allocation ? found.allocation->begin() : nullptr);
     }},
    {svmInfoSize,
     [](const FoundPointer& found, InfoValue& value) {
       value.put<size_t>(found.allocation ? found.allocation->memory().bytes() : 0);
     }},
    {svmInfoAssociatedDevice,
     [](const FoundPointer& found, InfoValue& value) {
       value.put(toHandle(found.allocation ? found.allocation->device() : nullptr));
     }},
};

} // namespace

std::vector<SvmCapabilities> deviceSvmTypes(const Device& device) {
  std::vector<SvmCapabilities> types;
  for (cl_uint type = 0; type < typeCount; ++type)
    types.push_back(capabilitiesOf(static_cast<Type>(type), device.caps()));
  return types;
}

std::vector<SvmCapabilities> platformSvmTypes(std::span<const Ref<Device>> devices) {
  std::vector<SvmCapabilities> types(typeCount, 0);
  for (const Ref<Device>& device : devices)
    for (cl_uint type = 0; type < typeCount; ++type)
      if (const SvmCapabilities own = capabilitiesOf(static_cast<Type>(type), device->caps()))
        types[type] = types[type] ? types[type] & own : own;
  return types;
}

Result<void*> svmAllocWithProperties(cl_context handle, const cl_properties* properties,
                                     cl_uint index, size_t bytes) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  QUERN_ASSIGN(Properties parsed, parseAllocationProperties(*context, properties));
  QUERN_TRY(checkType(*context, parsed.device.get(), index, bytes));
  const auto type = static_cast<Type>(index);
  QUERN_ASSIGN(Ref<UnifiedAllocation> allocation,
               allocateUnified(*context, bytes,
                               {.kind = kindOf(type),
                                .isFineGrain = type == Type::FineGrain,
                                .device = std::move(parsed.device),
                                .properties = std::move(parsed.list)}));
  return context->unifiedMemory().add(std::move(allocation));
}

Status svmFreeWithProperties(cl_context handle, const cl_properties* properties, cl_bitfield flags,
                             void* pointer) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  // None is defined so far.
  if (properties && *properties != 0)
    return invalidProperty(sentence("property ", *properties, " is not one of freeing memory"));
  if (flags != 0)
    return invalidValue(sentence("flags ", flags, " of freeing memory mean nothing"));
  const auto isSvm = [](const UnifiedAllocation& allocation) { return !allocation.isIntel(); };
  if (pointer && !context->unifiedMemory().remove(pointer, isSvm))
    return invalidValue(
        "the pointer is not one that an allocation function of the context returned");
  return {};
}

Status getSvmPointerInfo(cl_context handle, cl_device_id deviceHandle, const void* pointer,
                         cl_uint name, const InfoRequest& request) {
  QUERN_ASSIGN(const Context* context, fromHandle<Context>(handle));
  Ref<Device> device;
  if (deviceHandle) {
    QUERN_ASSIGN(device, deviceOf(*context, deviceHandle));
  }
  const Ref<UnifiedAllocation> allocation = context->unifiedMemory().find(pointer);
  return query(std::span<const InfoRow<FoundPointer>>(pointerRows), "SVM pointer",
               FoundPointer{*context, device.get(), allocation.get()}, name, request);
}

Result<cl_uint> getSvmSuggestedTypeIndex(cl_context handle, SvmCapabilities required,
                                         SvmCapabilities desired, const cl_properties* properties) {
  QUERN_ASSIGN(const Context* context, fromHandle<Context>(handle));
  QUERN_ASSIGN(const Properties parsed, parseAllocationProperties(*context, properties));
  if ((required | desired) & ~svmAllCapabilities)
    return invalidValue(sentence("SVM capabilities ", required | desired,
                                 " contain bits that mean "
                                 "nothing"));
  cl_uint best = std::numeric_limits<cl_uint>::max();
  int most = -1;
  for (cl_uint index = 0; index < typeCount; ++index) {
    const SvmCapabilities own =
        commonCapabilities(*context, parsed.device.get(), static_cast<Type>(index));
    const int wished = std::popcount(own & desired);
    if (own == 0 || (own & required) != required || wished <= most)
      continue;
    best = index;
    most = wished;
  }
  return best;
}

} // namespace quern::api
