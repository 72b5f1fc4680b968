#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/checks/shadow_memory.h"
#include "compiler/checks/shared_shadows.h"

namespace quern::compiler {

/// For each value that may be made of bytes that were never written, whether it is: an i1, or for a
/// vector one for each element. A constant is always written, an undefined pointer never: that is
/// what a variable has become that nothing was stored to.
class ShadowValues {
public:
  ShadowValues(const ShadowMemory& memory, SharedShadows& shared)
      : memory_(memory), shared_(shared) {}

  /// Makes the shadow of what `instruction` yields or writes, behind it; those of its operands are
  /// made, but for phis, whose operands `complete` adds in the end.
  void add(llvm::Instruction& instruction);
  void complete();

  /// As one i1 that is true where any part of `value` was not written; null where all was.
  llvm::Value* anyOf(llvm::IRBuilder<>& builder, llvm::Value* value) const;
  /// The same of what an atomic operation finds in memory. What it leaves there, and yields, counts
  /// as written.
  llvm::Value* anyBefore(const llvm::Instruction& atomic) const { return found_.lookup(&atomic); }

private:
  llvm::Value* lookup(llvm::Value* value) const;
  /// Never null.
  llvm::Value* shadowFor(llvm::Value* value) const;
  llvm::Value* ofOperands(llvm::IRBuilder<>& builder, llvm::Instruction& instruction) const;
  llvm::Value* ofElements(llvm::IRBuilder<>& builder, llvm::Instruction& instruction) const;
  Shadow shadowAt(llvm::IRBuilder<>& builder, llvm::Value* pointer) const;
  llvm::Value* load(llvm::IRBuilder<>& builder, llvm::Instruction& load, llvm::Value* pointer,
                    llvm::Type* type, llvm::Align alignment) const;
  void store(llvm::IRBuilder<>& builder, llvm::StoreInst& store) const;
  void exchange(llvm::Instruction& atomic, llvm::Value* pointer, llvm::Type* type);
  void copy(llvm::IRBuilder<>& builder, llvm::MemIntrinsic& intrinsic) const;
  void noteWritten(llvm::IRBuilder<>& builder, llvm::Value* pointer, llvm::Value* bytes,
                   llvm::MaybeAlign alignment) const;

  const ShadowMemory& memory_;
  SharedShadows& shared_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> shadows_;           ///< of those that may be unwritten
  llvm::DenseMap<const llvm::Instruction*, llvm::Value*> found_; ///< by atomic operations
  llvm::SmallVector<llvm::PHINode*> phis_;
};

} // namespace quern::compiler
