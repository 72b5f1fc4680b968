#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/il/collective.h"
#include "compiler/regions/live_values.h"
#include "compiler/regions/private_variables.h"

namespace quern::compiler {

/// Where values and variables are kept while a region other than their own runs.
///
/// The context starts with `sharedBytes` for large variables that die before the next barrier. Then
/// follow the slots of the values (slot_sharing.h) and variables, each an array with one element
/// for each work-item, so that neighbouring work-items' elements are neighbours. Uniform values
/// have offsets in a block of `uniformBytes` that the work-group function keeps to itself.
class ContextLayout {
public:
  ContextLayout(const llvm::DataLayout& layout, const LiveValues& values,
                const PrivateVariables& variables);

  uint64_t uniformBytes() const { return uniformBytes_; }
  uint64_t sharedBytes() const { return sharedBytes_; }
  uint64_t itemBytes() const { return itemBytes_; }

  uint64_t uniformOffset(const llvm::Value* value) const { return uniformOffsets_.lookup(value); }
  uint64_t sharedOffset(const llvm::Value* variable) const {
    return sharedOffsets_.lookup(variable);
  }

  /// The array of a value or variable with an element for each work-item, in the context after
  /// `sharedBytes`; of a uniform one its place in the block of `uniformBytes`.
  Collective::Slot slotOf(const llvm::Value* value) const { return slots_.lookup(value); }

  /// The address of the element of `item` in the slot of a value or variable, when `items`
  /// work-items use the context. `elementBytes`: from one element to the next.
  llvm::Value* itemAddress(llvm::IRBuilder<>& builder, const llvm::Value* value,
                           uint64_t elementBytes, llvm::Value* context, llvm::Value* items,
                           llvm::Value* item) const;

private:
  llvm::DenseMap<const llvm::Value*, uint64_t> uniformOffsets_, sharedOffsets_;
  llvm::DenseMap<const llvm::Value*, Collective::Slot> slots_;
  uint64_t uniformBytes_ = 0, sharedBytes_ = 0, itemBytes_ = 0;
};

} // namespace quern::compiler
