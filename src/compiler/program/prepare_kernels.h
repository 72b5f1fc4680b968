#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Undoes what Clang does for other targets: gives each kernel the body that Clang put into
/// `__clang_ocl_kern_imp_NAME`, drops the calling conventions of SPIR, lets arguments of functions
/// be undefined, hides every function but the kernels and marks kernels with kernelAttribute and
/// subGroupSizeAttribute.
class PrepareKernelsPass : public llvm::PassInfoMixin<PrepareKernelsPass> {
public:
  explicit PrepareKernelsPass(uint32_t subGroupSize) : subGroupSize_(subGroupSize) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  uint32_t subGroupSize_;
};

} // namespace quern::compiler
