#include "compiler/target/x86/fast_quotients.h"

#include <algorithm>
#include <array>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/codegen/machine.h"
#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

bool isFast(const llvm::Instruction& instruction) {
  return instruction.getOpcode() == llvm::Instruction::FDiv && instruction.hasAllowReciprocal() &&
         instruction.getType()->isVectorTy() &&
         (instruction.getType()->getScalarType()->isFloatTy() ||
          instruction.getType()->getScalarType()->isHalfTy());
}

class Quotient {
public:
  Quotient(llvm::Instruction& quotient, FastQuotientsPass::Estimates estimates)
      : quotient_(quotient), builder_(&quotient), estimates_(estimates),
        lanes_(llvm::cast<llvm::FixedVectorType>(quotient.getType())->getNumElements()),
        type_(llvm::FixedVectorType::get(builder_.getFloatTy(), lanes_)) {}

  bool hasEstimate() const { return estimate() != llvm::Intrinsic::not_intrinsic; }

  void replace() {
    llvm::Value* result = reciprocal(widened(quotient_.getOperand(1)));
    if (!llvm::PatternMatch::match(quotient_.getOperand(0), llvm::PatternMatch::m_FPOne()))
      result = builder_.CreateFMul(widened(quotient_.getOperand(0)), result);
    quotient_.replaceAllUsesWith(builder_.CreateFPTrunc(result, quotient_.getType()));
    quotient_.eraseFromParent();
  }

private:
  /// Quotients of half are made of those of float.
  llvm::Value* widened(llvm::Value* value) { return builder_.CreateFPExt(value, type_); }

  /// None for lanes that fill no register.
  llvm::Intrinsic::ID estimate() const {
    using namespace llvm::Intrinsic;
    // Of Estimates, then of 4, 8 and 16 lanes.
    static constexpr std::array<std::array<ID, 3>, 3> known = {
        {{not_intrinsic, not_intrinsic, not_intrinsic},
         {x86_sse_rcp_ps, x86_avx_rcp_ps_256, not_intrinsic},
         {x86_avx512_rcp14_ps_128, x86_avx512_rcp14_ps_256, x86_avx512_rcp14_ps_512}}};
    if (lanes_ != 4 && lanes_ != 8 && lanes_ != 16)
      return not_intrinsic;
    return known[static_cast<size_t>(estimates_)][llvm::Log2_32(lanes_) - 2];
  }

  llvm::Value* reciprocal(llvm::Value* y) {
    llvm::SmallVector<llvm::Value*, 3> arguments = {y};
    if (estimates_ == FastQuotientsPass::Estimates::Bits14)
      arguments.append(
          {llvm::Constant::getNullValue(type_),
           llvm::ConstantInt::getAllOnesValue(builder_.getIntNTy(std::max(8u, lanes_)))});
    llvm::Value* first = builder_.CreateIntrinsic(estimate(), {}, arguments);
    // What the product of both lacks of 1 is no number where one is infinite: any small one then
    // leaves the estimate as it is.
    llvm::Constant* above = llvm::ConstantFP::get(type_, 0.5);
    llvm::Value* rest = fma(builder_.CreateFNeg(y), first, llvm::ConstantFP::get(type_, 1));
    rest = builder_.CreateSelect(builder_.CreateFCmpOLT(rest, above), rest, above);
    return fma(first, rest, first);
  }

  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {a, b, c});
  }

  llvm::Instruction& quotient_;
  llvm::IRBuilder<> builder_;
  const FastQuotientsPass::Estimates estimates_;
  const unsigned lanes_;
  llvm::Type* const type_;
};

FastQuotientsPass::Estimates estimatesOf(const PassSettings& settings) {
  if (hasFeature(settings.machine, "avx512vl"))
    return FastQuotientsPass::Estimates::Bits14;
  return hasFeature(settings.machine, "fma") ? FastQuotientsPass::Estimates::Bits12
                                             : FastQuotientsPass::Estimates::None;
}

} // namespace

FastQuotientsPass::FastQuotientsPass(const PassSettings& settings)
    : estimates_(estimatesOf(settings)) {}

llvm::PreservedAnalyses FastQuotientsPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (isFast(instruction)) {
      if (Quotient quotient(instruction, estimates_); quotient.hasEstimate())
        quotient.replace();
      else
        instruction.setHasAllowReciprocal(false);
      changed = true;
    }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
