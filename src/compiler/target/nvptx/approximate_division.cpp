#include "compiler/target/nvptx/approximate_division.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "compiler/il/function_name.h"
#include "compiler/il/names.h"
#include "compiler/il/rounding.h"

namespace quern::compiler {
namespace {

/// Largest errors of the instructions div.full.f32 and sqrt.approx.f32, in units in the last place.
constexpr float divisionError = 2.0f, rootError = 1.0f;

bool isDivisionOrRoot(llvm::StringRef symbol) {
  static constexpr llvm::StringLiteral names[] = {
      "sqrt",      "native_sqrt", "native_recip", "native_divide", "native_rsqrt",
      "half_sqrt", "half_recip",  "half_divide",  "half_rsqrt",    "native_tan"};
  const auto function = FunctionName::parse(symbol);
  return function && llvm::is_contained(names, function->name);
}

bool isRoot(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::sqrt;
}

bool mayBeApproximate(const llvm::Instruction& instruction) {
  if (!instruction.getType()->getScalarType()->isFloatTy())
    return false;
  const auto* operation = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
  if (!operation)
    return false;
  // With this flag the back end takes something faster still.
  if (operation->hasApproxFunc())
    return false;
  if (instruction.getOpcode() == llvm::Instruction::FDiv)
    return operation->getFPAccuracy() >= divisionError;
  return isRoot(instruction) && operation->getFPAccuracy() >= rootError;
}

void approximate(llvm::Instruction& instruction) {
  llvm::IRBuilder<> builder(&instruction);
  const bool root = isRoot(instruction);
  const auto ofScalars = [&](llvm::Value* x, llvm::Value* y) -> llvm::Value* {
    return root ? builder.CreateIntrinsic(llvm::Intrinsic::nvvm_sqrt_approx_f, {x})
                : builder.CreateIntrinsic(llvm::Intrinsic::nvvm_div_full, {x, y});
  };
  llvm::Value* x = instruction.getOperand(0);
  llvm::Value* y = root ? x : instruction.getOperand(1);
  llvm::Value* result;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType())) {
    result = llvm::PoisonValue::get(instruction.getType());
    for (uint64_t i = 0; i < vector->getNumElements(); ++i)
      result = builder.CreateInsertElement(
          result, ofScalars(builder.CreateExtractElement(x, i), builder.CreateExtractElement(y, i)),
          i);
  } else {
    result = ofScalars(x, y);
  }
  instruction.replaceAllUsesWith(result);
  instruction.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses ApproximateDivisionPass::run(llvm::Module& module,
                                                     llvm::ModuleAnalysisManager&) {
  bool changed = false;
  const bool isCorrect = isCorrectRoundingDemanded(module);
  for (llvm::Function& function : module) {
    if (!function.hasFnAttribute(names::programAttribute) &&
        (isCorrect || !isDivisionOrRoot(function.getName())))
      continue;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (mayBeApproximate(instruction)) {
        approximate(instruction);
        changed = true;
      }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
