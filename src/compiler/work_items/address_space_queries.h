#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Answers `__quern_address_space_of`: at compile time where the pointer's origin
/// is visible, otherwise by comparing it with the bounds of the work-group's local memory, its
/// context and the thread's stack.
class AddressSpaceQueriesPass : public llvm::PassInfoMixin<AddressSpaceQueriesPass> {
public:
  static constexpr Contract contract = {.required = {Property::AddressSpacesInferred}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
