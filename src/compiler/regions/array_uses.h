#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace quern::compiler {

/// What is known of a private variable from the pointers into it.
struct ArrayUses {
  llvm::SmallSetVector<llvm::Instruction*, 16> pointers; ///< with the variable itself
  llvm::SmallVector<llvm::MemIntrinsic*, 4> fills;
  uint64_t elementBytes = 0; ///< 0 where there is none that all accesses have
};

/// Nothing where a pointer goes where it cannot be followed.
ArrayUses usesOfArray(llvm::AllocaInst& variable);

/// The private variables of a function, in its order.
llvm::SmallVector<llvm::AllocaInst*> variablesOf(llvm::Function& function);

/// Makes elements' accesses of what fills or copies whole `variables`, where then all accesses of a
/// variable are those of elements. Returns whether anything changed.
bool expandArrayFills(llvm::ArrayRef<llvm::AllocaInst*> variables);

} // namespace quern::compiler
