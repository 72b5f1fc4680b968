#include "icd/entry.h"
#include "icd/functions.h"

#include "api/program.h"

namespace quern::icd {

using runtime::Program;

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char** strings, const size_t* lengths,
                                                 cl_int* errcode_ret) {
  return create({"clCreateProgramWithSource", context}, errcode_ret,
                [&] { return api::createProgramWithSource(context, count, strings, lengths); });
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                 const cl_device_id* device_list,
                                                 const size_t* lengths,
                                                 const unsigned char** binaries,
                                                 cl_int* binary_status, cl_int* errcode_ret) {
  return create({"clCreateProgramWithBinary", context}, errcode_ret, [&] {
    return api::createProgramWithBinary(context, num_devices, device_list, lengths, binaries,
                                        binary_status);
  });
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void* il, size_t length,
                                             cl_int* errcode_ret) {
  return create({"clCreateProgramWithIL", context}, errcode_ret,
                [&] { return api::createProgramWithIl(context, il, length); });
}

cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context, const void* il, size_t length,
                                                cl_int* errcode_ret) {
  return create({"clCreateProgramWithILKHR", context}, errcode_ret,
                [&] { return api::createProgramWithIl(context, il, length); });
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                      size_t spec_size, const void* spec_value) {
  return run({"clSetProgramSpecializationConstant", program}, [&] {
    return api::setSpecializationConstant(program, spec_id, spec_size, spec_value);
  });
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                         const cl_device_id* device_list,
                                                         const char* kernel_names,
                                                         cl_int* errcode_ret) {
  return create({"clCreateProgramWithBuiltInKernels", context}, errcode_ret, [&] {
    return api::createProgramWithBuiltInKernels(context, num_devices, device_list, kernel_names);
  });
}

cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return run({"clRetainProgram", program}, [&] { return api::retain<Program>(program); });
}

cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return run({"clReleaseProgram", program}, [&] { return api::release<Program>(program); });
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                  const cl_device_id* device_list, const char* options,
                                  runtime::BuildNotifyFunction pfn_notify, void* user_data) {
  return run({"clBuildProgram", program}, [&] {
    return api::buildProgram(program, {num_devices, device_list, options, pfn_notify, user_data});
  });
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
                                    const cl_device_id* device_list, const char* options,
                                    cl_uint num_input_headers, const cl_program* input_headers,
                                    const char** header_include_names,
                                    runtime::BuildNotifyFunction pfn_notify, void* user_data) {
  return run({"clCompileProgram", program}, [&] {
    return api::compileProgram(program, {num_input_headers, input_headers, header_include_names},
                               {num_devices, device_list, options, pfn_notify, user_data});
  });
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                     const cl_device_id* device_list, const char* options,
                                     cl_uint num_input_programs, const cl_program* input_programs,
                                     runtime::BuildNotifyFunction pfn_notify, void* user_data,
                                     cl_int* errcode_ret) {
  const api::BuildArguments arguments = {num_devices, device_list, options, pfn_notify, user_data};
  // Unlike other objects the program is also returned when linking it fails.
  cl_program handle = nullptr;
  const cl_int code = run({"clLinkProgram", context}, [&]() -> Status {
    QUERN_ASSIGN(runtime::ProgramBuild link,
                 api::beginLink(context, num_input_programs, input_programs, arguments));
    handle = api::publish(link.program);
    return api::finishLink(std::move(link), arguments);
  });
  if (errcode_ret)
    *errcode_ret = code;
  return handle;
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name,
                                    size_t param_value_size, void* param_value,
                                    size_t* param_value_size_ret) {
  return run({"clGetProgramInfo", program}, [&] {
    return api::getProgramInfo(program, param_name,
                               {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                         cl_program_build_info param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return run({"clGetProgramBuildInfo", program}, [&] {
    return api::getProgramBuildInfo(program, device, param_name,
                                    {param_value_size, param_value, param_value_size_ret});
  });
}

} // namespace quern::icd
