#include "compiler/footprints/conditions.h"

#include <llvm/IR/PatternMatch.h>

namespace quern::compiler {

using namespace llvm::PatternMatch;

void addConditions(std::vector<Condition>& conditions, const llvm::Value* value, bool holds) {
  const llvm::Value *a = nullptr, *b = nullptr;
  if (match(value, m_Not(m_Value(a)))) {
    addConditions(conditions, a, !holds);
  } else if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(value)) {
    conditions.push_back({comparison, holds});
  } else if (holds ? match(value, m_LogicalAnd(m_Value(a), m_Value(b)))
                   : match(value, m_LogicalOr(m_Value(a), m_Value(b)))) {
    addConditions(conditions, a, holds);
    addConditions(conditions, b, holds);
  }
}

std::vector<Condition> conditionsOf(const llvm::BasicBlock& block,
                                    const llvm::DominatorTree& dominators) {
  std::vector<Condition> conditions;
  const llvm::DomTreeNode* node = dominators.getNode(&block);
  for (; node && node->getIDom(); node = node->getIDom()) {
    const llvm::BasicBlock* above = node->getIDom()->getBlock();
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (const unsigned side : {0u, 1u})
      if (dominators.dominates(llvm::BasicBlockEdge(above, branch->getSuccessor(side)), &block))
        addConditions(conditions, branch->getCondition(), side == 0);
  }
  return conditions;
}

} // namespace quern::compiler
