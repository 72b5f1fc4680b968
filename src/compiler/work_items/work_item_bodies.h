#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Turns each kernel K into a work-item body K.item, which runs one work-item: its position in the
/// NDRange and the memory of its work-group become parameters (ImplicitArgument), work-item
/// functions become arithmetic on them, barriers become calls of `quern.barrier`, and arguments
/// passed by value in memory become private copies.
class WorkItemBodiesPass : public llvm::PassInfoMixin<WorkItemBodiesPass> {
public:
  static constexpr Contract contract = {.required = {Property::KernelsPrepared,
                                                     Property::CalleesInlined,
                                                     Property::OpaqueTypesLowered},
                                        .set = {Property::WorkItemBodies},
                                        .cleared = {Property::VariablesAreValues}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
