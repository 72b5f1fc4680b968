#pragma once

#include <vector>

#include "compiler/footprints/offset_steps.h"

namespace quern::compiler {

/// What the pointer of an access of a work-item body is made from.
struct PointedMemory {
  enum class Kind : uint8_t {
    Own,      ///< memory of the work-item or the work-group, or what nobody writes
    Argument, ///< what an argument of the kernel points to
    Object,   ///< what an image or a pipe consists of, beside its description
    Variable, ///< variables of the program that kernels may write
    Unknown,
  };
  Kind kind = Kind::Unknown;
  unsigned argument = 0;     ///< of Argument and Object
  OffsetSteps::Steps offset; ///< of Argument; in bytes
};

/// All that `pointer` may point to.
std::vector<PointedMemory> pointedMemory(llvm::Function& item, const llvm::Value* pointer,
                                         OffsetSteps& offsets, llvm::ScalarEvolution& evolution);

/// Whether the kernel's argument is an image or a pipe, which are addresses of their description
/// (il/opaque_types.h) by now.
bool isOpaqueArgument(const llvm::Function& item, unsigned argument);
/// Whether kernels may write the image.
bool isWrittenImage(const llvm::Function& item, unsigned argument);

} // namespace quern::compiler
