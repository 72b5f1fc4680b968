#include "icd/entry.h"
#include "icd/functions.h"

#include "api/image_commands.h"

namespace quern::icd {

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image,
                                      cl_bool blocking_read, const size_t* origin,
                                      const size_t* region, size_t row_pitch, size_t slice_pitch,
                                      void* ptr, cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueReadImage", command_queue}, event, [&] {
    return api::enqueueReadImage(command_queue, image, blocking_read, origin, region,
                                 {row_pitch, slice_pitch, static_cast<std::byte*>(ptr)},
                                 {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image,
                                       cl_bool blocking_write, const size_t* origin,
                                       const size_t* region, size_t input_row_pitch,
                                       size_t input_slice_pitch, const void* ptr,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  auto* data = static_cast<std::byte*>(const_cast<void*>(ptr));
  return enqueue({"clEnqueueWriteImage", command_queue}, event, [&] {
    return api::enqueueWriteImage(command_queue, image, blocking_write, origin, region,
                                  {input_row_pitch, input_slice_pitch, data},
                                  {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                      cl_mem dst_image, const size_t* src_origin,
                                      const size_t* dst_origin, const size_t* region,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueCopyImage", command_queue}, event, [&] {
    return api::enqueueCopyImage(command_queue, src_image, dst_image, src_origin, dst_origin,
                                 region, {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                      const void* fill_color, const size_t* origin,
                                      const size_t* region, cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueFillImage", command_queue}, event, [&] {
    return api::enqueueFillImage(command_queue, image, fill_color, origin, region,
                                 {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                              cl_mem dst_buffer, const size_t* src_origin,
                                              const size_t* region, size_t dst_offset,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueCopyImageToBuffer", command_queue}, event, [&] {
    return api::enqueueCopyImageToBuffer(command_queue, src_image, dst_buffer, src_origin, region,
                                         dst_offset, {num_events_in_wait_list, event_wait_list});
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                              cl_mem dst_image, size_t src_offset,
                                              const size_t* dst_origin, const size_t* region,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueCopyBufferToImage", command_queue}, event, [&] {
    return api::enqueueCopyBufferToImage(command_queue, src_buffer, dst_image, src_offset,
                                         dst_origin, region,
                                         {num_events_in_wait_list, event_wait_list});
  });
}

void* CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image,
                                    cl_bool blocking_map, cl_map_flags map_flags,
                                    const size_t* origin, const size_t* region,
                                    size_t* image_row_pitch, size_t* image_slice_pitch,
                                    cl_uint num_events_in_wait_list,
                                    const cl_event* event_wait_list, cl_event* event,
                                    cl_int* errcode_ret) {
  void* pointer = nullptr;
  const cl_int code =
      enqueue({"clEnqueueMapImage", command_queue}, event, [&]() -> Result<api::Command> {
        QUERN_ASSIGN(api::MappedCommand mapped,
                     api::enqueueMapImage(command_queue, image, blocking_map, map_flags, origin,
                                          region, image_row_pitch, image_slice_pitch,
                                          {num_events_in_wait_list, event_wait_list}));
        pointer = mapped.pointer;
        return std::move(mapped.command);
      });
  if (errcode_ret)
    *errcode_ret = code;
  return pointer;
}

} // namespace quern::icd
