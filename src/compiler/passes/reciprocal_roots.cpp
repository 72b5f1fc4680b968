#include "compiler/passes/reciprocal_roots.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/rounding.h"

namespace quern::compiler {
namespace {

/// Zero for other types than vectors of float as large as a register.
llvm::Intrinsic::ID estimateFor(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector || !vector->getElementType()->isFloatTy())
    return llvm::Intrinsic::not_intrinsic;
  switch (vector->getNumElements()) {
  case 4:
    return llvm::Intrinsic::x86_avx512_rsqrt14_ps_128;
  case 8:
    return llvm::Intrinsic::x86_avx512_rsqrt14_ps_256;
  case 16:
    return llvm::Intrinsic::x86_avx512_rsqrt14_ps_512;
  default:
    return llvm::Intrinsic::not_intrinsic;
  }
}

llvm::Value* emitReciprocalRoot(llvm::IRBuilder<>& builder, llvm::Value* x) {
  llvm::Type* type = x->getType();
  const auto constant = [&](double value) { return llvm::ConstantFP::get(type, value); };
  const auto fma = [&](llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return builder.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c});
  };
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  llvm::Value* allLanes =
      llvm::ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(8u, lanes)));
  llvm::Value* estimate = builder.CreateIntrinsic(
      estimateFor(type), {}, {x, llvm::Constant::getNullValue(type), allLanes});
  // What x times the square of the estimate lacks of 1. It is no number where x is zero or
  // infinite: any small one then leaves the estimate, which is infinite or zero, as it is.
  llvm::Value* product = builder.CreateFMul(x, estimate);
  llvm::Value* rest = fma(builder.CreateFNeg(product), estimate, constant(1));
  llvm::Constant* above = constant(0.5);
  rest = builder.CreateSelect(builder.CreateFCmpOLT(rest, above), rest, above);
  return fma(builder.CreateFMul(estimate, constant(0.5)), rest, estimate);
}

bool isDivisionBy(const llvm::User* user, const llvm::Value& root) {
  const auto* division = llvm::cast<llvm::Instruction>(user);
  return division->getOpcode() == llvm::Instruction::FDiv && division->getOperand(0) != &root;
}

bool replace(llvm::IntrinsicInst& root) {
  if (estimateFor(root.getType()) == llvm::Intrinsic::not_intrinsic || root.use_empty() ||
      !llvm::all_of(root.users(), [&](const llvm::User* user) { return isDivisionBy(user, root); }))
    return false;
  llvm::IRBuilder<> builder(&root);
  llvm::Value* reciprocal = emitReciprocalRoot(builder, root.getArgOperand(0));
  for (llvm::User* user : llvm::make_early_inc_range(root.users())) {
    auto* quotient = llvm::cast<llvm::Instruction>(user);
    builder.SetInsertPoint(quotient);
    quotient->replaceAllUsesWith(
        llvm::PatternMatch::match(quotient->getOperand(0), llvm::PatternMatch::m_FPOne())
            ? reciprocal
            : builder.CreateFMul(quotient->getOperand(0), reciprocal));
    quotient->eraseFromParent();
  }
  root.eraseFromParent();
  return true;
}

} // namespace

ReciprocalRootsPass::ReciprocalRootsPass(const llvm::TargetMachine& machine)
    : hasEstimates_(hasFeature(machine, "avx512vl")) {}

llvm::PreservedAnalyses ReciprocalRootsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::IntrinsicInst*> roots;
  if (hasEstimates_ && !isCorrectRoundingDemanded(*function.getParent()))
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::sqrt)
        roots.push_back(call);
  bool changed = false;
  for (llvm::IntrinsicInst* root : roots)
    changed |= replace(*root);
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace quern::compiler
