#include "icd/entry.h"
#include "icd/extension_functions.h"

#include "api/arm_import.h"
#include "api/external_memory.h"

namespace quern::icd {

cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueAcquireExternalMemObjectsKHR", command_queue}, event, [&] {
    return api::enqueueAcquireExternal(command_queue, num_mem_objects, mem_objects,
                                       {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueReleaseExternalMemObjectsKHR", command_queue}, event, [&] {
    return api::enqueueReleaseExternal(command_queue, num_mem_objects, mem_objects,
                                       {num_events_in_wait_list, event_wait_list});
  });
}

cl_mem CL_API_CALL clImportMemoryARM(cl_context context, cl_mem_flags flags,
                                     const cl_import_properties_arm* properties, void* memory,
                                     size_t size, cl_int* errcode_ret) {
  return create({"clImportMemoryARM", context}, errcode_ret,
                [&] { return api::importMemoryArm(context, flags, properties, memory, size); });
}

} // namespace quern::icd
