#include "api/handle.h"
#include "api/kernel.h"
#include "builtin_kernels/builtin_kernels.h"

namespace quern::api {

namespace {

using abi::KernelArgument;
using runtime::Device;
using runtime::Kernel;
using runtime::KernelOnDevice;
using runtime::Program;

bool isBuiltIn(const Kernel& kernel) {
  return kernel.program().origin() == Program::Origin::BuiltInKernels;
}

constexpr InfoRow<Kernel> kernelRows[] = {
    {CL_KERNEL_FUNCTION_NAME,
     [](const Kernel& kernel, InfoValue& value) { value.putString(kernel.description().name); }},
    {CL_KERNEL_NUM_ARGS,
     [](const Kernel& kernel, InfoValue& value) {
       value.put(static_cast<cl_uint>(kernel.description().arguments.size()));
     }},
    {CL_KERNEL_REFERENCE_COUNT,
     [](const Kernel& kernel, InfoValue& value) { value.put<cl_uint>(kernel.apiReferences()); }},
    {CL_KERNEL_CONTEXT,
     [](const Kernel& kernel, InfoValue& value) { value.put(toHandle(&kernel.context())); }},
    {CL_KERNEL_PROGRAM,
     [](const Kernel& kernel, InfoValue& value) { value.put(toHandle(&kernel.program())); }},
    {CL_KERNEL_ATTRIBUTES,
     [](const Kernel& kernel, InfoValue& value) {
       const Program::Origin origin = kernel.program().origin();
       const bool hasSource =
           origin != Program::Origin::Binary && origin != Program::Origin::Il && !isBuiltIn(kernel);
       value.putString(hasSource ? kernel.description().attributes : std::string());
     }},
};

/// Fails where the program was built without -cl-kernel-arg-info, which leaves the type's name
/// empty.
template <typename Put> Status putIfAvailable(const KernelArgument& argument, Put&& put) {
  if (argument.typeName.empty())
    return Status::error(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                         "the program was built without -cl-kernel-arg-info");
  put();
  return {};
}

#define QUERN_ARGUMENT_ROW(name, append)                                                           \
  {name, [](const KernelArgument& argument, InfoValue& value) {                                    \
     return putIfAvailable(argument, [&] { append; });                                             \
   }}

constexpr InfoRow<KernelArgument> argumentRows[] = {
    QUERN_ARGUMENT_ROW(CL_KERNEL_ARG_ADDRESS_QUALIFIER, value.put(argument.addressQualifier)),
    QUERN_ARGUMENT_ROW(CL_KERNEL_ARG_ACCESS_QUALIFIER, value.put(argument.accessQualifier)),
    QUERN_ARGUMENT_ROW(CL_KERNEL_ARG_TYPE_NAME, value.putString(argument.typeName)),
    QUERN_ARGUMENT_ROW(CL_KERNEL_ARG_TYPE_QUALIFIER, value.put(argument.typeQualifier)),
    QUERN_ARGUMENT_ROW(CL_KERNEL_ARG_NAME, value.putString(argument.name)),
};

#undef QUERN_ARGUMENT_ROW

struct WorkGroupSubject {
  const Kernel& kernel;
  const KernelOnDevice& place;
};

constexpr InfoRow<WorkGroupSubject> workGroupRows[] = {
    {CL_KERNEL_GLOBAL_WORK_SIZE,
     [](const WorkGroupSubject& subject, InfoValue& value) -> Status {
       // The kernel is not built in; no device is a custom one.
       if (!isBuiltIn(subject.kernel))
         return Status::error(CL_INVALID_VALUE, "the kernel is not a built-in kernel");
       const size_t items = subject.place.description().requiredWorkGroupSize[0];
       value.put(std::array<size_t, 3>{
           items * builtin_kernels::usefulGroups(subject.place.device->caps(), items), 1, 1});
       return {};
     }},
    {CL_KERNEL_WORK_GROUP_SIZE,
     [](const WorkGroupSubject& subject, InfoValue& value) {
       value.put<size_t>(subject.place.limits.maxWorkGroupSize);
     }},
    {CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
     [](const WorkGroupSubject& subject, InfoValue& value) {
       for (const uint64_t size : subject.place.description().requiredWorkGroupSize)
         value.put<size_t>(size);
     }},
    {CL_KERNEL_LOCAL_MEM_SIZE,
     [](const WorkGroupSubject& subject, InfoValue& value) {
       value.put<cl_ulong>(subject.place.limits.localBytes + subject.kernel.localArgumentBytes());
     }},
    {CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
     [](const WorkGroupSubject& subject, InfoValue& value) {
       value.put<size_t>(subject.place.limits.preferredWorkGroupMultiple);
     }},
    {CL_KERNEL_PRIVATE_MEM_SIZE,
     [](const WorkGroupSubject& subject, InfoValue& value) {
       value.put<cl_ulong>(subject.place.limits.privateBytes);
     }},
    // What does not fit in registers lies with the private memory, which counts it.
    {CL_KERNEL_SPILL_MEM_SIZE_INTEL,
     [](const WorkGroupSubject&, InfoValue& value) { value.put<cl_ulong>(0); }},
};

} // namespace

Result<const KernelOnDevice*> parsePlace(const Kernel& kernel, cl_device_id handle) {
  const auto devices = kernel.program().devices();
  const Device* device = devices.front().get();
  if (handle) {
    QUERN_ASSIGN(device, fromHandle<Device>(handle));
  } else if (devices.size() > 1) {
    return Status::error(CL_INVALID_DEVICE, sentence("device is NULL, but the kernel has ",
                                                     devices.size(), " devices"));
  }
  QUERN_ASSIGN(const KernelOnDevice* place, kernel.on(*device));
  if (!place)
    return Status::error(CL_INVALID_DEVICE, "the kernel was not built for the device");
  return place;
}

Status getKernelInfo(cl_kernel handle, cl_kernel_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const Kernel* kernel, fromHandle<Kernel>(handle));
  return query(std::span<const InfoRow<Kernel>>(kernelRows), "kernel", *kernel, name, request);
}

Status getKernelArgInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info name,
                        const InfoRequest& request) {
  QUERN_ASSIGN(const Kernel* kernel, fromHandle<Kernel>(handle));
  const auto& arguments = kernel->description().arguments;
  // arg_index is not a valid argument index.
  if (index >= arguments.size())
    return Status::error(
        CL_INVALID_ARG_INDEX,
        sentence("arg_index is ", index, ", but the kernel has ", arguments.size(), " arguments"));
  if (kernel->program().origin() == Program::Origin::Il)
    return Status::error(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                         "the kernel's program was made from an intermediate language");
  return query(std::span<const InfoRow<KernelArgument>>(argumentRows), "kernel argument",
               arguments[index], name, request);
}

Status getKernelWorkGroupInfo(cl_kernel handle, cl_device_id device, cl_kernel_work_group_info name,
                              const InfoRequest& request) {
  QUERN_ASSIGN(const Kernel* kernel, fromHandle<Kernel>(handle));
  QUERN_ASSIGN(const KernelOnDevice* place, parsePlace(*kernel, device));
  return query(std::span<const InfoRow<WorkGroupSubject>>(workGroupRows), "kernel on a device",
               WorkGroupSubject{*kernel, *place}, name, request);
}

} // namespace quern::api
