#include "icd/entry.h"
#include "icd/extension_functions.h"

#include "api/kernel.h"
#include "api/svm.h"
#include "api/svm_types.h"
#include "api/unified_memory.h"

namespace quern::icd {

namespace {

/// Runs a `body` that returns Result<void*>.
template <typename Body> void* allocate(const Call& call, cl_int* errcode, Body&& body) noexcept {
  void* pointer = nullptr;
  const cl_int code = run(call, [&]() -> Status {
    QUERN_ASSIGN(pointer, body());
    return {};
  });
  if (errcode)
    *errcode = code;
  return pointer;
}

} // namespace

void* CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel* properties,
                                      size_t size, cl_uint alignment, cl_int* errcode_ret) {
  return allocate({"clHostMemAllocINTEL", context}, errcode_ret,
                  [&] { return api::hostMemAlloc(context, properties, size, alignment); });
}

void* CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel* properties, size_t size,
                                        cl_uint alignment, cl_int* errcode_ret) {
  return allocate({"clDeviceMemAllocINTEL", context}, errcode_ret, [&] {
    return api::deviceMemAlloc(context, device, properties, size, alignment);
  });
}

void* CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel* properties, size_t size,
                                        cl_uint alignment, cl_int* errcode_ret) {
  return allocate({"clSharedMemAllocINTEL", context}, errcode_ret, [&] {
    return api::sharedMemAlloc(context, device, properties, size, alignment);
  });
}

cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void* ptr) {
  return run({"clMemFreeINTEL", context}, [&] { return api::memFree(context, ptr); });
}

cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void* ptr) {
  return run({"clMemBlockingFreeINTEL", context},
             [&] { return api::memBlockingFree(context, ptr); });
}

cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void* ptr,
                                          cl_mem_info_intel param_name, size_t param_value_size,
                                          void* param_value, size_t* param_value_size_ret) {
  return run({"clGetMemAllocInfoINTEL", context}, [&] {
    return api::getMemAllocInfo(context, ptr, param_name,
                                {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                 const void* arg_value) {
  return run({"clSetKernelArgMemPointerINTEL", kernel},
             [&] { return api::setKernelArgMemPointer(kernel, arg_index, arg_value); });
}

cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                  cl_ulong arg_value) {
  return run({"clSetKernelArgDevicePointerEXT", kernel},
             [&] { return api::setKernelArgDevicePointer(kernel, arg_index, arg_value); });
}

cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void* dst_ptr,
                                         const void* pattern, size_t pattern_size, size_t size,
                                         cl_uint num_events_in_wait_list,
                                         const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueMemFillINTEL", command_queue}, event, [&] {
    return api::enqueueMemFill(command_queue,
                               {dst_ptr, pattern, pattern_size, size, CL_COMMAND_MEMFILL_INTEL},
                               {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking,
                                        void* dst_ptr, const void* src_ptr, size_t size,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueMemcpyINTEL", command_queue}, event, [&] {
    return api::enqueueMemcpy(command_queue, blocking,
                              {dst_ptr, src_ptr, size, CL_COMMAND_MEMCPY_INTEL},
                              {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void* ptr, size_t,
                                            cl_mem_migration_flags flags,
                                            cl_uint num_events_in_wait_list,
                                            const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueMigrateMemINTEL", command_queue}, event, [&] {
    return api::enqueueMigrateMem(command_queue, ptr, flags,
                                  {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void* ptr, size_t,
                                           cl_mem_advice_intel advice,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueMemAdviseINTEL", command_queue}, event, [&] {
    return api::enqueueMemAdvise(command_queue, ptr, advice,
                                 {num_events_in_wait_list, event_wait_list});
  });
}

void* CL_API_CALL clSVMAllocWithPropertiesKHR(cl_context context, const cl_properties* properties,
                                              cl_uint svm_type_index, size_t size,
                                              cl_int* errcode_ret) {
  return allocate({"clSVMAllocWithPropertiesKHR", context}, errcode_ret, [&] {
    return api::svmAllocWithProperties(context, properties, svm_type_index, size);
  });
}

cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(cl_context context, const cl_properties* properties,
                                              cl_bitfield flags, void* ptr) {
  return run({"clSVMFreeWithPropertiesKHR", context},
             [&] { return api::svmFreeWithProperties(context, properties, flags, ptr); });
}

cl_int CL_API_CALL clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void* ptr,
                                          cl_uint param_name, size_t param_value_size,
                                          void* param_value, size_t* param_value_size_ret) {
  return run({"clGetSVMPointerInfoKHR", context}, [&] {
    return api::getSvmPointerInfo(context, device, ptr, param_name,
                                  {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context,
                                                 cl_bitfield required_capabilities,
                                                 cl_bitfield desired_capabilities,
                                                 const cl_properties* properties, size_t,
                                                 cl_uint* suggested_svm_type_index) {
  return run({"clGetSVMSuggestedTypeIndexKHR", context}, [&]() -> Status {
    QUERN_ASSIGN(const cl_uint index,
                 api::getSvmSuggestedTypeIndex(context, required_capabilities, desired_capabilities,
                                               properties));
    // Nowhere to put it.
    if (!suggested_svm_type_index)
      return Status::error(CL_INVALID_VALUE, "suggested_svm_type_index is NULL");
    *suggested_svm_type_index = index;
    return {};
  });
}

} // namespace quern::icd
