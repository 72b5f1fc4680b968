#pragma once

#include <CL/cl.h>
#include <llvm/IR/DerivedTypes.h>

namespace quern::compiler {

/// Whether Clang made `type` of an image type, of sampler_t, of queue_t, or of a pipe, of OpenCL C.
bool isImageType(const llvm::Type* type);
bool isSamplerType(const llvm::Type* type);
bool isQueueType(const llvm::Type* type);
bool isPipeType(const llvm::Type* type);

/// Which images an image type stands for: CL_MEM_OBJECT_IMAGExxx, and those of order CL_DEPTH.
cl_mem_object_type imageObjectType(const llvm::TargetExtType& type);
bool isDepthImage(const llvm::TargetExtType& type);
bool isMultisampleImage(const llvm::TargetExtType& type);

/// What a kernel works with instead of an opaque type that Clang made: for an image the address of
/// an abi::CpuImage, for sampler_t the bits of abi/sampler_bits.h, for a pipe the address of an
/// abi::Pipe, for reserve_id_t the library's bits (builtins/include/pipe.h), for queue_t and
/// clk_event_t numbers (abi/child_records.h). Null for every other type.
llvm::Type* loweredOpaqueType(const llvm::Type* type);

} // namespace quern::compiler
