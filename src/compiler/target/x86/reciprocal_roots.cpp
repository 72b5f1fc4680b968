#include "compiler/target/x86/reciprocal_roots.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/intrinsic_calls.h"
#include "compiler/il/rounding.h"

namespace quern::compiler {
namespace {

/// Zero for other types than vectors of float or double as large as a register.
llvm::Intrinsic::ID estimateFor(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector || !(vector->getElementType()->isFloatTy() || vector->getElementType()->isDoubleTy()))
    return llvm::Intrinsic::not_intrinsic;
  const bool isDouble = vector->getElementType()->isDoubleTy();
  switch (vector->getPrimitiveSizeInBits().getFixedValue()) {
  case 128:
    return isDouble ? llvm::Intrinsic::x86_avx512_rsqrt14_pd_128
                    : llvm::Intrinsic::x86_avx512_rsqrt14_ps_128;
  case 256:
    return isDouble ? llvm::Intrinsic::x86_avx512_rsqrt14_pd_256
                    : llvm::Intrinsic::x86_avx512_rsqrt14_ps_256;
  case 512:
    return isDouble ? llvm::Intrinsic::x86_avx512_rsqrt14_pd_512
                    : llvm::Intrinsic::x86_avx512_rsqrt14_ps_512;
  default:
    return llvm::Intrinsic::not_intrinsic;
  }
}

/// `root` is that of `x`, or null where it is not computed.
llvm::Value* emitReciprocalRoot(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* root) {
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
  const bool isDouble = type->getScalarType()->isDoubleTy();
  // What the product of the root and the estimate lacks of 1; without the root, what x times the
  // square of the estimate lacks, which is twice as much. It is no number where x is zero or
  // infinite: any small one then leaves the estimate, which is infinite or zero, as it is.
  const bool usesRoot = root && !isDouble;
  llvm::Value* factor = usesRoot ? root : builder.CreateFMul(x, estimate);
  llvm::Value* rest = fma(builder.CreateFNeg(factor), estimate, constant(1));
  llvm::Constant* above = constant(0.5);
  rest = builder.CreateSelect(builder.CreateFCmpOLT(rest, above), rest, above);
  if (isDouble) {
    // (1 - rest)^(-1/2), up to the third power of what is below 2^-13.
    llvm::Value* curve = fma(fma(constant(0.3125), rest, constant(0.375)), rest, constant(0.5));
    return fma(builder.CreateFMul(estimate, rest), curve, estimate);
  }
  return fma(usesRoot ? estimate : builder.CreateFMul(estimate, constant(0.5)), rest, estimate);
}

/// A quotient of double must be exact unless it says otherwise, one of float only where the program
/// demands it.
bool mayBeInexact(const llvm::Instruction& quotient) {
  return quotient.getType()->getScalarType()->isDoubleTy()
             ? quotient.hasAllowReciprocal()
             : !isCorrectRoundingDemanded(*quotient.getModule());
}

bool replaceRoot(llvm::IntrinsicInst& root) {
  if (estimateFor(root.getType()) == llvm::Intrinsic::not_intrinsic)
    return false;
  llvm::SmallSetVector<llvm::Instruction*, 4> quotients;
  bool isNeeded = false;
  for (const llvm::Use& use : root.uses()) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (user->getOpcode() == llvm::Instruction::FDiv && use.getOperandNo() == 1 &&
        mayBeInexact(*user))
      quotients.insert(user);
    else
      isNeeded = true;
  }
  if (quotients.empty())
    return false;
  llvm::IRBuilder<> builder(root.getNextNode());
  llvm::Value* reciprocal =
      emitReciprocalRoot(builder, root.getArgOperand(0), isNeeded ? &root : nullptr);
  for (llvm::Instruction* quotient : quotients) {
    llvm::Value* dividend = quotient->getOperand(0);
    builder.SetInsertPoint(quotient);
    quotient->replaceAllUsesWith(llvm::PatternMatch::match(dividend, llvm::PatternMatch::m_FPOne())
                                     ? reciprocal
                                     : builder.CreateFMul(dividend, reciprocal));
    quotient->eraseFromParent();
  }
  if (root.use_empty())
    root.eraseFromParent();
  return true;
}

} // namespace

ReciprocalRootsPass::ReciprocalRootsPass(const PassSettings& settings)
    : hasEstimates_(hasFeature(settings.machine, "avx512vl")) {}

llvm::PreservedAnalyses ReciprocalRootsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  return hasEstimates_ ? replaceCalls(function, llvm::Intrinsic::sqrt, replaceRoot)
                       : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
