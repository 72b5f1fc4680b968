#include <cstring>

#include "api/handle.h"
#include "api/kernel.h"
#include "device/image_format.h"
#include "runtime/device_queue.h"
#include "runtime/image.h"
#include "runtime/sampler.h"

namespace quern::api {

namespace {

using abi::ArgumentKind;
using abi::KernelArgument;
using runtime::Buffer;
using runtime::DeviceQueue;
using runtime::Image;
using runtime::Kernel;
using runtime::MemoryObject;
using runtime::Sampler;

/// One clSetKernelArg call on an argument that exists.
struct Setting {
  Kernel& kernel;
  cl_uint index;
  size_t size;
  const void* value;

  const KernelArgument& argument() const { return kernel.description().arguments[index]; }
  /// "argument 2 ('out') of the kernel 'copy'"
  std::string name() const {
    const std::string& own = argument().name;
    return sentence("argument ", index, own.empty() ? "" : " ('", own, own.empty() ? "" : "')",
                    " of the kernel '", kernel.description().name, "'");
  }
};

Status invalidSize(const Setting& setting, std::string_view what, size_t expected) {
  return Status::error(CL_INVALID_ARG_SIZE,
                       sentence("arg_size is ", setting.size, ", but ", setting.name(), " is ",
                                what, " of ", expected, " bytes"));
}

/// The object that arg_value points to, read without trusting its alignment.
template <typename Handle> Handle readHandle(const void* value) {
  Handle handle;
  std::memcpy(&handle, value, sizeof(Handle));
  return handle;
}

Status setValue(const Setting& setting) {
  // arg_size is not the size of the argument's type.
  if (setting.size != setting.argument().bytes)
    return invalidSize(setting, "a value", setting.argument().bytes);
  // arg_value is NULL for an argument that is neither a memory object nor in local memory.
  if (!setting.value)
    return Status::error(CL_INVALID_ARG_VALUE,
                         sentence("arg_value is NULL, but ", setting.name(), " is a value"));
  setting.kernel.setValue(setting.index, setting.value);
  return {};
}

Status setBuffer(const Setting& setting) {
  if (!setting.value) {
    setting.kernel.setMemory(setting.index, nullptr);
    return {};
  }
  // Checked first: fewer bytes must not be read.
  if (setting.size != sizeof(cl_mem))
    return invalidSize(setting, "a memory object", sizeof(cl_mem));
  const auto handle = readHandle<cl_mem>(setting.value);
  if (!handle) {
    setting.kernel.setMemory(setting.index, nullptr);
    return {};
  }
  QUERN_ASSIGN(MemoryObject * object, fromHandle<MemoryObject>(handle));
  // The context of the kernel and of the memory object differ.
  if (&object->context() != &setting.kernel.context())
    return Status::error(CL_INVALID_CONTEXT, sentence("the memory object for ", setting.name(),
                                                      " belongs to another context"));
  // The memory object is not valid for this argument.
  if (object->type() != CL_MEM_OBJECT_BUFFER)
    return Status::error(CL_INVALID_MEM_OBJECT,
                         sentence("the memory object for ", setting.name(), " is not a buffer"));
  setting.kernel.setMemory(setting.index, static_cast<Buffer*>(object));
  return {};
}

/// "2D array multisample depth"
std::string imageName(const KernelArgument& argument) {
  std::string name = argument.imageType == CL_MEM_OBJECT_IMAGE3D ? "3D" : "2D";
  if (argument.imageType == CL_MEM_OBJECT_IMAGE1D ||
      argument.imageType == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
      argument.imageType == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    name = "1D";
  if (argument.imageType == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    name += " buffer";
  if (argument.imageType == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
      argument.imageType == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    name += " array";
  if (argument.isMultisampleImage)
    name += " multisample";
  return argument.isDepthImage ? name + " depth" : name;
}

/// The memory object is not an image of the argument's type, or its flags exclude the argument's
/// access.
Status checkImage(const Setting& setting, MemoryObject& object) {
  const KernelArgument& argument = setting.argument();
  const Image* image = runtime::asImage(&object);
  const bool fits = image && image->type() == argument.imageType &&
                    (image->description().samples != 0) == argument.isMultisampleImage &&
                    (!argument.isDepthImage || device::isDepth(image->format()));
  if (!fits)
    return Status::error(CL_INVALID_MEM_OBJECT,
                         sentence("the memory object for ", setting.name(), " is not a ",
                                  imageName(argument), " image"));
  if (argument.accessQualifier == CL_KERNEL_ARG_ACCESS_READ_ONLY &&
      (image->flags() & CL_MEM_WRITE_ONLY))
    return Status::error(CL_INVALID_ARG_VALUE,
                         sentence("the image for ", setting.name(),
                                  " was made with CL_MEM_WRITE_ONLY and cannot be read"));
  if (argument.accessQualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY &&
      (image->flags() & CL_MEM_READ_ONLY))
    return Status::error(CL_INVALID_ARG_VALUE,
                         sentence("the image for ", setting.name(),
                                  " was made with CL_MEM_READ_ONLY and cannot be written"));
  if (argument.accessQualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY && argument.isMultisampleImage)
    return Status::error(
        CL_INVALID_ARG_VALUE,
        sentence("the image for ", setting.name(), " has several samples and cannot be written"));
  if (argument.accessQualifier != CL_KERNEL_ARG_ACCESS_READ_ONLY &&
      image->format().image_channel_order == CL_DEPTH_STENCIL)
    return Status::error(CL_INVALID_ARG_VALUE,
                         sentence("the image for ", setting.name(),
                                  " has a stencil beside the depth and cannot be written"));
  return {};
}

Status setImage(const Setting& setting) {
  if (!setting.value)
    return Status::error(CL_INVALID_MEM_OBJECT,
                         sentence("arg_value is NULL, but ", setting.name(), " is an image"));
  // Checked first: fewer bytes must not be read.
  if (setting.size != sizeof(cl_mem))
    return invalidSize(setting, "an image", sizeof(cl_mem));
  QUERN_ASSIGN(MemoryObject * object, fromHandle<MemoryObject>(readHandle<cl_mem>(setting.value)));
  // The context of the kernel and of the image differ.
  if (&object->context() != &setting.kernel.context())
    return Status::error(CL_INVALID_CONTEXT,
                         sentence("the image for ", setting.name(), " belongs to another context"));
  QUERN_TRY(checkImage(setting, *object));
  setting.kernel.setMemory(setting.index, object);
  return {};
}

Status setPipe(const Setting& setting) {
  if (!setting.value)
    return Status::error(CL_INVALID_MEM_OBJECT,
                         sentence("arg_value is NULL, but ", setting.name(), " is a pipe"));
  // Checked first: fewer bytes must not be read.
  if (setting.size != sizeof(cl_mem))
    return invalidSize(setting, "a pipe", sizeof(cl_mem));
  QUERN_ASSIGN(MemoryObject * object, fromHandle<MemoryObject>(readHandle<cl_mem>(setting.value)));
  // The context of the kernel and of the pipe differ.
  if (&object->context() != &setting.kernel.context())
    return Status::error(CL_INVALID_CONTEXT,
                         sentence("the pipe for ", setting.name(), " belongs to another context"));
  // The memory object is not valid for this argument.
  if (object->type() != CL_MEM_OBJECT_PIPE)
    return Status::error(CL_INVALID_MEM_OBJECT,
                         sentence("the memory object for ", setting.name(), " is not a pipe"));
  setting.kernel.setMemory(setting.index, object);
  return {};
}

Status setSampler(const Setting& setting) {
  if (!setting.value)
    return Status::error(CL_INVALID_SAMPLER,
                         sentence("arg_value is NULL, but ", setting.name(), " is a sampler"));
  if (setting.size != sizeof(cl_sampler))
    return invalidSize(setting, "a sampler", sizeof(cl_sampler));
  QUERN_ASSIGN(const Sampler* sampler, fromHandle<Sampler>(readHandle<cl_sampler>(setting.value)));
  // The context of the kernel and of the sampler differ.
  if (&sampler->context() != &setting.kernel.context())
    return Status::error(CL_INVALID_CONTEXT, sentence("the sampler for ", setting.name(),
                                                      " belongs to another context"));
  const uint64_t bits = sampler->bits();
  setting.kernel.setValue(setting.index, &bits);
  return {};
}

Status setQueue(const Setting& setting) {
  if (!setting.value)
    return Status::error(CL_INVALID_DEVICE_QUEUE,
                         sentence("arg_value is NULL, but ", setting.name(), " is a queue"));
  if (setting.size != sizeof(cl_command_queue))
    return invalidSize(setting, "a queue on the device", sizeof(cl_command_queue));
  QUERN_ASSIGN(const DeviceQueue* queue,
               fromHandle<DeviceQueue>(readHandle<cl_command_queue>(setting.value)));
  // The context of the kernel and of the queue differ.
  if (&queue->context() != &setting.kernel.context())
    return Status::error(CL_INVALID_CONTEXT,
                         sentence("the queue for ", setting.name(), " belongs to another context"));
  const uint64_t bits = queue->bits();
  setting.kernel.setValue(setting.index, &bits);
  return {};
}

Status setLocal(const Setting& setting) {
  // arg_value is not NULL for an argument in local memory. Any arg_size is allowed, also zero.
  if (setting.value)
    return Status::error(CL_INVALID_ARG_VALUE, sentence("arg_value must be NULL: ", setting.name(),
                                                        " is in local memory"));
  setting.kernel.setLocalBytes(setting.index, setting.size);
  return {};
}

/// The argument is no pointer to global or constant memory.
Status checkPointer(const Setting& setting) {
  const ArgumentKind kind = setting.argument().kind;
  if (kind != ArgumentKind::Global && kind != ArgumentKind::Constant)
    return Status::error(
        CL_INVALID_ARG_VALUE,
        sentence(setting.name(), " is not a pointer to global or constant memory"));
  return {};
}

/// arg_index is not a valid argument index.
Status checkIndex(const Kernel& kernel, cl_uint index) {
  const size_t count = kernel.description().arguments.size();
  if (index < count)
    return {};
  return Status::error(CL_INVALID_ARG_INDEX,
                       sentence("arg_index is ", index, ", but the kernel '",
                                kernel.description().name, "' has ", count, " arguments"));
}

} // namespace

Status setKernelArg(cl_kernel handle, cl_uint index, size_t size, const void* value) {
  QUERN_ASSIGN(Kernel * kernel, fromHandle<Kernel>(handle));
  QUERN_TRY(checkIndex(*kernel, index));
  const Setting setting = {*kernel, index, size, value};
  switch (setting.argument().kind) {
  case ArgumentKind::Value:
    return setValue(setting);
  case ArgumentKind::Global:
  case ArgumentKind::Constant:
    return setBuffer(setting);
  case ArgumentKind::Local:
    return setLocal(setting);
  case ArgumentKind::Image:
    return setImage(setting);
  case ArgumentKind::Pipe:
    return setPipe(setting);
  case ArgumentKind::Queue:
    return setQueue(setting);
  case ArgumentKind::Sampler:
    break;
  }
  return setSampler(setting);
}

Status setKernelArgSvmPointer(cl_kernel handle, cl_uint index, const void* pointer) {
  QUERN_ASSIGN(Kernel * kernel, fromHandle<Kernel>(handle));
  const runtime::Context& context = kernel->context();
  // No device of the context has shared virtual memory.
  if (!context.hasSvm(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    return Status::error(CL_INVALID_OPERATION,
                         "no device of the context has shared virtual memory");
  QUERN_TRY(checkIndex(*kernel, index));
  const Setting setting = {*kernel, index, sizeof(pointer), pointer};
  QUERN_TRY(checkPointer(setting));
  // The pointer is not one that the devices can use.
  const bool anyPointer = context.hasSvm(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  if (pointer && !anyPointer && !context.unifiedMemory().find(pointer))
    return Status::error(
        CL_INVALID_ARG_VALUE,
        sentence("the pointer for ", setting.name(), " does not point into shared virtual memory"));
  kernel->setPointer(index, pointer, Kernel::Pointer::Known);
  return {};
}

Status setKernelArgMemPointer(cl_kernel handle, cl_uint index, const void* pointer) {
  QUERN_ASSIGN(Kernel * kernel, fromHandle<Kernel>(handle));
  QUERN_TRY(checkIndex(*kernel, index));
  QUERN_TRY(checkPointer({*kernel, index, sizeof(pointer), pointer}));
  kernel->setPointer(index, pointer, Kernel::Pointer::Any);
  return {};
}

Status setKernelArgDevicePointer(cl_kernel handle, cl_uint index, MemoryDeviceAddress address) {
  QUERN_ASSIGN(Kernel * kernel, fromHandle<Kernel>(handle));
  QUERN_TRY(checkIndex(*kernel, index));
  const Setting setting = {*kernel, index, sizeof(address), &address};
  // The argument is no pointer to global memory.
  if (setting.argument().kind != ArgumentKind::Global)
    return Status::error(CL_INVALID_ARG_INDEX,
                         sentence(setting.name(), " is not a pointer to global memory"));
  kernel->setPointer(index, reinterpret_cast<const void*>(address), Kernel::Pointer::Any);
  return {};
}

} // namespace quern::api
