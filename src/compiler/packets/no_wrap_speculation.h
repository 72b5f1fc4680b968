#pragma once

#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// An address that is affine, or the same for all work-items, where none of the numbers that it is
/// made of wraps in the packet: an index such as `(uint)get_global_id(0) + n` before it is widened,
/// or an id that is divided into a row and a column, which the packet must not leave.
struct NoWrapSpeculation {
  enum class Kind : uint8_t {
    /// A conversion from 32 to 64 bits, whose operand must not wrap; so must not the low half of 64
    /// bits that a mask leaves, and the upper half that an arithmetic shift leaves.
    Unsigned,
    Signed,
    UpperHalf,
    /// A division, a remainder, a shift to the right or a mask of low bits, for which the operand
    /// must not reach the next multiple of the divisor.
    Division,
    /// The least or the greatest of a number of 32 bits and a limit, as images clamp coordinates:
    /// the number must be within the limit.
    Limit,
    /// An operation on bits with a number that is the same for all work-items, whose lowest bits
    /// are set, or are clear: the operand must not reach the next multiple of the first power of
    /// two for which that is not so.
    BitsSet,
    BitsClear,
  };
  struct Condition {
    const llvm::Instruction* instruction;
    Kind kind;
    int64_t stride;       ///< of what must not wrap
    unsigned operand = 0; ///< which one that is
  };

  int64_t stride = 0; ///< of the address, in bytes
  llvm::SmallVector<Condition, 4> conditions;

  bool divides() const { return has(Kind::Division); }
  bool masks() const { return has(Kind::BitsSet) || has(Kind::BitsClear); }
  bool isLimited() const { return has(Kind::Limit); }

private:
  bool has(Kind kind) const {
    return llvm::any_of(conditions, [kind](const auto& c) { return c.kind == kind; });
  }
};

/// Nothing for an address that is affine anyway, or not even then.
std::optional<NoWrapSpeculation> noWrapSpeculationOf(const llvm::Value* pointer,
                                                     const Shapes& shapes);

/// The operand of a least or greatest number that is not the limit.
const llvm::Value* limitedNumber(const llvm::MinMaxIntrinsic& limited, const Shapes& shapes);

/// The same for the address of a load or store that goes to neighbouring places, or of a load that
/// is one for all work-items.
std::optional<NoWrapSpeculation> usefulNoWrapSpeculation(const llvm::Instruction& access,
                                                         const Shapes& shapes);

} // namespace quern::compiler
