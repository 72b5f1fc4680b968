#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Aligns private variables as accesses to them claim: a program may take an array of 2-byte
/// elements for vectors, which C compilers align far enough because it is large. Variables of the
/// program are aligned to their size, up to a cache line. An access to a private variable that
/// claims more than its offset there allows claims that much no longer.
///
/// Local variables are placed by LocalVariablesPass, or by NVPTX's back end, which aligns them to
/// the longest vector that it accesses.
class VariableAlignmentPass : public llvm::PassInfoMixin<VariableAlignmentPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
