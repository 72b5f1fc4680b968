#include "icd/entry.h"
#include "icd/functions.h"

#include "api/kernel.h"
#include "api/svm.h"

namespace quern::icd {

void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                             cl_uint alignment) {
  void* pointer = nullptr;
  run({"clSVMAlloc", context}, [&]() -> Status {
    QUERN_ASSIGN(pointer, api::svmAlloc(context, flags, size, alignment));
    return {};
  });
  return pointer;
}

void CL_API_CALL clSVMFree(cl_context context, void* svm_pointer) {
  run({"clSVMFree", context}, [&] { return api::svmFree(context, svm_pointer); });
}

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                    void* svm_pointers[], api::SvmFreeFunction pfn_free_func,
                                    void* user_data, cl_uint num_events_in_wait_list,
                                    const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueSVMFree", command_queue}, event, [&] {
    return api::enqueueSvmFree(command_queue, num_svm_pointers, svm_pointers, pfn_free_func,
                               user_data, {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy,
                                      void* dst_ptr, const void* src_ptr, size_t size,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueSVMMemcpy", command_queue}, event, [&] {
    return api::enqueueMemcpy(command_queue, blocking_copy, {dst_ptr, src_ptr, size},
                              {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void* svm_ptr,
                                       const void* pattern, size_t pattern_size, size_t size,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueSVMMemFill", command_queue}, event, [&] {
    return api::enqueueMemFill(command_queue, {svm_ptr, pattern, pattern_size, size},
                               {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map,
                                   cl_map_flags flags, void* svm_ptr, size_t size,
                                   cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                   cl_event* event) {
  return enqueue({"clEnqueueSVMMap", command_queue}, event, [&] {
    return api::enqueueSvmMap(command_queue, blocking_map, flags, svm_ptr, size,
                              {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void* svm_ptr,
                                     cl_uint num_events_in_wait_list,
                                     const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueSVMUnmap", command_queue}, event, [&] {
    return api::enqueueSvmUnmap(command_queue, svm_ptr, {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                          const void** svm_pointers, const size_t* sizes,
                                          cl_mem_migration_flags flags,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueSVMMigrateMem", command_queue}, event, [&] {
    return api::enqueueSvmMigrateMem(command_queue, num_svm_pointers, svm_pointers, sizes, flags,
                                     {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                            const void* arg_value) {
  return run({"clSetKernelArgSVMPointer", kernel},
             [&] { return api::setKernelArgSvmPointer(kernel, arg_index, arg_value); });
}

} // namespace quern::icd
