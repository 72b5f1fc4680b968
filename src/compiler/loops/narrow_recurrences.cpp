#include "compiler/loops/narrow_recurrences.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

/// Whether `expression` changes with the iterations of `loop` in a way that may be even.
bool isRecurrence(const llvm::SCEV* expression, const llvm::Loop& loop) {
  return llvm::SCEVExprContains(expression, [&](const llvm::SCEV* part) {
    if (const auto* course = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
      return course->getLoop() == &loop;
    const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    const auto* phi = unknown ? llvm::dyn_cast<llvm::PHINode>(unknown->getValue()) : nullptr;
    return phi && phi->getParent() == loop.getHeader();
  });
}

/// Bits of the number that `instruction` widens in `loop` and that may wrap there, or 0: what is
/// known not to wrap is an even course itself.
unsigned widenedBits(llvm::Instruction& instruction, const llvm::Loop& loop,
                     llvm::ScalarEvolution& evolution) {
  if (!instruction.getType()->isIntegerTy())
    return 0;
  const llvm::SCEV* const value = evolution.getSCEV(&instruction);
  if (!llvm::isa<llvm::SCEVZeroExtendExpr, llvm::SCEVSignExtendExpr>(value))
    return 0;
  const llvm::SCEV* const narrow = llvm::cast<llvm::SCEVCastExpr>(value)->getOperand();
  return isRecurrence(narrow, loop) ? narrow->getType()->getIntegerBitWidth() : 0;
}

bool freezeNarrow(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<std::pair<llvm::Instruction*, unsigned>> widened;
  unsigned widest = 0;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block)
      if (const unsigned bits = widenedBits(instruction, loop, evolution)) {
        widened.emplace_back(&instruction, bits);
        widest = std::max(widest, bits);
      }
  bool changed = false;
  for (const auto& [instruction, bits] : widened) {
    const auto next = instruction->getInsertionPointAfterDef();
    if (bits == widest || !next)
      continue;
    llvm::IRBuilder<> builder(instruction->getParent(), *next);
    auto* const frozen =
        llvm::cast<llvm::Instruction>(builder.CreateFreeze(instruction, instruction->getName()));
    evolution.forgetValue(instruction);
    instruction->replaceUsesWithIf(frozen, [&](llvm::Use& use) { return use.getUser() != frozen; });
    changed = true;
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses NarrowRecurrencesPass::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (const llvm::Loop* loop :
       analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    changed |= loop->isInnermost() && freezeNarrow(*loop, evolution);
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
