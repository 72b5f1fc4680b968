#include "api/kernel.h"

#include <cstring>
#include <vector>

#include "api/handle.h"
#include "api/invalid.h"

namespace quern::api {

using runtime::Kernel;
using runtime::Program;
using runtime::UnifiedAllocation;

namespace {

/// What a flag of clSetKernelExecInfo is set to.
Result<bool> parseFlag(std::string_view name, size_t size, const void* value) {
  // param_value is NULL, or param_value_size is not that of the value.
  if (!value || size != sizeof(cl_bool))
    return invalidValue(sentence(name, " needs a value of ", sizeof(cl_bool), " bytes; ",
                                 value ? size : 0, " are given"));
  return *static_cast<const cl_bool*>(value) != CL_FALSE;
}

/// CL_KERNEL_EXEC_INFO_SVM_PTRS and its relatives.
Status setPointers(Kernel& kernel, Kernel::PointerList list, size_t size, const void* value) {
  // No device of the context has shared virtual memory, and with it unified shared memory.
  if (list != Kernel::PointerList::DeviceAddress &&
      !kernel.context().hasSvm(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    return Status::error(CL_INVALID_OPERATION,
                         "no device of the context has shared virtual memory");
  // param_value is NULL although the set is not empty, or the size is not that of whole pointers.
  if ((value == nullptr) != (size == 0) || size % sizeof(void*) != 0)
    return invalidValue(sentence("the memory that a kernel uses is told by an array of pointers; ",
                                 size, " bytes are given", value ? "" : " at NULL"));
  std::vector<const void*> pointers(size / sizeof(void*));
  if (value)
    std::memcpy(pointers.data(), value, size);
  kernel.setPointers(list, std::move(pointers));
  return {};
}

Status setIndirectAccess(Kernel& kernel, UnifiedAllocation::Kind kind, size_t size,
                         const void* value) {
  // No device of the context has memory of this kind: each has all kinds or none.
  if (!kernel.context().hasSvm(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    return Status::error(CL_INVALID_OPERATION,
                         "no device of the context has unified shared memory");
  QUERN_ASSIGN(const bool isAllowed, parseFlag("indirect access", size, value));
  kernel.setIndirectAccess(kind, isAllowed);
  return {};
}

Status setFineGrainSystem(Kernel& kernel, size_t size, const void* value) {
  QUERN_ASSIGN(const bool isWanted,
               parseFlag("CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM", size, value));
  // The value is CL_TRUE and no device of the context has fine-grain system memory.
  if (isWanted && !kernel.context().hasSvm(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
    return Status::error(CL_INVALID_OPERATION,
                         "no device of the context has fine-grain system shared virtual memory");
  // Devices that have it need not know which launches use it.
  return {};
}

} // namespace

Result<Ref<Kernel>> createKernel(cl_program handle, const char* name) {
  QUERN_ASSIGN(Program * program, fromHandle<Program>(handle));
  if (!name) {
    // A program without an executable is the error that comes first.
    QUERN_TRY(program->kernelNames().takeStatus());
    return invalidValue("kernel_name is NULL");
  }
  return Kernel::create(*program, name);
}

Status createKernelsInProgram(cl_program handle, cl_uint capacity, cl_kernel* kernels,
                              cl_uint* count) {
  QUERN_ASSIGN(Program * program, fromHandle<Program>(handle));
  QUERN_ASSIGN(const std::vector<std::string> names, program->kernelNames());
  // kernels is given and num_kernels is less than the number of kernels.
  if (kernels && capacity < names.size())
    return invalidValue(
        sentence("num_kernels is ", capacity, " but the program has ", names.size(), " kernels"));
  std::vector<Ref<Kernel>> created;
  for (const std::string& name : names) {
    if (!kernels)
      break;
    QUERN_ASSIGN(Ref<Kernel> kernel, Kernel::create(*program, name));
    created.push_back(std::move(kernel));
  }
  for (size_t i = 0; i < created.size(); ++i)
    kernels[i] = publish(created[i]);
  if (count)
    *count = static_cast<cl_uint>(names.size());
  return {};
}

Result<Ref<Kernel>> cloneKernel(cl_kernel handle) {
  QUERN_ASSIGN(const Kernel* kernel, fromHandle<Kernel>(handle));
  return kernel->clone();
}

Status setKernelExecInfo(cl_kernel handle, cl_kernel_exec_info name, size_t size,
                         const void* value) {
  QUERN_ASSIGN(Kernel * kernel, fromHandle<Kernel>(handle));
  switch (name) {
  case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    return setPointers(*kernel, Kernel::PointerList::Svm, size, value);
  case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    return setPointers(*kernel, Kernel::PointerList::Intel, size, value);
  case kernelExecInfoSvmIndirectAccess:
    return setIndirectAccess(*kernel, UnifiedAllocation::Kind::Svm, size, value);
  case kernelExecInfoDevicePointers:
    return setPointers(*kernel, Kernel::PointerList::DeviceAddress, size, value);
  case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    return setIndirectAccess(*kernel, UnifiedAllocation::Kind::Host, size, value);
  case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    return setIndirectAccess(*kernel, UnifiedAllocation::Kind::Device, size, value);
  case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
    return setIndirectAccess(*kernel, UnifiedAllocation::Kind::Shared, size, value);
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    return setFineGrainSystem(*kernel, size, value);
  default:
    return invalidValue(sentence("param_name ", name, " is no execution information of a kernel"));
  }
}

} // namespace quern::api
