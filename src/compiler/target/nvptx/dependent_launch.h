#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Lets the work-groups of a kernel take their places while the last ones of the kernel before it
/// in the stream are ending ("programmatic dependent launch" in NVIDIA's documentation, PTX's
/// griddepcontrol.wait, from compute capability 9.0 on): the kernel first waits until all before it
/// has ended and can be seen, and KernelDescription::startsEarly says so.
///
/// The driver's compiler moves loads of memory that nobody writes (ld.global.nc) to before the
/// wait, though kernels before may have written it. Where nothing is written before such loads they
/// are made ordinary ones, which loses nothing; other kernels with such loads start as ever.
/// An optimisation might move something to a place in front of the wait.
class DependentLaunchPass : public llvm::PassInfoMixin<DependentLaunchPass> {
public:
  static constexpr Contract contract = {.required = {Property::NvptxAddressSpaces},
                                        .cleared = {Property::OpenToOptimization}};

  explicit DependentLaunchPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool canWait_;
};

} // namespace quern::compiler
