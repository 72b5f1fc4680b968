#include "compiler/target/x86/fast_quotients.h"

#include <algorithm>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

/// Zero for what fills no register.
llvm::Intrinsic::ID estimateFor(unsigned lanes) {
  switch (lanes) {
  case 4:
    return llvm::Intrinsic::x86_avx512_rcp14_ps_128;
  case 8:
    return llvm::Intrinsic::x86_avx512_rcp14_ps_256;
  case 16:
    return llvm::Intrinsic::x86_avx512_rcp14_ps_512;
  default:
    return llvm::Intrinsic::not_intrinsic;
  }
}

llvm::Value* emitReciprocal(llvm::IRBuilder<>& builder, llvm::Value* y, unsigned lanes) {
  llvm::Type* type = y->getType();
  llvm::Value* allLanes =
      llvm::ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(8u, lanes)));
  llvm::Value* estimate = builder.CreateIntrinsic(
      estimateFor(lanes), {}, {y, llvm::Constant::getNullValue(type), allLanes});
  const auto fma = [&](llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return builder.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c});
  };
  // What the product of both lacks of 1 is no number where one is infinite: any small one then
  // leaves the estimate as it is.
  llvm::Constant* above = llvm::ConstantFP::get(type, 0.5);
  llvm::Value* rest = fma(builder.CreateFNeg(y), estimate, llvm::ConstantFP::get(type, 1));
  rest = builder.CreateSelect(builder.CreateFCmpOLT(rest, above), rest, above);
  return fma(estimate, rest, estimate);
}

bool isFast(const llvm::Instruction& instruction) {
  return instruction.getOpcode() == llvm::Instruction::FDiv && instruction.hasAllowReciprocal() &&
         instruction.getType()->isVectorTy() &&
         (instruction.getType()->getScalarType()->isFloatTy() ||
          instruction.getType()->getScalarType()->isHalfTy());
}

/// Quotients of half are made of those of float.
void multiplyByReciprocal(llvm::Instruction& quotient, unsigned lanes) {
  llvm::IRBuilder<> builder(&quotient);
  llvm::Type* type = quotient.getType();
  llvm::Type* wide = llvm::FixedVectorType::get(builder.getFloatTy(), lanes);
  const auto widened = [&](llvm::Value* value) {
    return type == wide ? value : builder.CreateFPExt(value, wide);
  };
  llvm::Value* result = emitReciprocal(builder, widened(quotient.getOperand(1)), lanes);
  if (!llvm::PatternMatch::match(quotient.getOperand(0), llvm::PatternMatch::m_FPOne()))
    result = builder.CreateFMul(widened(quotient.getOperand(0)), result);
  quotient.replaceAllUsesWith(type == wide ? result : builder.CreateFPTrunc(result, type));
  quotient.eraseFromParent();
}

} // namespace

FastQuotientsPass::FastQuotientsPass(const PassSettings& settings)
    : hasEstimates_(hasFeature(settings.machine, "avx512vl")) {}

llvm::PreservedAnalyses FastQuotientsPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!isFast(instruction))
      continue;
    const unsigned lanes =
        llvm::cast<llvm::FixedVectorType>(instruction.getType())->getNumElements();
    if (hasEstimates_ && estimateFor(lanes) != llvm::Intrinsic::not_intrinsic)
      multiplyByReciprocal(instruction, lanes);
    else
      instruction.setHasAllowReciprocal(false);
    changed = true;
  }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
