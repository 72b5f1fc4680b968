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

// OpenCL 3.1, for programs whose loader does not have it yet
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue,
                                                     cl_kernel kernel, cl_uint work_dim,
                                                     const size_t* global_work_offset,
                                                     const size_t* global_work_size,
                                                     size_t* suggested_local_work_size);

// cl_khr_il_program
cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context, const void* il, size_t length,
                                                cl_int* errcode_ret);

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
// cl_khr_command_buffer. The types of its properties have other names in older headers.
cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues,
                                                           const cl_command_queue* queues,
                                                           const cl_properties* properties,
                                                           cl_int* errcode_ret);
cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             cl_command_buffer_khr command_buffer,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer,
                                                   cl_command_queue command_queue,
                                                   const cl_properties* properties,
                                                   cl_uint num_sync_points_in_wait_list,
                                                   const cl_sync_point_khr* sync_point_wait_list,
                                                   cl_sync_point_khr* sync_point,
                                                   cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_queue command_queue,
                                          const cl_properties* properties, cl_mem src_buffer,
                                          cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, cl_uint num_sync_points_in_wait_list,
                                          const cl_sync_point_khr* sync_point_wait_list,
                                          cl_sync_point_khr* sync_point,
                                          cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_mem src_buffer, cl_mem dst_buffer, const size_t* src_origin,
    const size_t* dst_origin, const size_t* region, size_t src_row_pitch, size_t src_slice_pitch,
    size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
    cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandCopyBufferToImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t* dst_origin, const size_t* region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
    cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandCopyImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_mem src_image, cl_mem dst_image, const size_t* src_origin,
    const size_t* dst_origin, const size_t* region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
    cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandCopyImageToBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_mem src_image, cl_mem dst_buffer, const size_t* src_origin,
    const size_t* region, size_t dst_offset, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
    cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_queue command_queue,
                                          const cl_properties* properties, cl_mem buffer,
                                          const void* pattern, size_t pattern_size, size_t offset,
                                          size_t size, cl_uint num_sync_points_in_wait_list,
                                          const cl_sync_point_khr* sync_point_wait_list,
                                          cl_sync_point_khr* sync_point,
                                          cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandFillImageKHR(cl_command_buffer_khr command_buffer,
                                         cl_command_queue command_queue,
                                         const cl_properties* properties, cl_mem image,
                                         const void* fill_color, const size_t* origin,
                                         const size_t* region, cl_uint num_sync_points_in_wait_list,
                                         const cl_sync_point_khr* sync_point_wait_list,
                                         cl_sync_point_khr* sync_point,
                                         cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandSVMMemcpyKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, void* dst_ptr, const void* src_ptr, size_t size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list,
    cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandSVMMemFillKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_queue command_queue,
                                          const cl_properties* properties, void* svm_ptr,
                                          const void* pattern, size_t pattern_size, size_t size,
                                          cl_uint num_sync_points_in_wait_list,
                                          const cl_sync_point_khr* sync_point_wait_list,
                                          cl_sync_point_khr* sync_point,
                                          cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_kernel kernel, cl_uint work_dim,
    const size_t* global_work_offset, const size_t* global_work_size, const size_t* local_work_size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list,
    cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle);
cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                             cl_command_buffer_info_khr param_name,
                                             size_t param_value_size, void* param_value,
                                             size_t* param_value_size_ret);

// cl_khr_command_buffer_multi_device
cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(
    cl_command_buffer_khr command_buffer, cl_bool automatic, cl_uint num_queues,
    const cl_command_queue* queues, cl_uint num_handles, const cl_mutable_command_khr* handles,
    cl_mutable_command_khr* handles_ret, cl_int* errcode_ret);

// cl_khr_command_buffer_mutable_dispatch
cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer,
                                              cl_uint num_configs, const cl_uint* config_types,
                                              const void** configs);
cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
                                              cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret);

// cl_arm_import_memory
cl_mem CL_API_CALL clImportMemoryARM(cl_context context, cl_mem_flags flags,
                                     const cl_import_properties_arm* properties, void* memory,
                                     size_t size, cl_int* errcode_ret);

// cl_khr_external_memory
cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event);

// cl_intel_unified_shared_memory
void* CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel* properties,
                                      size_t size, cl_uint alignment, cl_int* errcode_ret);
void* CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel* properties, size_t size,
                                        cl_uint alignment, cl_int* errcode_ret);
void* CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel* properties, size_t size,
                                        cl_uint alignment, cl_int* errcode_ret);
cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void* ptr);
cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void* ptr);
cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void* ptr,
                                          cl_mem_info_intel param_name, size_t param_value_size,
                                          void* param_value, size_t* param_value_size_ret);
cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                 const void* arg_value);
cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void* dst_ptr,
                                         const void* pattern, size_t pattern_size, size_t size,
                                         cl_uint num_events_in_wait_list,
                                         const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking,
                                        void* dst_ptr, const void* src_ptr, size_t size,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void* ptr,
                                            size_t size, cl_mem_migration_flags flags,
                                            cl_uint num_events_in_wait_list,
                                            const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void* ptr,
                                           size_t size, cl_mem_advice_intel advice,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event);

// cl_ext_buffer_device_address
cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                  cl_ulong arg_value);

// cl_khr_unified_svm
void* CL_API_CALL clSVMAllocWithPropertiesKHR(cl_context context, const cl_properties* properties,
                                              cl_uint svm_type_index, size_t size,
                                              cl_int* errcode_ret);
cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(cl_context context, const cl_properties* properties,
                                              cl_bitfield flags, void* ptr);
cl_int CL_API_CALL clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void* ptr,
                                          cl_uint param_name, size_t param_value_size,
                                          void* param_value, size_t* param_value_size_ret);
cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context,
                                                 cl_bitfield required_capabilities,
                                                 cl_bitfield desired_capabilities,
                                                 const cl_properties* properties, size_t size,
                                                 cl_uint* suggested_svm_type_index);

} // namespace quern::icd
