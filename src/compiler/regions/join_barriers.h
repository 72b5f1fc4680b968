#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Bounds the code that regions repeat. A block that can be reached from several barriers belongs
/// to several regions and is copied into each; where much code follows a point at which the ways
/// from several barriers join, and all work-items of the group are known to come there together, a
/// barrier of our own makes that code a region for itself.
class JoinBarriersPass : public llvm::PassInfoMixin<JoinBarriersPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::BarriersIsolated},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace quern::compiler
