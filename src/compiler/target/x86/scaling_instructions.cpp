#include "compiler/target/x86/scaling_instructions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/intrinsic_calls.h"
#include "compiler/il/vector_parts.h"
#include "compiler/target/x86/registers.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// Of two whole registers.
Value* scale(llvm::IRBuilder<>& builder, Value* values, Value* exponents) {
  using namespace llvm::Intrinsic;
  llvm::Type* type = values->getType();
  const bool isDouble = type->getScalarType()->isDoubleTy();
  const unsigned bits = type->getPrimitiveSizeInBits();
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  llvm::SmallVector<Value*> arguments = {
      values, exponents, llvm::Constant::getNullValue(type),
      llvm::ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(8u, lanes)))};
  constexpr unsigned roundsAsUsual = 4;
  if (bits == mostRegisterBits)
    arguments.push_back(builder.getInt32(roundsAsUsual));
  const ID instruction =
      bits == mostRegisterBits
          ? (isDouble ? x86_avx512_mask_scalef_pd_512 : x86_avx512_mask_scalef_ps_512)
      : bits == leastRegisterBits
          ? (isDouble ? x86_avx512_mask_scalef_pd_128 : x86_avx512_mask_scalef_ps_128)
          : (isDouble ? x86_avx512_mask_scalef_pd_256 : x86_avx512_mask_scalef_ps_256);
  return builder.CreateIntrinsic(instruction, {}, arguments);
}

/// Of vectors of any length.
Value* scaleInRegisters(llvm::IRBuilder<>& builder, Value* values, Value* exponents) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const unsigned elementBits = type->getScalarSizeInBits(), size = type->getNumElements();
  const unsigned bits =
      std::clamp(llvm::bit_ceil(elementBits * size), leastRegisterBits, mostRegisterBits);
  const unsigned lanes = bits / elementBits;
  return joinRegisters(builder, size, lanes, [&](unsigned first) {
    return scale(builder, vectorPart(builder, values, first, lanes),
                 vectorPart(builder, exponents, first, lanes));
  });
}

bool replaceScaling(llvm::IntrinsicInst& call) {
  using namespace llvm::PatternMatch;
  Value* exponent = nullptr;
  llvm::Type* type = call.getType();
  if (!match(call.getArgOperand(1), m_Intrinsic<llvm::Intrinsic::fptosi_sat>(m_Value(exponent))) ||
      exponent->getType() != type ||
      !(type->getScalarType()->isFloatTy() || type->getScalarType()->isDoubleTy()))
    return false;
  Value* unrounded = nullptr;
  if (match(exponent, m_Intrinsic<llvm::Intrinsic::floor>(m_Value(unrounded))))
    exponent = unrounded;
  llvm::IRBuilder<> builder(&call);
  Value* result = nullptr;
  if (type->isVectorTy()) {
    result = scaleInRegisters(builder, call.getArgOperand(0), exponent);
  } else {
    const auto asVector = [&](Value* value) {
      return builder.CreateInsertElement(
          llvm::PoisonValue::get(
              llvm::FixedVectorType::get(type, leastRegisterBits / type->getScalarSizeInBits())),
          value, uint64_t{0});
    };
    result = builder.CreateExtractElement(
        scale(builder, asVector(call.getArgOperand(0)), asVector(exponent)), uint64_t{0});
  }
  Value* integer = call.getArgOperand(1);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(integer);
  return true;
}

} // namespace

ScalingInstructionsPass::ScalingInstructionsPass(const PassSettings& settings)
    : hasInstructions_(hasFeature(settings.machine, "avx512vl")) {}

llvm::PreservedAnalyses ScalingInstructionsPass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager&) {
  return hasInstructions_ ? replaceCalls(function, llvm::Intrinsic::ldexp, replaceScaling)
                          : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
