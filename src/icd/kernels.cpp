#include "icd/entry.h"
#include "icd/extension_functions.h"
#include "icd/functions.h"

#include "api/kernel.h"
#include "api/kernel_commands.h"

namespace quern::icd {

using runtime::Kernel;

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* kernel_name,
                                     cl_int* errcode_ret) {
  return create({"clCreateKernel", program}, errcode_ret,
                [&] { return api::createKernel(program, kernel_name); });
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                            cl_kernel* kernels, cl_uint* num_kernels_ret) {
  return run({"clCreateKernelsInProgram", program}, [&] {
    return api::createKernelsInProgram(program, num_kernels, kernels, num_kernels_ret);
  });
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  return create({"clCloneKernel", source_kernel}, errcode_ret,
                [&] { return api::cloneKernel(source_kernel); });
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return run({"clRetainKernel", kernel}, [&] { return api::retain<Kernel>(kernel); });
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return run({"clReleaseKernel", kernel}, [&] { return api::release<Kernel>(kernel); });
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                  const void* arg_value) {
  return run({"clSetKernelArg", kernel},
             [&] { return api::setKernelArg(kernel, arg_index, arg_size, arg_value); });
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                       size_t param_value_size, const void* param_value) {
  return run({"clSetKernelExecInfo", kernel}, [&] {
    return api::setKernelExecInfo(kernel, param_name, param_value_size, param_value);
  });
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name,
                                   size_t param_value_size, void* param_value,
                                   size_t* param_value_size_ret) {
  return run({"clGetKernelInfo", kernel}, [&] {
    return api::getKernelInfo(kernel, param_name,
                              {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_indx,
                                      cl_kernel_arg_info param_name, size_t param_value_size,
                                      void* param_value, size_t* param_value_size_ret) {
  return run({"clGetKernelArgInfo", kernel}, [&] {
    return api::getKernelArgInfo(kernel, arg_indx, param_name,
                                 {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void* param_value,
                                            size_t* param_value_size_ret) {
  return run({"clGetKernelWorkGroupInfo", kernel}, [&] {
    return api::getKernelWorkGroupInfo(kernel, device, param_name,
                                       {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                           cl_kernel_sub_group_info param_name,
                                           size_t input_value_size, const void* input_value,
                                           size_t param_value_size, void* param_value,
                                           size_t* param_value_size_ret) {
  return run({"clGetKernelSubGroupInfo", kernel}, [&] {
    return api::getKernelSubGroupInfo(kernel, device, param_name, {input_value_size, input_value},
                                      {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_sub_group_info param_name,
                                              size_t input_value_size, const void* input_value,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return run({"clGetKernelSubGroupInfoKHR", kernel}, [&] {
    return api::getKernelSubGroupInfo(kernel, device, param_name, {input_value_size, input_value},
                                      {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue,
                                                        cl_kernel kernel, cl_uint work_dim,
                                                        const size_t* global_work_offset,
                                                        const size_t* global_work_size,
                                                        size_t* suggested_local_work_size) {
  return run({"clGetKernelSuggestedLocalWorkSizeKHR", command_queue}, [&] {
    return api::getKernelSuggestedLocalWorkSize(
        command_queue, kernel, {work_dim, global_work_offset, global_work_size, nullptr},
        suggested_local_work_size);
  });
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue,
                                                     cl_kernel kernel, cl_uint work_dim,
                                                     const size_t* global_work_offset,
                                                     const size_t* global_work_size,
                                                     size_t* suggested_local_work_size) {
  return run({"clGetKernelSuggestedLocalWorkSize", command_queue}, [&] {
    return api::getKernelSuggestedLocalWorkSize(
        command_queue, kernel, {work_dim, global_work_offset, global_work_size, nullptr},
        suggested_local_work_size);
  });
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                          cl_uint work_dim, const size_t* global_work_offset,
                                          const size_t* global_work_size,
                                          const size_t* local_work_size,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event* event_wait_list, cl_event* event) {
  return enqueue({"clEnqueueNDRangeKernel", command_queue}, event, [&] {
    return api::enqueueNdRangeKernel(
        command_queue, kernel, {work_dim, global_work_offset, global_work_size, local_work_size},
        {num_events_in_wait_list, event_wait_list, event != nullptr});
  });
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                 cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                 cl_event* event) {
  return enqueue({"clEnqueueTask", command_queue}, event, [&] {
    return api::enqueueTask(command_queue, kernel, {num_events_in_wait_list, event_wait_list});
  });
}

} // namespace quern::icd
