#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Atomic accesses are not volatile, too: the functions of OpenCL C 2.0 take pointers to volatile
/// objects so that they can be called with any (6.15.12), and LLVM asks a volatile access to leave
/// its address space as it is, which for these functions is the generic one. What is atomic with
/// any order is neither left out nor moved out of a loop.
class AtomicAccessesPass : public llvm::PassInfoMixin<AtomicAccessesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
