#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Cuts every work-item body at its barriers into one function for each region
/// (regions/region_graph.h). Afterwards no barrier is left, and what lives across one is kept in
/// the group's context or, if uniform, in the work-group function. Where work-items may leave a
/// region in different directions (a program is wrong then, unless it only looks so), each item's
/// next region is kept in the context, too.
class FormRegionsPass : public llvm::PassInfoMixin<FormRegionsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::BarriersIsolated,
                   Property::LocalMemoryPlaced, Property::SubGroupsPlaced},
      .set = {Property::RegionsFormed},
      .cleared = {Property::VariablesAreValues, Property::LoopsSimplified, Property::LoopsClosed}};

  /// Where regions may run in packets, arrays that live across barriers are laid out for them
  /// (regions/interleaved_variables.h).
  explicit FormRegionsPass(const PassSettings& settings) : interleaves_(settings.hasPackets()) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool interleaves_;
};

} // namespace quern::compiler
