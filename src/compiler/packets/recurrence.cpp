#include "compiler/packets/recurrence.h"

#include <algorithm>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {
namespace {

/// Instructions from `phi` to `value` within `loop`, or less than 0 when it does not depend on it.
int depth(const llvm::Value* value, const llvm::PHINode& phi, const llvm::Loop& loop,
          llvm::DenseMap<const llvm::Value*, int>& depths, unsigned level) {
  constexpr int none = -1000000;
  constexpr unsigned maxLevel = 100;
  if (value == &phi)
    return 0;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !loop.contains(instruction) || level > maxLevel ||
      (llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == loop.getHeader()))
    return none;
  const auto [place, isNew] = depths.try_emplace(value, none);
  if (!isNew)
    return place->second;
  int longest = none;
  for (const llvm::Value* operand : instruction->operands())
    longest = std::max(longest, depth(operand, phi, loop, depths, level + 1));
  return depths[value] = longest + !llvm::isa<llvm::PHINode>(instruction);
}

unsigned longestRecurrence(const llvm::Loop& loop,
                           llvm::function_ref<bool(const llvm::PHINode&)> counts) {
  unsigned longest = 0;
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (const llvm::BasicBlock* latch = loop.getLoopLatch(); latch && counts(phi)) {
      llvm::DenseMap<const llvm::Value*, int> depths;
      longest = std::max(longest,
                         static_cast<unsigned>(std::max(
                             0, depth(phi.getIncomingValueForBlock(latch), phi, loop, depths, 0))));
    }
  return longest;
}

} // namespace

bool isVector(const llvm::Value* value, const Shapes& shapes) {
  return llvm::isa<llvm::Instruction>(value) && shapes.of(value).isVarying() &&
         !value->getType()->getScalarType()->isIntegerTy(1);
}

unsigned recurrenceOf(const llvm::Loop& loop, const Shapes& shapes) {
  return longestRecurrence(loop, [&](const auto& phi) { return isVector(&phi, shapes); });
}

unsigned recurrenceOfVectors(const llvm::Loop& loop) {
  return longestRecurrence(loop, [](const auto& phi) { return phi.getType()->isVectorTy(); });
}

} // namespace quern::compiler
