#include "icd/entry.h"
#include "icd/functions.h"

#include "api/buffer_commands.h"
#include "api/commands.h"
#include "api/rect_commands.h"

namespace quern::icd {

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer,
                                       cl_bool blocking_read, size_t offset, size_t size, void* ptr,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueReadBuffer", command_queue}, event, [&] {
    return api::enqueueReadBuffer(command_queue, buffer, blocking_read, offset, size, ptr,
                                  {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
                                        cl_bool blocking_write, size_t offset, size_t size,
                                        const void* ptr, cl_uint num_events_in_wait_list,
                                        const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueWriteBuffer", command_queue}, event, [&] {
    return api::enqueueWriteBuffer(command_queue, buffer, blocking_write, offset, size, ptr,
                                   {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer,
                                       cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                       size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueCopyBuffer", command_queue}, event, [&] {
    return api::enqueueCopyBuffer(command_queue, src_buffer, dst_buffer, src_offset, dst_offset,
                                  size,
                                  {num_events_in_wait_list, event_wait_list, event != nullptr});
  });
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer,
                                       const void* pattern, size_t pattern_size, size_t offset,
                                       size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueFillBuffer", command_queue}, event, [&] {
    return api::enqueueFillBuffer(command_queue, buffer, pattern, pattern_size, offset, size,
                                  {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                           cl_bool blocking_read, const size_t* buffer_origin,
                                           const size_t* host_origin, const size_t* region,
                                           size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                           size_t host_row_pitch, size_t host_slice_pitch,
                                           void* ptr, cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueReadBufferRect", command_queue}, event, [&] {
    return api::enqueueReadBufferRect(command_queue, buffer, blocking_read,
                                      {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                                      {host_origin, host_row_pitch, host_slice_pitch}, region, ptr,
                                      {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                            cl_bool blocking_write, const size_t* buffer_origin,
                                            const size_t* host_origin, const size_t* region,
                                            size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                            size_t host_row_pitch, size_t host_slice_pitch,
                                            const void* ptr, cl_uint num_events_in_wait_list,
                                            const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueWriteBufferRect", command_queue}, event, [&] {
    return api::enqueueWriteBufferRect(command_queue, buffer, blocking_write,
                                       {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                                       {host_origin, host_row_pitch, host_slice_pitch}, region, ptr,
                                       {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer,
                                           cl_mem dst_buffer, const size_t* src_origin,
                                           const size_t* dst_origin, const size_t* region,
                                           size_t src_row_pitch, size_t src_slice_pitch,
                                           size_t dst_row_pitch, size_t dst_slice_pitch,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueCopyBufferRect", command_queue}, event, [&] {
    return api::enqueueCopyBufferRect(command_queue, src_buffer, dst_buffer,
                                      {src_origin, src_row_pitch, src_slice_pitch},
                                      {dst_origin, dst_row_pitch, dst_slice_pitch}, region,
                                      {num_events_in_wait_list, event_wait_list});
  });
}

void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer,
                                     cl_bool blocking_map, cl_map_flags map_flags, size_t offset,
                                     size_t size, cl_uint num_events_in_wait_list,
                                     const cl_event* event_wait_list, cl_event* event,
                                     cl_int* errcode_ret) {
  void* pointer = nullptr;
  const cl_int code =
      enqueue({"clEnqueueMapBuffer", command_queue}, event, [&]() -> Result<api::Command> {
        QUERN_ASSIGN(api::MappedCommand mapped,
                     api::enqueueMapBuffer(command_queue, buffer, blocking_map, map_flags, offset,
                                           size, {num_events_in_wait_list, event_wait_list}));
        pointer = mapped.pointer;
        return std::move(mapped.command);
      });
  if (errcode_ret)
    *errcode_ret = code;
  return pointer;
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj,
                                           void* mapped_ptr, cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueUnmapMemObject", command_queue}, event, [&] {
    return api::enqueueUnmapMemObject(command_queue, memobj, mapped_ptr,
                                      {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue command_queue,
                                              cl_uint num_mem_objects, const cl_mem* mem_objects,
                                              cl_mem_migration_flags flags,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueMigrateMemObjects", command_queue}, event, [&] {
    return api::enqueueMigrateMemObjects(command_queue, num_mem_objects, mem_objects, flags,
                                         {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue command_queue,
                                         void(CL_CALLBACK* user_func)(void*), void* args,
                                         size_t cb_args, cl_uint num_mem_objects,
                                         const cl_mem* mem_list, const void** args_mem_loc,
                                         cl_uint num_events_in_wait_list,
                                         const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueNativeKernel", command_queue}, event, [&] {
    return api::enqueueNativeKernel(
        command_queue, {user_func, args, cb_args, num_mem_objects, mem_list, args_mem_loc},
        {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueMarkerWithWaitList", command_queue}, event, [&] {
    return api::enqueueMarker(command_queue, {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueBarrierWithWaitList", command_queue}, event, [&] {
    return api::enqueueBarrier(command_queue, {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue, cl_event* event) {
  return enqueue({"clEnqueueMarker", command_queue}, event,
                 [&] { return api::enqueueMarkerWithEvent(command_queue, event); });
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue) {
  return enqueue({"clEnqueueBarrier", command_queue}, nullptr,
                 [&] { return api::enqueueBarrier(command_queue, {}); });
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                                          const cl_event* event_list) {
  return run({"clEnqueueWaitForEvents", command_queue},
             [&] { return api::enqueueWaitForEvents(command_queue, {num_events, event_list}); });
}

} // namespace quern::icd
