#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/il/uniformity.h"
#include "compiler/regions/private_variables.h"

namespace quern::compiler {

/// Arrays that live across barriers, and of which all accesses are those of elements of one size:
/// the same elements of all work-items of a group lie next to each other, so that an index that
/// work-items have in common makes an access of neighbouring elements. Only those that are mostly
/// accessed with such indices: to a work-item alone its own elements lie far apart.
class InterleavedVariables {
public:
  /// None.
  InterleavedVariables() = default;
  /// Chooses among the variables that are in the context.
  InterleavedVariables(llvm::Function& item, const PrivateVariables& variables,
                       const Uniformity& uniformity);

  /// 0 for other variables.
  uint64_t elementBytes(const llvm::AllocaInst& variable) const {
    return elementBytes_.lookup(&variable);
  }
  /// Whether `value` is the address of an element of such a variable.
  bool isAddress(const llvm::Value* value) const { return addresses_.contains(value); }

  /// Makes `copy`, the copy of an address' computation in a region, one among `items` work-items.
  /// Returns the address, which takes the copy's place.
  static llvm::Value* spread(llvm::GetElementPtrInst& copy, llvm::Value* items);
  /// Makes `copy`, that of a load or store through such an address, one of elements. Returns them.
  static llvm::SmallVector<llvm::Instruction*> spread(llvm::Instruction& copy, llvm::Value* items);

private:
  llvm::DenseMap<const llvm::AllocaInst*, uint64_t> elementBytes_;
  llvm::DenseSet<const llvm::Value*> addresses_;
};

} // namespace quern::compiler
