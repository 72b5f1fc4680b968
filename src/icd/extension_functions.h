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

// cl_khr_semaphore
cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr* sema_props, cl_int* errcode_ret);
cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue,
                                              cl_uint num_sema_objects,
                                              const cl_semaphore_khr* sema_objects,
                                              const cl_semaphore_payload_khr* sema_payload_list,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue,
                                                cl_uint num_sema_objects,
                                                const cl_semaphore_khr* sema_objects,
                                                const cl_semaphore_payload_khr* sema_payload_list,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object,
                                         cl_semaphore_info_khr param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret);
cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object);
cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object);

// cl_khr_external_semaphore
cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                                  cl_external_semaphore_handle_type_khr handle_type,
                                                  size_t handle_size, void* handle_ptr,
                                                  size_t* handle_size_ret);

// cl_khr_external_semaphore_sync_fd
cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(cl_semaphore_khr sema_object,
                                                cl_properties* reimport_props, int fd);

} // namespace quern::icd
