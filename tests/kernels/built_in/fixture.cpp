#include "kernels/built_in/fixture.h"

#include <map>

#include "builtin_kernels/builtin_kernels.h"

namespace quern::tests {

namespace {

Program ofDevice(const std::string& name) {
  cl_int code = CL_SUCCESS;
  const Device& device = Device::get();
  Program program(
      clCreateProgramWithBuiltInKernels(device.context, 1, &device.id, name.c_str(), &code));
  check(code, "clCreateProgramWithBuiltInKernels");
  return program;
}

/// A device for which the sources of GPUs are made, with all that they may need.
device::Caps gpu() {
  device::Caps caps;
  caps.type = CL_DEVICE_TYPE_GPU;
  caps.genericAddressSpace = true;
  caps.preferredWorkGroupMultiple =
      Device::get().info<size_t>(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  caps.target = {"any",
                 {"__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_scope_device",
                  "cl_khr_subgroup_ballot", "cl_khr_fp16", "cl_khr_fp64"}};
  return caps;
}

Program ofGpus(const std::string& name) {
  const builtin_kernels::Source source =
      builtin_kernels::sourceFor(gpu(), std::vector<std::string>{name});
  std::vector<Program> files;
  std::vector<cl_program> headers;
  std::vector<const char*> names;
  for (const compiler::Header& header : source.headers) {
    headers.push_back(files.emplace_back(createProgram(header.text)).handle());
    names.push_back(header.name.c_str());
  }
  const Program compiled = createProgram(source.text);
  const Device& device = Device::get();
  const cl_int code = clCompileProgram(
      compiled.handle(), 1, &device.id, "-cl-std=CL3.0 -cl-uniform-work-group-size",
      static_cast<cl_uint>(headers.size()), headers.data(), names.data(), nullptr, nullptr);
  if (code != CL_SUCCESS)
    throw std::runtime_error(compiled.log());
  const cl_program input = compiled.handle();
  cl_int linkCode = CL_SUCCESS;
  Program linked(
      clLinkProgram(device.context, 1, &device.id, "", 1, &input, nullptr, nullptr, &linkCode));
  check(linkCode, "clLinkProgram");
  return linked;
}

} // namespace

const Program& builtInProgram(const std::string& name, Form form) {
  static std::map<std::pair<std::string, Form>, Program> made;
  const auto key = std::pair(name, form);
  const auto found = made.find(key);
  if (found != made.end())
    return found->second;
  return made.emplace(key, form == Form::OfDevice ? ofDevice(name) : ofGpus(name)).first->second;
}

Range rangeFor(const Kernel& kernel, size_t groups) {
  const cl_device_id device = Device::get().id;
  if (groups == 0) {
    std::array<size_t, 3> best = {};
    if (clGetKernelWorkGroupInfo(kernel.handle(), device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(best),
                                 best.data(), nullptr) == CL_SUCCESS)
      return {{best[0]}};
    groups = 3; // not a built-in kernel but its source
  }
  std::array<size_t, 3> local = {};
  check(clGetKernelWorkGroupInfo(kernel.handle(), device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                 sizeof(local), local.data(), nullptr),
        "clGetKernelWorkGroupInfo");
  return {{groups * local[0]}};
}

} // namespace quern::tests
