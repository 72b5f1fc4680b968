#include "api/semaphore.h"

#include <algorithm>

#include "api/handle.h"
#include "api/invalid.h"
#include "api/newer_constants.h"
#include "api/property_list.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::Device;
using runtime::Semaphore;
using SemaphoreProperty = cl_semaphore_properties_khr;

bool isHandleType(SemaphoreProperty value) {
  return std::ranges::find(semaphoreHandleTypes, value) != semaphoreHandleTypes.end();
}

/// Reads the program's list, of which nothing is known beyond what has been read.
class SemaphorePropertyReader {
public:
  SemaphorePropertyReader(const Context& context, const SemaphoreProperty* list)
      : context_(context), next_(list) {}

  Result<Semaphore::Creation> read();

private:
  Status readType();
  Status readDevices();
  Status readExportTypes();
  Status readHandle(Semaphore::HandleType type);
  SemaphoreProperty take() {
    creation_.properties.push_back(*next_);
    return *next_++;
  }
  /// Notes that `given` has been named, which it may be once.
  static Status nameOnce(bool& given, std::string_view name) {
    if (given)
      return invalidProperty(sentence(name, " is given more than once"));
    given = true;
    return {};
  }

  const Context& context_;
  const SemaphoreProperty* next_;
  bool hasType_ = false, hasDevices_ = false, hasExportTypes_ = false, hasHandle_ = false;
  Semaphore::Creation creation_;
};

Result<Semaphore::Creation> SemaphorePropertyReader::read() {
  while (const SemaphoreProperty name = take()) {
    if (name == CL_SEMAPHORE_TYPE_KHR)
      QUERN_TRY(readType());
    else if (name == semaphoreDeviceHandleList)
      QUERN_TRY(readDevices());
    else if (name == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR)
      QUERN_TRY(readExportTypes());
    else if (isHandleType(name))
      QUERN_TRY(readHandle(static_cast<Semaphore::HandleType>(name)));
    else
      return invalidProperty(sentence("property ", name, " is not a property of a semaphore"));
  }
  // The type is required.
  if (!hasType_)
    return Status::error(CL_INVALID_VALUE, "the properties do not say CL_SEMAPHORE_TYPE_KHR");
  // What was imported cannot be exported.
  if (creation_.imported && hasExportTypes_)
    return Status::error(CL_INVALID_OPERATION,
                         "a semaphore that is made from a handle cannot be exported");
  if (hasDevices_)
    return std::move(creation_);
  // A context with several devices, and none of them is named.
  if (context_.devices().size() > 1)
    return invalidProperty(
        sentence("the context has ", context_.devices().size(),
                 " devices, but CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is missing"));
  creation_.devices.assign(context_.devices().begin(), context_.devices().end());
  return std::move(creation_);
}

Status SemaphorePropertyReader::readType() {
  QUERN_TRY(nameOnce(hasType_, "CL_SEMAPHORE_TYPE_KHR"));
  const SemaphoreProperty type = take();
  if (type != CL_SEMAPHORE_TYPE_BINARY_KHR)
    return invalidProperty(
        sentence("semaphore type ", type, " is not CL_SEMAPHORE_TYPE_BINARY_KHR"));
  return {};
}

Status SemaphorePropertyReader::readDevices() {
  QUERN_TRY(nameOnce(hasDevices_, "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR"));
  while (const SemaphoreProperty handle = take()) {
    // It names exactly one device, and that is of the context.
    if (!creation_.devices.empty())
      return Status::error(CL_INVALID_DEVICE,
                           "a semaphore is for one device, but several are named");
    QUERN_ASSIGN(Device * device, fromHandle<Device>(reinterpret_cast<cl_device_id>(handle)));
    if (!context_.hasDevice(*device))
      return Status::error(CL_INVALID_DEVICE, "the device is not one of the context's");
    creation_.devices.emplace_back(device);
  }
  if (creation_.devices.empty())
    return Status::error(CL_INVALID_DEVICE, "the list of the semaphore's devices is empty");
  return {};
}

Status SemaphorePropertyReader::readExportTypes() {
  QUERN_TRY(nameOnce(hasExportTypes_, "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR"));
  while (const SemaphoreProperty type = take()) {
    if (!isHandleType(type))
      return invalidProperty(sentence(type, " is no type of handle that semaphores have"));
    // More than one type.
    if (creation_.exportable)
      return Status::error(CL_INVALID_VALUE,
                           "a semaphore is exported as one type of handle, but several are named");
    creation_.exportable = static_cast<Semaphore::HandleType>(type);
  }
  return {};
}

Status SemaphorePropertyReader::readHandle(Semaphore::HandleType type) {
  QUERN_TRY(nameOnce(hasHandle_, "the handle that the semaphore is made from"));
  creation_.imported = {type, static_cast<int>(take())};
  return {};
}

constexpr InfoRow<Semaphore> semaphoreRows[] = {
    {CL_SEMAPHORE_CONTEXT_KHR, [](const Semaphore& semaphore,
                                  InfoValue& value) { value.put(toHandle(&semaphore.context())); }},
    {CL_SEMAPHORE_REFERENCE_COUNT_KHR,
     [](const Semaphore& semaphore, InfoValue& value) {
       value.put<cl_uint>(semaphore.apiReferences());
     }},
    {CL_SEMAPHORE_PROPERTIES_KHR,
     [](const Semaphore& semaphore, InfoValue& value) {
       value.putArray(semaphore.creation().properties);
     }},
    {CL_SEMAPHORE_TYPE_KHR,
     [](const Semaphore&, InfoValue& value) {
       value.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR);
     }},
    {CL_SEMAPHORE_PAYLOAD_KHR,
     [](const Semaphore& semaphore, InfoValue& value) {
       value.put<cl_semaphore_payload_khr>(semaphore.isSignaled() ? 1 : 0);
     }},
    {semaphoreDeviceHandleList,
     [](const Semaphore& semaphore, InfoValue& value) {
       for (const Ref<Device>& device : semaphore.creation().devices)
         value.put(toHandle(device.get()));
     }},
    {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
     [](const Semaphore& semaphore, InfoValue& value) {
       if (const auto type = semaphore.creation().exportable)
         value.put(*type);
     }},
    {semaphoreExportable,
     [](const Semaphore& semaphore, InfoValue& value) {
       value.put<cl_bool>(semaphore.creation().exportable.has_value());
     }},
};

} // namespace

Result<Ref<Semaphore>> createSemaphoreWithProperties(cl_context handle,
                                                     const SemaphoreProperty* properties) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  // sema_props is NULL.
  if (!properties)
    return Status::error(CL_INVALID_VALUE, "sema_props is NULL");
  QUERN_ASSIGN(Semaphore::Creation creation, SemaphorePropertyReader(*context, properties).read());
  return Semaphore::create(*context, std::move(creation));
}

Status getSemaphoreInfo(cl_semaphore_khr handle, cl_semaphore_info_khr name,
                        const InfoRequest& request) {
  QUERN_ASSIGN(const Semaphore* semaphore, fromHandle<Semaphore>(handle));
  return query(std::span<const InfoRow<Semaphore>>(semaphoreRows), "semaphore", *semaphore, name,
               request);
}

Status getSemaphoreHandle(cl_semaphore_khr handle, cl_device_id deviceHandle,
                          cl_external_semaphore_handle_type_khr type, const InfoRequest& request) {
  QUERN_ASSIGN(Semaphore * semaphore, fromHandle<Semaphore>(handle));
  QUERN_ASSIGN(const Device* device, fromHandle<Device>(deviceHandle));
  // The device is not one that the semaphore is for.
  if (!semaphore->isFor(*device))
    return Status::error(CL_INVALID_DEVICE, "the semaphore is not for this device");
  // The type was not named when the semaphore was created.
  if (semaphore->creation().exportable != type)
    return Status::error(CL_INVALID_VALUE,
                         sentence("the semaphore was not created to be exported as ", type));
  int number = -1;
  const auto answerWith = [&number](const InfoRequest& to) {
    InfoValue value;
    value.put(number);
    return answer(value, to);
  };
  // A handle that cannot be returned must not be made.
  if (!request.value || request.valueSize < sizeof(number))
    return answerWith(request);
  QUERN_ASSIGN(FileDescriptor exported, semaphore->exportHandle());
  number = exported.release();
  return answerWith(request);
}

Status reImportSemaphoreSyncFd(cl_semaphore_khr handle, const cl_properties* properties, int file) {
  QUERN_ASSIGN(Semaphore * semaphore, fromHandle<Semaphore>(handle));
  // No sync file was imported when it was created.
  const auto& imported = semaphore->creation().imported;
  if (!imported || imported->type != CL_SEMAPHORE_HANDLE_SYNC_FD_KHR)
    return Status::error(CL_INVALID_SEMAPHORE_KHR,
                         "the semaphore was not created from a sync file");
  // There are no properties.
  if (properties && *properties != 0)
    return Status::error(CL_INVALID_VALUE,
                         sentence("property ", *properties, " is not one of a re-import"));
  return semaphore->importAgain(file);
}

} // namespace quern::api
