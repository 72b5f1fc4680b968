#include "compiler/loops/wide_sums.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/preserved_analyses.h"
#include "compiler/loops/sign_extensions.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;

/// Whether `value` is the same in all iterations, or could be computed before the loop.
bool isInvariant(llvm::Value* value, const llvm::Loop& loop, unsigned depth = 0) {
  constexpr unsigned most = 4;
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(value);
  return loop.isLoopInvariant(value) ||
         (depth < most && (operation->isBinaryOp() || operation->isCast()) &&
          !operation->isIntDivRem() &&
          llvm::all_of(
              operation->operands(),
              [&](const llvm::Use& operand) { return isInvariant(operand, loop, depth + 1); }));
}

/// Whether `value` is a sum that does not wrap, of something and what does not change in `loop`,
/// around it.
bool isSum(llvm::Value* value, const llvm::Loop& loop) {
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  return sum && sum->getType()->isIntegerTy(32) && !isInvariant(sum, loop) &&
         (match(sum, m_NSWAdd(m_Value(), m_Value())) ||
          match(sum, m_NSWSub(m_Value(), m_Value()))) &&
         (isInvariant(sum->getOperand(0), loop) || isInvariant(sum->getOperand(1), loop));
}

} // namespace

llvm::PreservedAnalyses WideSumsPass::run(llvm::Function& function,
                                          llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::Instruction*> sums;
  const auto note = [&](llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    const llvm::Loop* loop = instruction ? loops.getLoopFor(instruction->getParent()) : nullptr;
    if (loop && isSum(instruction, *loop))
      sums.push_back(instruction);
  };
  if (!loops.empty())
    for (llvm::Instruction& instruction : llvm::instructions(function))
      note(&instruction);
  bool changed = false;
  while (!sums.empty()) {
    auto* sum = llvm::cast<llvm::BinaryOperator>(sums.pop_back_val());
    const llvm::SmallVector<llvm::Instruction*> conversions = signExtensionsOf(*sum);
    if (conversions.empty())
      continue;
    changed = true;
    // One for all of them, which may lie on both sides of a branch.
    llvm::IRBuilder<> builder(sum);
    llvm::Value* left = builder.CreateSExt(sum->getOperand(0), builder.getInt64Ty());
    llvm::Value* right = builder.CreateSExt(sum->getOperand(1), builder.getInt64Ty());
    llvm::Value* wide = builder.CreateBinOp(sum->getOpcode(), left, right);
    if (auto* made = llvm::dyn_cast<llvm::BinaryOperator>(wide))
      made->setHasNoSignedWrap();
    wide->setName(sum->getName() + ".wide");
    replaceSignExtensions(conversions, wide);
    // These may be sums themselves.
    note(sum->getOperand(0));
    note(sum->getOperand(1));
  }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
