#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// A condition that must be `wanted`.
struct LanePart {
  llvm::Value* condition;
  bool wanted;
};

/// A condition on work-items, as parts that must all hold for it: the form in which packets ask
/// whether it holds for all of them (packet_conditions.h), for which of a row (active_range.h), or
/// always (assumptions.h).
using LanePredicate = llvm::SmallVector<LanePart, 4>;
LanePredicate lanePredicate(llvm::Value* condition, bool wanted);

/// A part that compares integers of 32 or 64 bits: one that is the same for all work-items, or
/// affine, with a limit that they have in common. What holds for its first and its last value holds
/// for all between.
struct LaneComparison {
  llvm::Value* number;
  llvm::CmpInst::Predicate predicate;
  llvm::Value* limit;
  Shape shape; ///< of the number

  bool isRelational() const { return llvm::ICmpInst::isRelational(predicate); }
};

/// Nothing for what is no such comparison. Of two uniform numbers the first is the limit if
/// `isSwapped`.
std::optional<LaneComparison> laneComparison(const LanePart& part, const Shapes& shapes,
                                             bool isSwapped = false);

} // namespace quern::compiler
