#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

/// Declares the functions of extension_functions.def.
namespace quern::icd {

// cl_khr_icd
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                          cl_uint* num_platforms);
void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                        const char* func_name);
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data);

// cl_khr_create_command_queue
cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr* properties,
    cl_int* errcode_ret);

// cl_khr_suggested_local_work_size
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue,
                                                        cl_kernel kernel, cl_uint work_dim,
                                                        const size_t* global_work_offset,
                                                        const size_t* global_work_size,
                                                        size_t* suggested_local_work_size);

} // namespace quern::icd
