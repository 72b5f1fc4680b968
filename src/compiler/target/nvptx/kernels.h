#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Gives kernels the form that the NVIDIA device launches (abi/nvptx_kernel.h): pointers to local
/// memory come as offsets into the work-group's dynamic memory, and a last parameter says where the
/// work-items are. Then everything that depends on the work-item is lowered: work-item functions,
/// barriers, collective functions and printf.
class NvptxKernelsPass : public llvm::PassInfoMixin<NvptxKernelsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::KernelsPrepared, Property::CalleesInlined,
                   Property::NvptxAddressSpaces},
      .set = {Property::NvptxKernels},
      .cleared = {Property::VariablesAreValues, Property::AddressSpacesInferred}};

  explicit NvptxKernelsPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  unsigned capability_; ///< as computeCapability gives it
};

/// Whether it has been given that form.
bool isNvptxKernel(const llvm::Function& function);

/// The parameter of type abi::NvptxLaunch of a kernel.
llvm::Argument& launchParameter(llvm::Function& kernel);

/// The work-group's dynamic memory, as a variable of the module.
llvm::GlobalVariable& dynamicMemory(llvm::Module& module);

} // namespace quern::compiler
