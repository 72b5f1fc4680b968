#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Makes the entry of each kernel (abi::KernelEntry) from its regions: a loop over the work-groups
/// of a row, in it one loop nest over the work-items for each region, connected as the regions are.
/// Regions are inlined and gone afterwards. Packets only run where ids are small; where a program
/// has variables, its kernels also get code for the others, else a limit.
class WorkGroupLoopsPass : public llvm::PassInfoMixin<WorkGroupLoopsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::RegionsFormed},
      .set = {Property::EntriesMade},
      .cleared = {Property::VariablesAreValues, Property::LoopsSimplified, Property::LoopsClosed,
                  Property::KernelsPrepared}};

  explicit WorkGroupLoopsPass(const PassSettings& settings);

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  unsigned vectorBits_; ///< of the vectors in which collective functions are made, 0 for none
};

} // namespace quern::compiler
