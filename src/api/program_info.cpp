#include <cstring>
#include <optional>

#include "api/handle.h"
#include "api/program.h"
#include "runtime/compiler_library.h"

namespace quern::api {

namespace {

using runtime::Device;
using runtime::Program;
using runtime::ProgramBinary;

/// The binary of each device, with the code of all its kernels; empty where there is none.
std::vector<Bytes> encodedBinaries(const Program& program) {
  const std::string& compiler = runtime::CompilerLibrary::get().identity();
  std::vector<Bytes> binaries;
  for (size_t i = 0; i < program.devices().size(); ++i) {
    const Program::DeviceBuild build = program.buildOf(i);
    const std::shared_ptr<const ProgramBinary> binary =
        build.code ? build.code->wholeBinary() : build.binary;
    const compiler::Target& target = program.devices()[i]->caps().target;
    binaries.push_back(binary ? encode(*binary, runtime::originFor(target, compiler)) : Bytes());
  }
  return binaries;
}

/// Fails where a query is only answered for a program with an executable.
Status putFalseIfBuilt(const Program& program, InfoValue& value) {
  QUERN_TRY(program.kernelNames().takeStatus());
  value.put<cl_bool>(CL_FALSE);
  return {};
}

constexpr InfoRow<Program> programRows[] = {
    {CL_PROGRAM_REFERENCE_COUNT,
     [](const Program& program, InfoValue& value) { value.put<cl_uint>(program.apiReferences()); }},
    {CL_PROGRAM_CONTEXT,
     [](const Program& program, InfoValue& value) { value.put(toHandle(&program.context())); }},
    {CL_PROGRAM_NUM_DEVICES,
     [](const Program& program, InfoValue& value) {
       value.put(static_cast<cl_uint>(program.devices().size()));
     }},
    {CL_PROGRAM_DEVICES,
     [](const Program& program, InfoValue& value) {
       for (const Ref<Device>& device : program.devices())
         value.put(toHandle(device.get()));
     }},
    {CL_PROGRAM_SOURCE,
     [](const Program& program, InfoValue& value) { value.putString(program.source()); }},
    // Without bytes where the program is made from something else.
    {CL_PROGRAM_IL, [](const Program& program, InfoValue& value) { value.putBytes(program.il()); }},
    {CL_PROGRAM_BINARY_SIZES,
     [](const Program& program, InfoValue& value) {
       for (const Bytes& binary : encodedBinaries(program))
         value.put<size_t>(binary.size());
     }},
    {CL_PROGRAM_NUM_KERNELS,
     [](const Program& program, InfoValue& value) -> Status {
       QUERN_ASSIGN(const std::vector<std::string> names, program.kernelNames());
       value.put<size_t>(names.size());
       return {};
     }},
    {CL_PROGRAM_KERNEL_NAMES,
     [](const Program& program, InfoValue& value) -> Status {
       QUERN_ASSIGN(const std::vector<std::string> names, program.kernelNames());
       value.putNames(names);
       return {};
     }},
    // OpenCL C has neither constructors nor destructors of program-scope variables.
    {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT,
     [](const Program& program, InfoValue& value) { return putFalseIfBuilt(program, value); }},
    {CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT,
     [](const Program& program, InfoValue& value) { return putFalseIfBuilt(program, value); }},
};

/// CL_PROGRAM_BINARIES is the one query that writes through pointers in the program's value.
Status copyBinaries(const Program& program, const InfoRequest& request) {
  const size_t size = program.devices().size() * sizeof(unsigned char*);
  if (request.value) {
    if (request.valueSize < size)
      return Status::error(CL_INVALID_VALUE,
                           sentence("param_value_size ", request.valueSize,
                                    " is too small: the pointers to the binaries have ", size,
                                    " bytes"));
    const std::vector<Bytes> binaries = encodedBinaries(program);
    const auto destinations = static_cast<unsigned char**>(request.value);
    for (size_t i = 0; i < binaries.size(); ++i)
      if (destinations[i] && !binaries[i].empty())
        std::memcpy(destinations[i], binaries[i].data(), binaries[i].size());
  }
  if (request.valueSizeRet)
    *request.valueSizeRet = size;
  return {};
}

cl_program_binary_type binaryType(const ProgramBinary* binary) {
  if (!binary)
    return CL_PROGRAM_BINARY_TYPE_NONE;
  switch (binary->kind) {
  case ProgramBinary::Kind::CompiledObject:
    return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  case ProgramBinary::Kind::Library:
    return CL_PROGRAM_BINARY_TYPE_LIBRARY;
  case ProgramBinary::Kind::Executable:
    break;
  }
  return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

using Build = Program::DeviceBuild;

constexpr InfoRow<Build> buildRows[] = {
    {CL_PROGRAM_BUILD_STATUS,
     [](const Build& build, InfoValue& value) { value.put<cl_build_status>(build.status); }},
    {CL_PROGRAM_BUILD_OPTIONS,
     [](const Build& build, InfoValue& value) { value.putString(build.options); }},
    {CL_PROGRAM_BUILD_LOG,
     [](const Build& build, InfoValue& value) { value.putString(build.log); }},
    {CL_PROGRAM_BINARY_TYPE,
     [](const Build& build, InfoValue& value) { value.put(binaryType(build.binary.get())); }},
    {CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
     [](const Build& build, InfoValue& value) {
       value.put<size_t>(build.binary ? build.binary->image.globalVariableBytes : 0);
     }},
};

} // namespace

Status getProgramInfo(cl_program handle, cl_program_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const Program* program, fromHandle<Program>(handle));
  if (name == CL_PROGRAM_BINARIES)
    return copyBinaries(*program, request);
  return query(std::span<const InfoRow<Program>>(programRows), "program", *program, name, request);
}

Status getProgramBuildInfo(cl_program handle, cl_device_id deviceHandle, cl_program_build_info name,
                           const InfoRequest& request) {
  QUERN_ASSIGN(const Program* program, fromHandle<Program>(handle));
  QUERN_ASSIGN(const Device* device, fromHandle<Device>(deviceHandle));
  const std::optional<size_t> index = program->indexOf(*device);
  // The device is not one of the program's.
  if (!index)
    return Status::error(CL_INVALID_DEVICE, "the device is not a device of the program");
  return query(std::span<const InfoRow<Build>>(buildRows), "program build",
               program->buildOf(*index), name, request);
}

} // namespace quern::api
