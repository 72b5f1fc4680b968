#pragma once

#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include "abi/footprint.h"
#include "compiler/footprints/conditions.h"

namespace quern::compiler {

/// Writes steps (abi/footprint.h) that bound an integer of a work-item body: what it is made of, as
/// far as that is ids, sizes, arguments and constants; counters of loops by how often the loop
/// runs, which scalar evolution knows; and everything by the conditions under which an instruction
/// runs.
class OffsetSteps {
public:
  using Steps = std::vector<abi::FootprintStep>;

  OffsetSteps(llvm::Function& item, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

  /// For an instruction that only runs where these conditions hold.
  void assume(std::vector<Condition> conditions) { conditions_ = std::move(conditions); }
  /// Steps that leave nothing, and find out whether the part has work-items for which what is
  /// assumed holds.
  void appendConditions(Steps& steps);
  void append(Steps& steps, const llvm::Value* value);
  void append(Steps& steps, const llvm::SCEV* value);

  /// Whether what was appended has more steps than make sense: then it says too little.
  static bool isTooLong(const Steps& steps) { return steps.size() > mostSteps; }

private:
  static constexpr size_t mostSteps = 256;
  static constexpr unsigned mostDepth = 24;

  void appendMade(Steps& steps, const llvm::Value* value);
  void appendLimits(Steps& steps, const llvm::Value* value);
  void appendLimit(Steps& steps, const llvm::Value* limit, llvm::CmpInst::Predicate predicate);
  void appendArgument(Steps& steps, const llvm::Argument& argument);
  void appendLoad(Steps& steps, const llvm::LoadInst& load);
  bool appendBinary(Steps& steps, const llvm::BinaryOperator& operation);
  bool appendShiftPair(Steps& steps, const llvm::BinaryOperator& operation);
  bool appendCast(Steps& steps, const llvm::CastInst& cast);
  bool appendCall(Steps& steps, const llvm::CallInst& call);
  void appendSelect(Steps& steps, const llvm::SelectInst& select);
  void appendPhi(Steps& steps, const llvm::PHINode& phi);
  bool appendCounter(Steps& steps, const llvm::PHINode& phi);
  void appendRecurrence(Steps& steps, const llvm::SCEVAddRecExpr& recurrence);
  void appendAll(Steps& steps, llvm::ArrayRef<const llvm::SCEV*> operands,
                 abi::FootprintOperation operation, unsigned bits);
  template <typename... Operands>
  void appendOperation(Steps& steps, abi::FootprintOperation operation, unsigned bits,
                       Operands... operands);

  llvm::Function& item_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const bool isIrreducible_; ///< a phi that heads no loop may still be what it was before
  std::vector<Condition> conditions_;
  bool isLimiting_ = false; ///< what limits another value is not limited itself
  unsigned depth_ = 0;
  llvm::SmallPtrSet<const llvm::PHINode*, 8> open_; ///< phis that are being bounded
};

} // namespace quern::compiler
