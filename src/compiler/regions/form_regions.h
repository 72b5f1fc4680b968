#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Cuts every work-item body at its barriers into one function for each region
/// (regions/region_graph.h). Afterwards no barrier is left, and what lives across one is kept in
/// the group's context or, if uniform, in the work-group function. Where work-items may leave a
/// region in different directions (a program is wrong then, unless it only looks so), each item's
/// next region is kept in the context, too.
class FormRegionsPass : public llvm::PassInfoMixin<FormRegionsPass> {
public:
  /// `interleaves`: arrays that live across barriers are laid out for packets
  /// (regions/interleaved_variables.h).
  explicit FormRegionsPass(bool interleaves) : interleaves_(interleaves) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool interleaves_;
};

} // namespace quern::compiler
