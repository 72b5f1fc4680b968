#include "compiler/loops/wide_sums.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;

/// A conversion to 64 bits that keeps the sign, in a loop, of a sum that does not wrap.
bool isOfSum(const llvm::Instruction& instruction, const llvm::Loop& loop) {
  const auto* zero = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
  if (!instruction.getType()->isIntegerTy(64) ||
      !(llvm::isa<llvm::SExtInst>(instruction) || (zero && zero->hasNonNeg())))
    return false;
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(instruction.getOperand(0));
  if (!sum || !sum->getType()->isIntegerTy(32) || loop.isLoopInvariant(sum) ||
      !(match(sum, m_NSWAdd(m_Value(), m_Value())) || match(sum, m_NSWSub(m_Value(), m_Value()))))
    return false;
  return loop.isLoopInvariant(sum->getOperand(0)) || loop.isLoopInvariant(sum->getOperand(1));
}

} // namespace

llvm::PreservedAnalyses WideSumsPass::run(llvm::Function& function,
                                          llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::Instruction*> conversions;
  const auto note = [&](llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    const llvm::Loop* loop = instruction ? loops.getLoopFor(instruction->getParent()) : nullptr;
    if (loop && isOfSum(*instruction, *loop))
      conversions.push_back(instruction);
  };
  if (!loops.empty())
    for (llvm::Instruction& instruction : llvm::instructions(function))
      note(&instruction);
  const bool changed = !conversions.empty();
  while (!conversions.empty()) {
    llvm::Instruction* conversion = conversions.pop_back_val();
    auto* sum = llvm::cast<llvm::BinaryOperator>(conversion->getOperand(0));
    llvm::IRBuilder<> builder(conversion);
    llvm::Value* left = builder.CreateSExt(sum->getOperand(0), conversion->getType());
    llvm::Value* right = builder.CreateSExt(sum->getOperand(1), conversion->getType());
    llvm::Value* wide = builder.CreateBinOp(sum->getOpcode(), left, right);
    if (auto* made = llvm::dyn_cast<llvm::BinaryOperator>(wide))
      made->setHasNoSignedWrap();
    wide->takeName(conversion);
    conversion->replaceAllUsesWith(wide);
    conversion->eraseFromParent();
    // These may be of sums themselves.
    note(left);
    note(right);
  }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
