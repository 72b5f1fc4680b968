#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// For each private variable of a work-item body that can be followed, another one of the same
/// size: a byte of it is all ones where that of the variable has been written. A variable whose
/// address is kept, or chosen among several, is not followed.
class ShadowMemory {
public:
  /// Makes them, and marks all as not written at the start of the body and of their lifetimes.
  explicit ShadowMemory(llvm::Function& body);

  /// Where the shadow of what `pointer` points at is; null where it is not followed.
  llvm::Value* shadowOf(llvm::IRBuilder<>& builder, llvm::Value* pointer) const;
  bool isFollowed(llvm::Value* pointer) const { return rootOf(pointer) != nullptr; }

private:
  llvm::AllocaInst* rootOf(llvm::Value* pointer) const;
  void follow(llvm::AllocaInst& variable, uint64_t bytes);

  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::AllocaInst*, llvm::AllocaInst*> shadows_;
};

} // namespace quern::compiler
