#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Prepares pointers for LLVM's InferAddressSpaces, which takes no address space for one that is
/// made of nothing but null and other constants, as one that is null on all ways into a loop, and
/// fails where another pointer is made of such a one. Those that are always null become the
/// constant; for others, the constant that they begin with is no longer known to be one.
///
/// Unreachable code, where a pointer may be made of nothing but itself, is removed.
class ConstantPointersPass : public llvm::PassInfoMixin<ConstantPointersPass> {
public:
  static constexpr Contract contract = {
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  explicit ConstantPointersPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

private:
  unsigned genericAddressSpace_;
};

} // namespace quern::compiler
