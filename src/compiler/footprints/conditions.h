#pragma once

#include <vector>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// That a comparison holds, or does not.
struct Condition {
  const llvm::ICmpInst* comparison = nullptr;
  bool holds = true;
};

/// The comparisons that `value` says are true, or false, where `holds` is what it is: the parts of
/// a conjunction that holds, and of a disjunction that does not.
void addConditions(std::vector<Condition>& conditions, const llvm::Value* value, bool holds);

/// What holds of values wherever `block` runs, because of the branches that lead there.
std::vector<Condition> conditionsOf(const llvm::BasicBlock& block,
                                    const llvm::DominatorTree& dominators);

} // namespace quern::compiler
