#include <algorithm>
#include <numeric>
#include <optional>

#include "api/handle.h"
#include "api/invalid.h"
#include "api/program.h"

namespace quern::api {

namespace {

using runtime::BuildStep;
using runtime::Context;
using runtime::Device;
using runtime::Program;
using runtime::ProgramBinary;
using runtime::ProgramBuild;

/// device_list is NULL and num_devices is not zero, or the other way round.
Status checkDeviceCount(const BuildArguments& arguments) {
  if ((arguments.devices == nullptr) == (arguments.deviceCount == 0))
    return {};
  return invalidValue(arguments.devices ? sentence("device_list is given but num_devices is 0")
                                        : sentence("device_list is NULL but num_devices is ",
                                                   arguments.deviceCount));
}

/// pfn_notify is NULL but user_data is not.
Status checkNotify(const BuildArguments& arguments) {
  if (!arguments.notify && arguments.userData)
    return invalidValue("user_data is given but pfn_notify is NULL");
  return {};
}

bool isWithin(const Device& device, const Device& ancestor) {
  const Device* outer = &device;
  while (outer && outer != &ancestor)
    outer = outer->parent();
  return outer != nullptr;
}

/// Indices of the devices to build for, each once: those of the list and their sub-devices, which
/// share the executables of the device they are part of, or all where there is none.
Result<std::vector<size_t>> parseDevices(const Program& program, const BuildArguments& arguments) {
  std::vector<size_t> indices;
  if (!arguments.devices) {
    indices.resize(program.devices().size());
    std::iota(indices.begin(), indices.end(), size_t{0});
    return indices;
  }
  for (cl_uint i = 0; i < arguments.deviceCount; ++i) {
    QUERN_ASSIGN(const Device* device, fromHandle<Device>(arguments.devices[i]));
    const std::optional<size_t> index = program.indexOf(*device);
    // A device of the list is not one of the program's.
    if (!index)
      return Status::error(CL_INVALID_DEVICE,
                           sentence("device ", i, " of the list is not a device of the program"));
    for (size_t j = 0; j < program.devices().size(); ++j)
      if (isWithin(*program.devices()[j], *device) &&
          std::ranges::find(indices, j) == indices.end())
        indices.push_back(j);
  }
  return indices;
}

/// A device of the list cannot compile.
Status checkCompiler(const Program& program, std::span<const size_t> devices, cl_int code) {
  for (size_t device : devices)
    if (program.devices()[device]->caps().target.description.empty())
      return Status::error(code, sentence("the device '", program.devices()[device]->caps().name,
                                          "' has no compiler"));
  return {};
}

/// What the options of a call mean. A program made from binaries was compiled before: NULL stands
/// for the options of then.
Status parseOptions(ProgramBuild& build, const char* options) {
  if (options)
    build.optionsText = options;
  else if (build.program->origin() == Program::Origin::Binary)
    build.optionsText = build.program->buildOf(build.devices.front()).binary->options;
  if (!options)
    options = "";
  if (build.program->origin() == Program::Origin::Il) {
    build.specialization = build.program->specialization();
    QUERN_ASSIGN(build.options, runtime::parseIlOptions(options, build.step));
    return {};
  }
  QUERN_ASSIGN(build.options, runtime::parseWithConfiguredOptions(options, build.step));
  return {};
}

Status run(ProgramBuild build, const BuildArguments& arguments) {
  if (!arguments.notify)
    return runtime::runBuild(build);
  runtime::startBuild(std::move(build), arguments.notify, arguments.userData);
  return {};
}

/// The program is made from binaries and one of a device in the list is not executable.
Status checkExecutables(const ProgramBuild& build) {
  if (build.program->origin() != Program::Origin::Binary)
    return {};
  for (size_t device : build.devices)
    if (build.program->buildOf(device).binary->kind != ProgramBinary::Kind::Executable)
      return Status::error(
          CL_INVALID_BINARY,
          "the program was made from a compiled object or a library, which must be "
          "linked and cannot be built");
  return {};
}

/// num_input_headers is zero and there are headers or names, or it is not and there are none.
Status checkHeaders(const HeaderArguments& headers) {
  const bool wanted = headers.count > 0;
  if ((headers.programs != nullptr) != wanted || (headers.names != nullptr) != wanted)
    return invalidValue(sentence("num_input_headers is ", headers.count, " but input_headers is ",
                                 headers.programs ? "given" : "NULL",
                                 " and header_include_names is ",
                                 headers.names ? "given" : "NULL"));
  for (cl_uint i = 0; i < headers.count; ++i)
    if (!headers.names[i])
      return invalidValue(sentence("name ", i, " of header_include_names is NULL"));
  return {};
}

/// The headers as the compiler takes them; of several with one name the first.
Result<std::vector<compiler::Header>> parseHeaders(const Program& program,
                                                   const HeaderArguments& arguments) {
  std::vector<compiler::Header> headers;
  for (cl_uint i = 0; i < arguments.count; ++i) {
    QUERN_ASSIGN(const Program* header, fromHandle<Program>(arguments.programs[i]));
    // The context of the program and of a header differ.
    if (&header->context() != &program.context())
      return Status::error(CL_INVALID_CONTEXT,
                           sentence("header ", i, " belongs to another context than the program"));
    if (header->origin() != Program::Origin::Source)
      return Status::error(CL_INVALID_PROGRAM, sentence("header ", i, " is not made from source"));
    const std::string name = arguments.names[i];
    if (std::ranges::find(headers, name, &compiler::Header::name) == headers.end())
      headers.push_back({name, header->source()});
  }
  return headers;
}

Result<std::vector<Program*>> parseLinkInputs(const Context& context, cl_uint count,
                                              const cl_program* handles) {
  // input_programs is NULL or num_input_programs is zero.
  if (count == 0 || !handles)
    return invalidValue(handles ? "num_input_programs is 0" : "input_programs is NULL");
  QUERN_ASSIGN(std::vector<Program*> programs, fromHandles<Program>(count, handles));
  // The context of an input is another one.
  for (cl_uint i = 0; i < count; ++i)
    if (&programs[i]->context() != &context)
      return Status::error(CL_INVALID_CONTEXT,
                           sentence("input program ", i, " belongs to another context"));
  return programs;
}

/// The devices of the program that clLinkProgram makes.
Result<std::vector<Ref<Device>>> parseLinkDevices(const Context& context,
                                                  const BuildArguments& arguments) {
  if (!arguments.devices)
    return std::vector<Ref<Device>>(context.devices().begin(), context.devices().end());
  std::vector<Ref<Device>> devices;
  for (cl_uint i = 0; i < arguments.deviceCount; ++i) {
    QUERN_ASSIGN(Device * device, fromHandle<Device>(arguments.devices[i]));
    // A device of the list is not in the list of devices of the context.
    if (!context.hasDevice(*device))
      return Status::error(CL_INVALID_DEVICE,
                           sentence("device ", i, " of the list is not in the context"));
    if (std::ranges::find(devices, device, &Ref<Device>::get) == devices.end())
      devices.emplace_back(device);
  }
  return devices;
}

/// The compiled object or library of `program` for `device`, or null. A build in progress is an
/// error.
Result<std::shared_ptr<const ProgramBinary>> linkInput(const Program& program,
                                                       const Device& device) {
  const std::optional<size_t> index = program.indexOf(device);
  if (!index)
    return std::shared_ptr<const ProgramBinary>();
  Program::DeviceBuild build = program.buildOf(*index);
  if (build.status == CL_BUILD_IN_PROGRESS)
    return Status::error(CL_INVALID_OPERATION, "an input program is still being compiled");
  if (build.status == CL_BUILD_ERROR || !build.binary ||
      build.binary->kind == ProgramBinary::Kind::Executable)
    return std::shared_ptr<const ProgramBinary>();
  return build.binary;
}

/// What to link for `device`: something of every program, or nothing of any.
Result<ProgramBuild::Inputs> linkInputs(const std::vector<Program*>& programs,
                                        const Device& device) {
  ProgramBuild::Inputs inputs;
  for (const Program* program : programs) {
    QUERN_ASSIGN(auto input, linkInput(*program, device));
    if (input)
      inputs.push_back(std::move(input));
  }
  if (!inputs.empty() && inputs.size() != programs.size())
    return Status::error(CL_INVALID_OPERATION,
                         sentence("only ", inputs.size(), " of ", programs.size(),
                                  " input programs are compiled for the device '",
                                  device.caps().name, "'"));
  return inputs;
}

} // namespace

Status buildProgram(cl_program handle, const BuildArguments& arguments) {
  QUERN_ASSIGN(Program * program, fromHandle<Program>(handle));
  QUERN_TRY(checkDeviceCount(arguments));
  QUERN_TRY(checkNotify(arguments));
  ProgramBuild build = {.step = BuildStep::Build, .program = Ref<Program>(program)};
  QUERN_ASSIGN(build.devices, parseDevices(*program, arguments));
  QUERN_TRY(checkExecutables(build));
  QUERN_TRY(parseOptions(build, arguments.options));
  if (program->origin() == Program::Origin::Source || program->origin() == Program::Origin::Il)
    QUERN_TRY(checkCompiler(*program, build.devices, CL_COMPILER_NOT_AVAILABLE));
  // The program is made neither from source nor from binaries.
  if (program->origin() == Program::Origin::BuiltInKernels)
    return Status::error(CL_INVALID_OPERATION,
                         "the program is of built-in kernels, which are built already");
  // The program comes from clLinkProgram.
  if (program->origin() == Program::Origin::Link)
    return Status::error(CL_INVALID_OPERATION,
                         "the program was made by clLinkProgram and cannot be built again");
  // A build has not ended, or kernels are attached.
  QUERN_TRY(program->beginBuild(build.devices, build.optionsText));
  return run(std::move(build), arguments);
}

Status compileProgram(cl_program handle, const HeaderArguments& headers,
                      const BuildArguments& arguments) {
  QUERN_ASSIGN(Program * program, fromHandle<Program>(handle));
  QUERN_TRY(checkDeviceCount(arguments));
  QUERN_TRY(checkHeaders(headers));
  QUERN_TRY(checkNotify(arguments));
  ProgramBuild build = {.step = BuildStep::Compile, .program = Ref<Program>(program)};
  QUERN_ASSIGN(build.headers, parseHeaders(*program, headers));
  QUERN_ASSIGN(build.devices, parseDevices(*program, arguments));
  QUERN_TRY(parseOptions(build, arguments.options));
  QUERN_TRY(checkCompiler(*program, build.devices, CL_COMPILER_NOT_AVAILABLE));
  // The program has neither a source nor an intermediate language.
  if (program->origin() != Program::Origin::Source && program->origin() != Program::Origin::Il)
    return Status::error(CL_INVALID_OPERATION,
                         "the program has neither a source nor SPIR-V to compile");
  // A build has not ended, or kernels are attached.
  QUERN_TRY(program->beginBuild(build.devices, build.optionsText));
  return run(std::move(build), arguments);
}

Result<ProgramBuild> beginLink(cl_context contextHandle, cl_uint inputCount,
                               const cl_program* inputHandles, const BuildArguments& arguments) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(contextHandle));
  QUERN_TRY(checkDeviceCount(arguments));
  QUERN_ASSIGN(const std::vector<Program*> inputs,
               parseLinkInputs(*context, inputCount, inputHandles));
  QUERN_TRY(checkNotify(arguments));
  QUERN_ASSIGN(std::vector<Ref<Device>> devices, parseLinkDevices(*context, arguments));

  ProgramBuild link = {.step = BuildStep::Link};
  link.devices.resize(devices.size());
  std::iota(link.devices.begin(), link.devices.end(), size_t{0});
  link.optionsText = arguments.options ? arguments.options : "";
  QUERN_ASSIGN(link.options, runtime::parseWithConfiguredOptions(link.optionsText, link.step));
  for (const Ref<Device>& device : devices) {
    QUERN_ASSIGN(ProgramBuild::Inputs forDevice, linkInputs(inputs, *device));
    link.inputs.push_back(std::move(forDevice));
  }
  // No device of the list has anything to link.
  if (std::ranges::all_of(link.inputs, &ProgramBuild::Inputs::empty))
    return Status::error(CL_INVALID_OPERATION,
                         "the input programs are not compiled for any of the devices");
  std::vector<Program::DeviceBuild> builds(devices.size());
  link.program = makeRef<Program>(*context, Program::Origin::Link, std::string(),
                                  std::move(devices), std::move(builds));
  // A linker is not available.
  QUERN_TRY(checkCompiler(*link.program, link.devices, CL_LINKER_NOT_AVAILABLE));
  QUERN_TRY(link.program->beginBuild(link.devices, link.optionsText));
  return link;
}

Status finishLink(ProgramBuild link, const BuildArguments& arguments) {
  return run(std::move(link), arguments);
}

} // namespace quern::api
