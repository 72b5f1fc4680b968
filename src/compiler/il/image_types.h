#pragma once

#include <CL/cl.h>
#include <llvm/IR/DerivedTypes.h>

namespace quern::compiler {

/// Whether Clang made `type` of an image type, or of sampler_t, of OpenCL C.
bool isImageType(const llvm::Type* type);
bool isSamplerType(const llvm::Type* type);

/// Which images an image type stands for: CL_MEM_OBJECT_IMAGExxx, and those of order CL_DEPTH.
cl_mem_object_type imageObjectType(const llvm::TargetExtType& type);
bool isDepthImage(const llvm::TargetExtType& type);

/// What a kernel works with instead: the address of an abi::CpuImage, and the bits of
/// abi/sampler_bits.h.
llvm::Type* loweredImageType(llvm::LLVMContext& context);
llvm::Type* loweredSamplerType(llvm::LLVMContext& context);

} // namespace quern::compiler
