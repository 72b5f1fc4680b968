#include "api/platform.h"

#include "api/external_memory.h"
#include "api/handle.h"
#include "api/newer_constants.h"
#include "api/semaphore.h"
#include "api/svm_types.h"
#include "runtime/extensions.h"
#include "runtime/platform.h"

namespace quern::api {

namespace {

using runtime::Platform;

constexpr InfoRow<Platform> platformRows[] = {
    {CL_PLATFORM_PROFILE,
     [](const Platform&, InfoValue& value) { value.putString("FULL_PROFILE"); }},
    {CL_PLATFORM_VERSION,
     [](const Platform&, InfoValue& value) { value.putString(versionString()); }},
    {CL_PLATFORM_NUMERIC_VERSION,
     [](const Platform&, InfoValue& value) { value.put(openclVersion); }},
    {CL_PLATFORM_NAME,
     [](const Platform&, InfoValue& value) { value.putString(runtime::platformName); }},
    {CL_PLATFORM_VENDOR,
     [](const Platform&, InfoValue& value) { value.putString(runtime::platformVendor); }},
    {CL_PLATFORM_EXTENSIONS,
     [](const Platform&, InfoValue& value) {
       value.putString(runtime::joinNames(runtime::platformExtensions()));
     }},
    {CL_PLATFORM_EXTENSIONS_WITH_VERSION,
     [](const Platform&, InfoValue& value) { value.putArray(runtime::platformExtensions()); }},
    // In nanoseconds: the host timer is CLOCK_MONOTONIC.
    {CL_PLATFORM_HOST_TIMER_RESOLUTION,
     [](const Platform&, InfoValue& value) { value.put<cl_ulong>(1); }},
    {CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
     [](const Platform&, InfoValue& value) { value.putArray(memoryHandleTypes()); }},
    {CL_PLATFORM_SEMAPHORE_TYPES_KHR,
     [](const Platform&, InfoValue& value) {
       value.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR);
     }},
    {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
     [](const Platform&, InfoValue& value) { value.put(semaphoreHandleTypes); }},
    {CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
     [](const Platform&, InfoValue& value) { value.put(semaphoreHandleTypes); }},
    {platformCommandBufferCapabilities,
     [](const Platform&, InfoValue& value) {
       value.put<cl_bitfield>(commandBufferUniversalSync | commandBufferRemapQueues |
                              commandBufferAutomaticRemap);
     }},
    {platformSvmTypeCapabilities,
     [](const Platform& platform, InfoValue& value) {
       value.putArray(platformSvmTypes(platform.devices()));
     }},
    {CL_PLATFORM_ICD_SUFFIX_KHR,
     [](const Platform&, InfoValue& value) { value.putString(runtime::icdSuffix); }},
};

} // namespace

std::string_view versionString() {
  return "OpenCL 3.1 Quern " QUERN_VERSION;
}

Status getPlatformIds(cl_uint entryCount, cl_platform_id* platforms, cl_uint* platformCount) {
  // num_entries is zero and platforms is not NULL.
  if (entryCount == 0 && platforms)
    return Status::error(CL_INVALID_VALUE, "num_entries is 0 but platforms is given");
  // Both num_platforms and platforms are NULL.
  if (!platformCount && !platforms)
    return Status::error(CL_INVALID_VALUE, "platforms and num_platforms are both NULL");
  if (platforms)
    platforms[0] = toHandle(&Platform::get());
  if (platformCount)
    *platformCount = 1;
  return {};
}

Status getPlatformInfo(cl_platform_id platform, cl_platform_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const Platform* object, fromHandle<Platform>(platform));
  return query(std::span<const InfoRow<Platform>>(platformRows), "platform", *object, name,
               request);
}

Status unloadPlatformCompiler(cl_platform_id platform) {
  // A hint only: the compiler library stays, other threads may be using it.
  return checkPlatform(platform);
}

Status setPlatformDispatchData(cl_platform_id platform, void* data) {
  QUERN_ASSIGN(Platform * object, fromHandle<Platform>(platform));
  runtime::setLoaderData(data);
  object->header()->loaderData = data;
  return {};
}

Status checkPlatform(cl_platform_id platform) {
  return fromHandle<Platform>(platform).takeStatus();
}

} // namespace quern::api
