#include "api/program.h"

#include <algorithm>
#include <cstring>

#include "api/handle.h"
#include "api/invalid.h"
#include "builtin_kernels/builtin_kernels.h"
#include "runtime/compiler_library.h"
#include "spirv/module.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::Device;
using runtime::Program;
using runtime::ProgramBinary;

/// The devices of a program that is created for some devices of a context.
Result<std::vector<Ref<Device>>> parseDevices(const Context& context, cl_uint count,
                                              const cl_device_id* handles) {
  QUERN_ASSIGN(const std::vector<Device*> devices, fromHandles<Device>(count, handles));
  std::vector<Ref<Device>> list;
  for (Device* device : devices) {
    // A device of the list is not in the list of devices of the context.
    if (!context.hasDevice(*device))
      return Status::error(CL_INVALID_DEVICE,
                           sentence("device ", list.size(), " of the list is not in the context"));
    list.emplace_back(device);
  }
  return list;
}

/// device_list is NULL or num_devices is zero.
Status checkDeviceList(cl_uint count, const cl_device_id* devices) {
  if (!devices || count == 0)
    return invalidValue(devices ? "num_devices is 0" : "device_list is NULL");
  return {};
}

struct Binaries {
  const size_t* lengths;
  const unsigned char** data;
  cl_int* status; ///< may be null

  void setStatus(size_t i, cl_int code) const {
    if (status)
      status[i] = code;
  }
};

/// An entry of lengths is zero or one of binaries is NULL. Tells all entries apart in `status`
/// first.
Status checkBinaries(size_t count, const Binaries& binaries) {
  if (!binaries.lengths || !binaries.data)
    return invalidValue(binaries.lengths ? "binaries is NULL" : "lengths is NULL");
  size_t firstMissing = count;
  for (size_t i = count; i-- > 0;) {
    const bool isThere = binaries.lengths[i] > 0 && binaries.data[i];
    binaries.setStatus(i, isThere ? CL_SUCCESS : CL_INVALID_VALUE);
    if (!isThere)
      firstMissing = i;
  }
  if (firstMissing < count)
    return invalidValue(sentence("binary ", firstMissing, " is NULL or has no bytes"));
  return {};
}

/// kernel_names is NULL or has a name that is not of a kernel of any of the devices. A name may
/// come twice.
Result<std::vector<std::string>> parseKernelNames(std::span<const Ref<Device>> devices,
                                                  const char* text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= std::strlen(text);) {
    const size_t end = begin + std::strcspn(text + begin, ";");
    names.emplace_back(text + begin, end - begin);
    begin = end + 1;
  }
  for (const std::string& name : names) {
    const bool exists = std::ranges::any_of(devices, [&](const Ref<Device>& device) {
      const std::vector<std::string> known = builtin_kernels::namesFor(device->caps());
      return std::ranges::find(known, name) != known.end();
    });
    if (!exists)
      return invalidValue(sentence("none of the ", devices.size(),
                                   " devices has a built-in kernel named '", name, "'"));
  }
  return names;
}

} // namespace

Result<Ref<Program>> createProgramWithSource(cl_context contextHandle, cl_uint count,
                                             const char** strings, const size_t* lengths) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(contextHandle));
  // count is zero, or strings or an entry of it is NULL.
  if (count == 0 || !strings)
    return invalidValue(strings ? "count is 0" : "strings is NULL");
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    if (!strings[i])
      return invalidValue(sentence("string ", i, " of the source is NULL"));
    const bool isTerminated = !lengths || lengths[i] == 0;
    source.append(strings[i], isTerminated ? std::strlen(strings[i]) : lengths[i]);
  }
  // The concatenation holds no null characters (CL_PROGRAM_SOURCE).
  std::erase(source, '\0');
  const auto devices = context->devices();
  return makeRef<Program>(*context, Program::Origin::Source, std::move(source),
                          std::vector<Ref<Device>>(devices.begin(), devices.end()),
                          std::vector<Program::DeviceBuild>(devices.size()));
}

Result<Ref<Program>> createProgramWithBinary(cl_context contextHandle, cl_uint deviceCount,
                                             const cl_device_id* deviceHandles,
                                             const size_t* lengths, const unsigned char** data,
                                             cl_int* binaryStatus) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(contextHandle));
  QUERN_TRY(checkDeviceList(deviceCount, deviceHandles));
  QUERN_ASSIGN(std::vector<Ref<Device>> devices,
               parseDevices(*context, deviceCount, deviceHandles));
  const Binaries binaries = {lengths, data, binaryStatus};
  QUERN_TRY(checkBinaries(deviceCount, binaries));

  const std::string& compiler = runtime::CompilerLibrary::get().identity();
  std::vector<Program::DeviceBuild> builds(deviceCount);
  Status firstFailure;
  for (cl_uint i = 0; i < deviceCount; ++i) {
    const auto bytes = std::as_bytes(std::span(data[i], lengths[i]));
    Result<ProgramBinary> binary =
        decodeProgramBinary(bytes, runtime::originFor(devices[i]->caps().target, compiler));
    // The binary is not one for this device.
    if (!binary.ok()) {
      binaries.setStatus(i, CL_INVALID_BINARY);
      if (firstFailure.ok())
        firstFailure = binary.takeStatus();
      continue;
    }
    builds[i].binary = std::make_shared<const ProgramBinary>(*std::move(binary));
  }
  if (!firstFailure.ok())
    return firstFailure;
  return makeRef<Program>(*context, Program::Origin::Binary, std::string(), std::move(devices),
                          std::move(builds));
}

Result<Ref<Program>> createProgramWithIl(cl_context contextHandle, const void* il, size_t length) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(contextHandle));
  // No device of the context supports intermediate languages: those that compile do.
  const auto devices = context->devices();
  if (std::ranges::none_of(devices, [](const Ref<Device>& device) {
        return !device->caps().target.description.empty();
      }))
    return Status::error(CL_INVALID_OPERATION,
                         "no device of the context supports an intermediate language");
  // il is NULL or length is zero.
  if (!il || length == 0)
    return invalidValue(il ? "length is 0" : "il is NULL");
  // il is no well-formed module.
  const auto bytes = std::span(static_cast<const std::byte*>(il), length);
  QUERN_ASSIGN(const spirv::Module module, spirv::Module::parse(bytes));
  return makeRef<Program>(*context, Bytes(bytes.begin(), bytes.end()),
                          spirv::specializationConstants(module),
                          std::vector<Ref<Device>>(devices.begin(), devices.end()));
}

Status setSpecializationConstant(cl_program handle, cl_uint specId, size_t size,
                                 const void* value) {
  QUERN_ASSIGN(Program * program, fromHandle<Program>(handle));
  // The program is not made from an intermediate language.
  if (program->origin() != Program::Origin::Il)
    return Status::error(
        CL_INVALID_PROGRAM,
        "only a program made by clCreateProgramWithIL has specialization constants");
  // The module has no such constant.
  const auto constants = program->specializationConstants();
  const auto constant =
      std::ranges::find(constants, specId, &spirv::SpecializationConstant::specId);
  if (constant == constants.end())
    return Status::error(CL_INVALID_SPEC_ID,
                         sentence("the module has no specialization constant ", specId));
  // spec_size is not the constant's, or spec_value is NULL.
  if (size != constant->bytes)
    return invalidValue(sentence("spec_size is ", size, ": the specialization constant ", specId,
                                 " has ", constant->bytes, " bytes"));
  if (!value)
    return invalidValue("spec_value is NULL");
  const auto bytes = std::span(static_cast<const std::byte*>(value), size);
  program->setSpecialization({specId, Bytes(bytes.begin(), bytes.end())});
  return {};
}

Result<Ref<Program>> createProgramWithBuiltInKernels(cl_context contextHandle, cl_uint deviceCount,
                                                     const cl_device_id* deviceHandles,
                                                     const char* kernelNames) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(contextHandle));
  QUERN_TRY(checkDeviceList(deviceCount, deviceHandles));
  if (!kernelNames)
    return invalidValue("kernel_names is NULL");
  QUERN_ASSIGN(std::vector<Ref<Device>> devices,
               parseDevices(*context, deviceCount, deviceHandles));
  QUERN_ASSIGN(std::vector<std::string> names, parseKernelNames(devices, kernelNames));
  return runtime::createBuiltInProgram(*context, std::move(devices), std::move(names));
}

} // namespace quern::api
