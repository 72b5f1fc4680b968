#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Gives kernels that enqueue others a last argument, the address of their launch's
/// abi::ChildRecords, and passes it on to the functions that use it.
class ChildRecordsPass : public llvm::PassInfoMixin<ChildRecordsPass> {
public:
  static constexpr Contract contract = {.required = {Property::OpaqueTypesLowered}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
