#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/program.h"
#include "runtime/program_build.h"

/// Program objects (OpenCL 3.0, 5.8): creation, building, queries.
namespace quern::api {

Result<Ref<runtime::Program>> createProgramWithSource(cl_context context, cl_uint count,
                                                      const char** strings, const size_t* lengths);
/// Writes `binaryStatus`, where it is given, also when the call fails.
Result<Ref<runtime::Program>> createProgramWithBinary(cl_context context, cl_uint deviceCount,
                                                      const cl_device_id* devices,
                                                      const size_t* lengths,
                                                      const unsigned char** binaries,
                                                      cl_int* binaryStatus);
Result<Ref<runtime::Program>> createProgramWithIl(cl_context context, const void* il,
                                                  size_t length);
/// Builds the kernels, too: the program is ready for clCreateKernel.
Result<Ref<runtime::Program>> createProgramWithBuiltInKernels(cl_context context,
                                                              cl_uint deviceCount,
                                                              const cl_device_id* devices,
                                                              const char* kernelNames);

/// The arguments that building, compiling and linking share.
struct BuildArguments {
  cl_uint deviceCount = 0;
  const cl_device_id* devices = nullptr;
  const char* options = nullptr;
  runtime::BuildNotifyFunction notify = nullptr;
  void* userData = nullptr;
};

/// The embedded headers of clCompileProgram.
struct HeaderArguments {
  cl_uint count = 0;
  const cl_program* programs = nullptr;
  const char** names = nullptr;
};

Status setSpecializationConstant(cl_program program, cl_uint specId, size_t size,
                                 const void* value);

Status buildProgram(cl_program program, const BuildArguments& arguments);
Status compileProgram(cl_program program, const HeaderArguments& headers,
                      const BuildArguments& arguments);

/// Checks the arguments of clLinkProgram and makes the new program, which `finishLink` then links:
/// the program exists even when that fails.
Result<runtime::ProgramBuild> beginLink(cl_context context, cl_uint inputCount,
                                        const cl_program* inputs, const BuildArguments& arguments);
Status finishLink(runtime::ProgramBuild link, const BuildArguments& arguments);

Status getProgramInfo(cl_program program, cl_program_info name, const InfoRequest& request);
Status getProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                           const InfoRequest& request);

} // namespace quern::api
