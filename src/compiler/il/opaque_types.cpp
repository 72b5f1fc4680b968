#include "compiler/il/opaque_types.h"

#include "compiler/il/address_space.h"

namespace quern::compiler {
namespace {

bool isTargetType(const llvm::Type* type, llvm::StringRef name) {
  const auto* target = llvm::dyn_cast<llvm::TargetExtType>(type);
  return target && target->getName() == name;
}

/// Integer parameters of spirv.Image, as the SPIR-V instruction OpTypeImage has them.
enum : unsigned { Dim, Depth, Arrayed, Multisampled };
enum : unsigned { Dim1D = 0, Dim2D = 1, Dim3D = 2, DimBuffer = 5 };

} // namespace

cl_mem_object_type imageObjectType(const llvm::TargetExtType& type) {
  const bool isArray = type.getIntParameter(Arrayed) != 0;
  switch (type.getIntParameter(Dim)) {
  case Dim1D:
    return isArray ? CL_MEM_OBJECT_IMAGE1D_ARRAY : CL_MEM_OBJECT_IMAGE1D;
  case Dim3D:
    return CL_MEM_OBJECT_IMAGE3D;
  case DimBuffer:
    return CL_MEM_OBJECT_IMAGE1D_BUFFER;
  default:
    return isArray ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
  }
}

bool isDepthImage(const llvm::TargetExtType& type) {
  return type.getIntParameter(Depth) == 1;
}

bool isMultisampleImage(const llvm::TargetExtType& type) {
  return type.getIntParameter(Multisampled) == 1;
}

bool isImageType(const llvm::Type* type) {
  return isTargetType(type, "spirv.Image");
}

bool isSamplerType(const llvm::Type* type) {
  return isTargetType(type, "spirv.Sampler");
}

bool isQueueType(const llvm::Type* type) {
  return isTargetType(type, "spirv.Queue");
}

bool isPipeType(const llvm::Type* type) {
  return isTargetType(type, "spirv.Pipe");
}

llvm::Type* loweredOpaqueType(const llvm::Type* type) {
  llvm::LLVMContext& context = type->getContext();
  if (isImageType(type))
    return llvm::PointerType::get(context, address_space::constant);
  if (isPipeType(type))
    return llvm::PointerType::get(context, address_space::global);
  if (isSamplerType(type) || isQueueType(type) || isTargetType(type, "spirv.ReserveId") ||
      isTargetType(type, "spirv.Event") || isTargetType(type, "spirv.DeviceEvent"))
    return llvm::Type::getInt64Ty(context);
  return nullptr;
}

} // namespace quern::compiler
