#include "compiler/packets/lane_predicate.h"

#include <llvm/IR/PatternMatch.h>

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;
using llvm::CmpInst;
using llvm::Value;

void addParts(LanePredicate& parts, Value* condition, bool wanted, unsigned depth) {
  Value *a = nullptr, *b = nullptr;
  if (match(condition, m_Not(m_Value(a)))) {
    addParts(parts, a, !wanted, depth);
  } else if (depth < ShapeLimits::parts &&
             (wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                     : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))) {
    addParts(parts, a, wanted, depth + 1);
    addParts(parts, b, wanted, depth + 1);
  } else {
    parts.push_back({condition, wanted});
  }
}

} // namespace

LanePredicate lanePredicate(Value* condition, bool wanted) {
  LanePredicate parts;
  addParts(parts, condition, wanted, 0);
  return parts;
}

std::optional<LaneComparison> laneComparison(const LanePart& part, const Shapes& shapes,
                                             bool isSwapped) {
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(part.condition);
  if (!comparison || !(comparison->getOperand(0)->getType()->isIntegerTy(32) ||
                       comparison->getOperand(0)->getType()->isIntegerTy(64)))
    return std::nullopt;
  Value *number = comparison->getOperand(0), *limit = comparison->getOperand(1);
  CmpInst::Predicate predicate =
      part.wanted ? comparison->getPredicate() : comparison->getInversePredicate();
  if (isSwapped || !shapes.of(limit).isUniform()) {
    std::swap(number, limit);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const Shape shape = shapes.of(number);
  if (!(shape.isUniform() || shape.isAffine()) || !shapes.of(limit).isUniform())
    return std::nullopt;
  return LaneComparison{number, predicate, limit, shape};
}

} // namespace quern::compiler
