#include "icd/entry.h"
#include "icd/extension_functions.h"

#include "api/buffer_commands.h"
#include "api/command_buffer.h"
#include "api/command_buffer_recording.h"
#include "api/image_commands.h"
#include "api/rect_commands.h"
#include "api/svm.h"

namespace quern::icd {

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues,
                                                           const cl_command_queue* queues,
                                                           const cl_properties* properties,
                                                           cl_int* errcode_ret) {
  const void* const subject = queues && num_queues != 0 ? *queues : nullptr;
  return create({"clCreateCommandBufferKHR", subject}, errcode_ret,
                [&] { return api::createCommandBuffer(num_queues, queues, properties); });
}

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return run({"clFinalizeCommandBufferKHR", command_buffer},
             [&] { return api::finalizeCommandBuffer(command_buffer); });
}

cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return run({"clRetainCommandBufferKHR", command_buffer},
             [&] { return api::retain<runtime::CommandBuffer>(command_buffer); });
}

cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return run({"clReleaseCommandBufferKHR", command_buffer},
             [&] { return api::release<runtime::CommandBuffer>(command_buffer); });
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             cl_command_buffer_khr command_buffer,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueCommandBufferKHR", command_buffer}, event, [&] {
    return api::enqueueCommandBuffer(num_queues, queues, command_buffer,
                                     {num_events_in_wait_list, event_wait_list, event != nullptr});
  });
}

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer,
                                                   cl_command_queue command_queue,
                                                   const cl_properties* properties,
                                                   cl_uint num_sync_points_in_wait_list,
                                                   const cl_sync_point_khr* sync_point_wait_list,
                                                   cl_sync_point_khr* sync_point,
                                                   cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandBarrierWithWaitListKHR", command_buffer}, [&] {
    return api::recordBarrier({command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list, sync_point_wait_list, sync_point,
                               mutable_handle});
  });
}

cl_int CL_API_CALL clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_queue command_queue,
                                          const cl_properties* properties, cl_mem src_buffer,
                                          cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, cl_uint num_sync_points_in_wait_list,
                                          const cl_sync_point_khr* sync_point_wait_list,
                                          cl_sync_point_khr* sync_point,
                                          cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandCopyBufferKHR", command_buffer}, [&] {
    return api::recordCommand(
        {command_buffer, command_queue, properties, num_sync_points_in_wait_list,
         sync_point_wait_list, sync_point, mutable_handle},
        [&](auto& queue) {
          return api::recordCopyBuffer(queue, src_buffer, dst_buffer, src_offset, dst_offset, size);
        });
  });
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_mem src_buffer, cl_mem dst_buffer, const size_t* src_origin,
    const size_t* dst_origin, const size_t* region, size_t src_row_pitch, size_t src_slice_pitch,
    size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
    cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandCopyBufferRectKHR", command_buffer}, [&] {
    return api::recordCommand(
        {command_buffer, command_queue, properties, num_sync_points_in_wait_list,
         sync_point_wait_list, sync_point, mutable_handle},
        [&](auto& queue) {
          return api::recordCopyBufferRect(queue, src_buffer, dst_buffer,
                                           {src_origin, src_row_pitch, src_slice_pitch},
                                           {dst_origin, dst_row_pitch, dst_slice_pitch}, region);
        });
  });
}

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t* dst_origin, const size_t* region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
    cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandCopyBufferToImageKHR", command_buffer}, [&] {
    return api::recordCommand({command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list, sync_point_wait_list, sync_point,
                               mutable_handle},
                              [&](auto& queue) {
                                return api::recordCopyBufferToImage(queue, src_buffer, dst_image,
                                                                    src_offset, dst_origin, region);
                              });
  });
}

cl_int CL_API_CALL clCommandCopyImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_mem src_image, cl_mem dst_image, const size_t* src_origin,
    const size_t* dst_origin, const size_t* region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
    cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandCopyImageKHR", command_buffer}, [&] {
    return api::recordCommand(
        {command_buffer, command_queue, properties, num_sync_points_in_wait_list,
         sync_point_wait_list, sync_point, mutable_handle},
        [&](auto& queue) {
          return api::recordCopyImage(queue, src_image, dst_image, src_origin, dst_origin, region);
        });
  });
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_mem src_image, cl_mem dst_buffer, const size_t* src_origin,
    const size_t* region, size_t dst_offset, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
    cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandCopyImageToBufferKHR", command_buffer}, [&] {
    return api::recordCommand({command_buffer, command_queue, properties,
                               num_sync_points_in_wait_list, sync_point_wait_list, sync_point,
                               mutable_handle},
                              [&](auto& queue) {
                                return api::recordCopyImageToBuffer(queue, src_image, dst_buffer,
                                                                    src_origin, region, dst_offset);
                              });
  });
}

cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_queue command_queue,
                                          const cl_properties* properties, cl_mem buffer,
                                          const void* pattern, size_t pattern_size, size_t offset,
                                          size_t size, cl_uint num_sync_points_in_wait_list,
                                          const cl_sync_point_khr* sync_point_wait_list,
                                          cl_sync_point_khr* sync_point,
                                          cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandFillBufferKHR", command_buffer}, [&] {
    return api::recordCommand(
        {command_buffer, command_queue, properties, num_sync_points_in_wait_list,
         sync_point_wait_list, sync_point, mutable_handle},
        [&](auto& queue) {
          return api::recordFillBuffer(queue, buffer, pattern, pattern_size, offset, size);
        });
  });
}

cl_int CL_API_CALL clCommandFillImageKHR(cl_command_buffer_khr command_buffer,
                                         cl_command_queue command_queue,
                                         const cl_properties* properties, cl_mem image,
                                         const void* fill_color, const size_t* origin,
                                         const size_t* region, cl_uint num_sync_points_in_wait_list,
                                         const cl_sync_point_khr* sync_point_wait_list,
                                         cl_sync_point_khr* sync_point,
                                         cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandFillImageKHR", command_buffer}, [&] {
    return api::recordCommand(
        {command_buffer, command_queue, properties, num_sync_points_in_wait_list,
         sync_point_wait_list, sync_point, mutable_handle},
        [&](auto& queue) {
          return api::recordFillImage(queue, image, fill_color, origin, region);
        });
  });
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, void* dst_ptr, const void* src_ptr, size_t size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list,
    cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandSVMMemcpyKHR", command_buffer}, [&] {
    return api::recordCommand(
        {command_buffer, command_queue, properties, num_sync_points_in_wait_list,
         sync_point_wait_list, sync_point, mutable_handle},
        [&](auto& queue) { return api::recordMemcpy(queue, {dst_ptr, src_ptr, size}); });
  });
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_queue command_queue,
                                          const cl_properties* properties, void* svm_ptr,
                                          const void* pattern, size_t pattern_size, size_t size,
                                          cl_uint num_sync_points_in_wait_list,
                                          const cl_sync_point_khr* sync_point_wait_list,
                                          cl_sync_point_khr* sync_point,
                                          cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandSVMMemFillKHR", command_buffer}, [&] {
    return api::recordCommand(
        {command_buffer, command_queue, properties, num_sync_points_in_wait_list,
         sync_point_wait_list, sync_point, mutable_handle},
        [&](auto& queue) {
          return api::recordMemFill(queue, {svm_ptr, pattern, pattern_size, size});
        });
  });
}

cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_properties* properties, cl_kernel kernel, cl_uint work_dim,
    const size_t* global_work_offset, const size_t* global_work_size, const size_t* local_work_size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list,
    cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) {
  return run({"clCommandNDRangeKernelKHR", command_buffer}, [&] {
    return api::recordLaunch(
        {command_buffer, command_queue, properties, num_sync_points_in_wait_list,
         sync_point_wait_list, sync_point, mutable_handle},
        kernel, {work_dim, global_work_offset, global_work_size, local_work_size});
  });
}

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                             cl_command_buffer_info_khr param_name,
                                             size_t param_value_size, void* param_value,
                                             size_t* param_value_size_ret) {
  return run({"clGetCommandBufferInfoKHR", command_buffer}, [&] {
    return api::getCommandBufferInfo(command_buffer, param_name,
                                     {param_value_size, param_value, param_value_size_ret});
  });
}

cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(
    cl_command_buffer_khr command_buffer, cl_bool automatic, cl_uint num_queues,
    const cl_command_queue* queues, cl_uint num_handles, const cl_mutable_command_khr* handles,
    cl_mutable_command_khr* handles_ret, cl_int* errcode_ret) {
  return create({"clRemapCommandBufferKHR", command_buffer}, errcode_ret, [&] {
    return api::remapCommandBuffer(command_buffer, automatic, num_queues, queues,
                                   {num_handles, handles, handles_ret});
  });
}

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer,
                                              cl_uint num_configs, const cl_uint* config_types,
                                              const void** configs) {
  return run({"clUpdateMutableCommandsKHR", command_buffer}, [&] {
    return api::updateMutableCommands(command_buffer, num_configs, config_types, configs);
  });
}

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
                                              cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return run({"clGetMutableCommandInfoKHR", command}, [&] {
    return api::getMutableCommandInfo(command, param_name,
                                      {param_value_size, param_value, param_value_size_ret});
  });
}

} // namespace quern::icd
