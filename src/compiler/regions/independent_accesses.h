#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Puts a region's accesses to global, constant and local memory into its access group: between two
/// barriers no work-item may depend on what another one does with plain accesses (OpenCL C 6.15.12,
/// "Memory Model"). Private variables are left out: those in the frame are shared by all
/// work-items, one after the other.
///
/// LLVM's vectoriser takes a loop whose accesses are all in the group to have no dependences at all
/// and may then also exchange two accesses of the same work-item, when it gathers accesses with a
/// stride into wide ones. So the group is only used where that cannot be seen: no load follows a
/// store to the same kind of memory, and all stores go to one object.
class IndependentAccessesPass : public llvm::PassInfoMixin<IndependentAccessesPass> {
public:
  static constexpr Contract contract = {.required = {Property::RegionsFormed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace quern::compiler
