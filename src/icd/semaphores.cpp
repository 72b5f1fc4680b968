#include "icd/entry.h"
#include "icd/extension_functions.h"

#include "api/semaphore.h"
#include "api/semaphore_commands.h"

namespace quern::icd {

using runtime::Semaphore;

cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr* sema_props, cl_int* errcode_ret) {
  return create({"clCreateSemaphoreWithPropertiesKHR", context}, errcode_ret,
                [&] { return api::createSemaphoreWithProperties(context, sema_props); });
}

cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue,
                                              cl_uint num_sema_objects,
                                              const cl_semaphore_khr* sema_objects,
                                              const cl_semaphore_payload_khr*,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueWaitSemaphoresKHR", command_queue}, event, [&] {
    return api::enqueueWaitSemaphores(command_queue, {num_sema_objects, sema_objects},
                                      {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue,
                                                cl_uint num_sema_objects,
                                                const cl_semaphore_khr* sema_objects,
                                                const cl_semaphore_payload_khr*,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueSignalSemaphoresKHR", command_queue}, event, [&] {
    return api::enqueueSignalSemaphores(command_queue, {num_sema_objects, sema_objects},
                                        {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object,
                                         cl_semaphore_info_khr param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return run({"clGetSemaphoreInfoKHR", sema_object}, [&] {
    return api::getSemaphoreInfo(sema_object, param_name,
                                 {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object) {
  return run({"clRetainSemaphoreKHR"}, [&] { return api::retain<Semaphore>(sema_object); });
}

cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object) {
  return run({"clReleaseSemaphoreKHR"}, [&] { return api::release<Semaphore>(sema_object); });
}

cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                                  cl_external_semaphore_handle_type_khr handle_type,
                                                  size_t handle_size, void* handle_ptr,
                                                  size_t* handle_size_ret) {
  return run({"clGetSemaphoreHandleForTypeKHR", sema_object}, [&] {
    return api::getSemaphoreHandle(sema_object, device, handle_type,
                                   {handle_size, handle_ptr, handle_size_ret});
  });
}

cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(cl_semaphore_khr sema_object,
                                                cl_properties* reimport_props, int fd) {
  return run({"clReImportSemaphoreSyncFdKHR", sema_object},
             [&] { return api::reImportSemaphoreSyncFd(sema_object, reimport_props, fd); });
}

} // namespace quern::icd
