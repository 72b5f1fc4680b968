#include "api/context.h"

#include <algorithm>

#include "api/device_selection.h"
#include "api/graphics_context.h"
#include "api/handle.h"
#include "api/property_list.h"
#include "runtime/platform.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::Device;

Status checkProperty(cl_context_properties name, cl_context_properties value) {
  if (namesGraphics(name))
    return {};
  switch (name) {
  case CL_CONTEXT_PLATFORM:
    // The platform is not valid.
    return fromHandle<runtime::Platform>(reinterpret_cast<cl_platform_id>(value)).takeStatus();
  case CL_CONTEXT_INTEROP_USER_SYNC:
    if (value == CL_TRUE || value == CL_FALSE)
      return {};
    return Status::error(CL_INVALID_PROPERTY, sentence("CL_CONTEXT_INTEROP_USER_SYNC is ", value,
                                                       ", which is neither CL_TRUE nor CL_FALSE"));
  default:
    // The name of the property is not supported.
    return Status::error(CL_INVALID_PROPERTY,
                         sentence("property ", name, " is not a property of a context"));
  }
}

Result<std::vector<cl_context_properties>>
parseContextProperties(const cl_context_properties* properties) {
  std::vector<cl_context_properties> list;
  for (; properties && *properties != 0; properties += 2) {
    list.insert(list.end(), properties, properties + 2);
    // The same property is named more than once.
    if (isRepeated(list, list.size() - 2))
      return Status::error(CL_INVALID_PROPERTY,
                           sentence("property ", *properties, " is given more than once"));
    QUERN_TRY(checkProperty(properties[0], properties[1]));
  }
  if (properties)
    list.push_back(0);
  return list;
}

/// The share group that the properties name, or null.
Result<Ref<opengl::ShareGroup>> openShareGroup(const std::vector<cl_context_properties>& list) {
  QUERN_ASSIGN(const std::optional<opengl::ProgramContext> program, parseProgramContext(list));
  if (!program)
    return Ref<opengl::ShareGroup>();
  return opengl::ShareGroup::open(*program);
}

/// pfn_notify is NULL but user_data is not.
Status checkNotify(const Context::Notify& notify) {
  if (!notify.function && notify.userData)
    return Status::error(CL_INVALID_VALUE, "user_data is given but pfn_notify is NULL");
  return {};
}

constexpr InfoRow<Context> contextRows[] = {
    {CL_CONTEXT_REFERENCE_COUNT,
     [](const Context& context, InfoValue& value) { value.put<cl_uint>(context.apiReferences()); }},
    {CL_CONTEXT_NUM_DEVICES,
     [](const Context& context, InfoValue& value) {
       value.put(static_cast<cl_uint>(context.devices().size()));
     }},
    {CL_CONTEXT_DEVICES,
     [](const Context& context, InfoValue& value) {
       for (const Ref<Device>& device : context.devices())
         value.put(toHandle(device.get()));
     }},
    {CL_CONTEXT_PROPERTIES,
     [](const Context& context, InfoValue& value) { value.putArray(context.properties()); }},
};

} // namespace

Result<Ref<Context>> createContext(const cl_context_properties* properties, cl_uint deviceCount,
                                   const cl_device_id* devices, Context::Notify notify) {
  QUERN_ASSIGN(std::vector<cl_context_properties> list, parseContextProperties(properties));
  // devices is NULL or num_devices is zero.
  if (!devices || deviceCount == 0)
    return Status::error(CL_INVALID_VALUE, "a context needs at least one device");
  QUERN_TRY(checkNotify(notify));
  QUERN_ASSIGN(const std::vector<Device*> given, fromHandles<Device>(deviceCount, devices));
  // A device that is named twice counts once.
  std::vector<Ref<Device>> unique;
  for (Device* device : given)
    if (std::ranges::count(unique, device, &Ref<Device>::get) == 0)
      unique.emplace_back(device);
  QUERN_ASSIGN(Ref<opengl::ShareGroup> shareGroup, openShareGroup(list));
  return makeRef<Context>(std::move(unique), std::move(list), notify, std::move(shareGroup));
}

Result<Ref<Context>> createContextFromType(const cl_context_properties* properties,
                                           cl_device_type type, Context::Notify notify) {
  QUERN_ASSIGN(std::vector<cl_context_properties> list, parseContextProperties(properties));
  QUERN_TRY(checkNotify(notify));
  QUERN_TRY(checkDeviceType(type));
  std::vector<Ref<Device>> devices = devicesOfType(runtime::Platform::get(), type);
  if (devices.empty())
    return Status::error(CL_DEVICE_NOT_FOUND,
                         sentence("the platform has no device of type ", type));
  QUERN_ASSIGN(Ref<opengl::ShareGroup> shareGroup, openShareGroup(list));
  return makeRef<Context>(std::move(devices), std::move(list), notify, std::move(shareGroup));
}

Status getContextInfo(cl_context context, cl_context_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const Context* object, fromHandle<Context>(context));
  return query(std::span<const InfoRow<Context>>(contextRows), "context", *object, name, request);
}

Status setContextDestructorCallback(cl_context context, Context::DestructorFunction function,
                                    void* userData) {
  QUERN_ASSIGN(Context * object, fromHandle<Context>(context));
  // pfn_notify is NULL.
  if (!function)
    return Status::error(CL_INVALID_VALUE, "pfn_notify is NULL");
  object->addDestructorCallback(function, userData);
  return {};
}

} // namespace quern::api
