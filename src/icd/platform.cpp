#include "icd/entry.h"
#include "icd/functions.h"

#include "api/device.h"
#include "api/platform.h"

namespace quern::icd {

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms,
                                    cl_uint* num_platforms) {
  return run({"clGetPlatformIDs"},
             [&] { return api::getPlatformIds(num_entries, platforms, num_platforms); });
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                     size_t param_value_size, void* param_value,
                                     size_t* param_value_size_ret) {
  return run({"clGetPlatformInfo"}, [&] {
    return api::getPlatformInfo(platform, param_name,
                                {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
  return run({"clUnloadPlatformCompiler"}, [&] { return api::unloadPlatformCompiler(platform); });
}

cl_int CL_API_CALL clUnloadCompiler() {
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
                                  cl_uint num_entries, cl_device_id* devices,
                                  cl_uint* num_devices) {
  return run({"clGetDeviceIDs"}, [&] {
    return api::getDeviceIds(platform, device_type, num_entries, devices, num_devices);
  });
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name,
                                   size_t param_value_size, void* param_value,
                                   size_t* param_value_size_ret) {
  return run({"clGetDeviceInfo"}, [&] {
    return api::getDeviceInfo(device, param_name,
                              {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device,
                                      const cl_device_partition_property* properties,
                                      cl_uint num_devices, cl_device_id* out_devices,
                                      cl_uint* num_devices_ret) {
  return run({"clCreateSubDevices"}, [&] {
    return api::createSubDevices(in_device, properties, num_devices, out_devices, num_devices_ret);
  });
}

cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  return run({"clRetainDevice"}, [&] { return api::retainDevice(device); });
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  return run({"clReleaseDevice"}, [&] { return api::releaseDevice(device); });
}

cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_timestamp,
                                           cl_ulong* host_timestamp) {
  return run({"clGetDeviceAndHostTimer"},
             [&] { return api::getDeviceAndHostTimer(device, device_timestamp, host_timestamp); });
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong* host_timestamp) {
  return run({"clGetHostTimer"}, [&] { return api::getHostTimer(device, host_timestamp); });
}

} // namespace quern::icd
