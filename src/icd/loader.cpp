#include "icd/dispatch.h"
#include "icd/entry.h"
#include "icd/extension_functions.h"
#include "icd/functions.h"

#include "api/platform.h"

/// What a loader talks to directly, before it knows the dispatch table: the only functions that
/// libquern.so exports.
namespace quern::icd {

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                          cl_uint* num_platforms) {
  installDispatchTable();
  return icd::clGetPlatformIDs(num_entries, platforms, num_platforms);
}

void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                        const char* func_name) {
  return api::checkPlatform(platform).ok() ? anyFunction(func_name) : nullptr;
}

cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data) {
  return run({"clIcdSetPlatformDispatchDataKHR"},
             [&] { return api::setPlatformDispatchData(platform, dispatch_data); });
}

void* CL_API_CALL clGetExtensionFunctionAddress(const char* func_name) {
  return extensionFunction(func_name);
}

void* CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                           const char* func_name) {
  return api::checkPlatform(platform).ok() ? extensionFunction(func_name) : nullptr;
}

} // namespace quern::icd

#define QUERN_EXPORT extern "C" __attribute__((visibility("default")))

QUERN_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries,
                                                       cl_platform_id* platforms,
                                                       cl_uint* num_platforms) {
  return quern::icd::clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

QUERN_EXPORT void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                                     const char* func_name) {
  return quern::icd::clIcdGetFunctionAddressForPlatformKHR(platform, func_name);
}

QUERN_EXPORT cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform,
                                                                void* dispatch_data) {
  return quern::icd::clIcdSetPlatformDispatchDataKHR(platform, dispatch_data);
}

QUERN_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* func_name) {
  return quern::icd::clGetExtensionFunctionAddress(func_name);
}

QUERN_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform,
                                                  cl_platform_info param_name,
                                                  size_t param_value_size, void* param_value,
                                                  size_t* param_value_size_ret) {
  return quern::icd::clGetPlatformInfo(platform, param_name, param_value_size, param_value,
                                       param_value_size_ret);
}
