#pragma once

#include <optional>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include "compiler/il/cycle_exits.h"

namespace quern::compiler {

/// Which values of a work-item body are the same for all work-items of a group that compute them:
/// LLVM's uniformity analysis, told that local ids, private memory and results of atomics differ.
///
/// That work-items which diverge at a branch are together again where their paths join is true of
/// barriers of the work-group, which all reach together. Sub-groups may run ahead of each other, so
/// in a function where they meet (`subGroupsMeet`) and paths diverge at all, nothing counts as the
/// same.
class Uniformity {
public:
  Uniformity(llvm::Function& item, bool subGroupsMeet);

  bool nothingIsUniform() const { return nothingIsUniform_; }

  /// Whether `value` is the same for the whole work-group at its definition and wherever it is
  /// used.
  bool isUniform(const llvm::Instruction& value) const;

  /// Whether work-items may leave `block` in different directions.
  bool hasDivergentTerminator(const llvm::BasicBlock& block) const;

private:
  llvm::DominatorTree dominators_;
  llvm::CycleInfo cycles_;
  ExitValues exitValues_;
  llvm::TargetTransformInfo target_;
  mutable std::optional<llvm::UniformityInfo> info_; // its queries are not const
  bool nothingIsUniform_ = false;
};

} // namespace quern::compiler
