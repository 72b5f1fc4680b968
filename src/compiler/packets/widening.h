#pragma once

#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// An address with an index such as `(uint)get_global_id(0) + n`, which may wrap from one work-item
/// to the next before it is widened. Where it does not, the address is affine.
struct Widening {
  int64_t stride = 0; ///< of the address, in bytes
  /// The conversions to 64 bits whose operands, affine ones of 32 bits, must not wrap. A bit mask
  /// of an affine number of 64 bits counts as one, and so does an arithmetic shift of one that
  /// holds the 32 bits in its upper half.
  llvm::SmallVector<const llvm::Instruction*, 2> conversions;
};

/// Whether `conversion` is such a shift: its operand's upper half is what must not wrap.
bool widensUpperHalf(const llvm::Instruction& conversion);

/// Nothing for an address that is affine anyway, or not even then.
std::optional<Widening> wideningOf(const llvm::Value* pointer, const Shapes& shapes);

/// Whether an access of `bytes` goes to neighbouring places where no index wraps.
bool isContiguousUnlessWrapped(const llvm::Value* pointer, int64_t bytes, const Shapes& shapes);

} // namespace quern::compiler
