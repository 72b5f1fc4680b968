#include "compiler/loops/wide_recurrences.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/preserved_analyses.h"
#include "compiler/loops/sign_extensions.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;

/// Whether the program promises that `value`, which is computed from others, does not wrap.
bool isPromised(const llvm::Value* value) {
  return match(value, m_NSWAdd(m_Value(), m_Value())) ||
         match(value, m_NSWSub(m_Value(), m_Value())) ||
         match(value, m_NSWMul(m_Value(), m_Value()));
}

/// `value` in 64 bits.
llvm::Value* widened(llvm::Value* value, llvm::IRBuilder<>& builder, unsigned depth = 0) {
  constexpr unsigned maxDepth = 4;
  if (!isPromised(value) || depth == maxDepth)
    return builder.CreateSExt(value, builder.getInt64Ty());
  auto* const operation = llvm::cast<llvm::BinaryOperator>(value);
  llvm::Value* const left = widened(operation->getOperand(0), builder, depth + 1);
  llvm::Value* const right = widened(operation->getOperand(1), builder, depth + 1);
  return builder.CreateBinOp(operation->getOpcode(), left, right);
}

bool widen(llvm::PHINode& phi, const llvm::Loop& loop) {
  llvm::BasicBlock *const before = loop.getLoopPreheader(), *const latch = loop.getLoopLatch();
  if (!phi.getType()->isIntegerTy(32) || !before || !latch)
    return false;
  llvm::Value* const start = phi.getIncomingValueForBlock(before);
  auto* const next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch));
  llvm::Value* step = nullptr;
  if (!next || !isPromised(start) ||
      !(match(next, m_c_NSWAdd(m_Specific(&phi), m_Value(step))) ||
        match(next, m_NSWSub(m_Specific(&phi), m_Value(step)))))
    return false;
  const auto ofPhi = signExtensionsOf(phi), ofNext = signExtensionsOf(*next);
  if (ofPhi.empty() && ofNext.empty())
    return false;
  llvm::IRBuilder<> builder(before->getTerminator());
  llvm::Value* const wideStart = widened(start, builder);
  builder.SetInsertPoint(&phi);
  llvm::PHINode* const wide = builder.CreatePHI(builder.getInt64Ty(), 2, phi.getName() + ".wide");
  builder.SetInsertPoint(next);
  llvm::Value* const wideStep = builder.CreateSExt(step, builder.getInt64Ty());
  llvm::Value* const wideNext = builder.CreateBinOp(next->getOpcode(), wide, wideStep);
  if (auto* const made = llvm::dyn_cast<llvm::BinaryOperator>(wideNext))
    made->setHasNoSignedWrap();
  wide->addIncoming(wideStart, before);
  wide->addIncoming(wideNext, latch);
  replaceSignExtensions(ofPhi, wide);
  replaceSignExtensions(ofNext, wideNext);
  return true;
}

} // namespace

llvm::PreservedAnalyses WideRecurrencesPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (const llvm::Loop* loop :
       analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    for (llvm::PHINode& phi : llvm::make_early_inc_range(loop->getHeader()->phis()))
      changed |= widen(phi, *loop);
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
