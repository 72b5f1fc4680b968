#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Divisions and square roots of float that need not be rounded correctly (metadata `fpmath`)
/// become the instructions that are as precise as OpenCL C asks for, which LLVM's back end only
/// uses when told so for the whole process. Only in functions of the program and in library
/// functions that are nothing but such an operation: others may rely on exact rounding.
class ApproximateDivisionPass : public llvm::PassInfoMixin<ApproximateDivisionPass> {
public:
  /// `correctlyRounded`: the library's functions keep the precision that the options ask of the
  /// program's operations.
  explicit ApproximateDivisionPass(bool correctlyRounded) : correctlyRounded_(correctlyRounded) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool correctlyRounded_;
};

} // namespace quern::compiler
