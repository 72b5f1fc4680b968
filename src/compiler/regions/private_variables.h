#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include "compiler/regions/region_graph.h"

namespace quern::compiler {

/// Where a private variable (an alloca of a work-item body) lives.
enum class VariablePlace : uint8_t {
  Stack,   ///< small, and dead at every barrier: in the frame, reused by each work-item in turn
  Scratch, ///< too large for the stack, and dead at every barrier: in the context, reused by each
           ///< work-item in turn
  Context, ///< needed after a barrier: in the context, once for each work-item
  Group,   ///< a collective function's result, the same for all: with the values that are kept once
           ///< for the work-group
};

/// Decides for every private variable of a work-item body.
class PrivateVariables {
public:
  PrivateVariables(llvm::Function& item, const RegionGraph& graph);

  VariablePlace place(const llvm::AllocaInst* variable) const { return places_.lookup(variable); }
  /// In the order of the function.
  const std::vector<llvm::AllocaInst*>& all() const { return variables_; }
  /// Bytes of all variables together that each work-item has while it runs.
  uint64_t bytes() const { return bytes_; }

private:
  void findCrossing(llvm::Function& item, const RegionGraph& graph);
  void moveLargeOffStack();

  std::vector<llvm::AllocaInst*> variables_;
  llvm::DenseMap<const llvm::AllocaInst*, VariablePlace> places_;
  uint64_t bytes_ = 0;
};

} // namespace quern::compiler
