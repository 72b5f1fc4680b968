#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Undoes what Clang does for other targets: gives each kernel the body that Clang put into
/// `__clang_ocl_kern_imp_NAME`, drops the calling conventions of SPIR, lets arguments of functions
/// be undefined, hides every function but the kernels and marks kernels with kernelAttribute and
/// subGroupSizeAttribute.
class PrepareKernelsPass : public llvm::PassInfoMixin<PrepareKernelsPass> {
public:
  static constexpr Contract contract = {.set = {Property::KernelsPrepared}};

  explicit PrepareKernelsPass(const PassSettings& settings)
      : subGroupSize_(settings.subGroupSize) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  uint32_t subGroupSize_;
};

} // namespace quern::compiler
