#include "compiler/passes/safe_division.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;

bool isSigned(const llvm::Instruction& division) {
  return division.getOpcode() == llvm::Instruction::SDiv ||
         division.getOpcode() == llvm::Instruction::SRem;
}

/// A constant divisor with no element that is zero, undefined or, for signed division, -1.
bool isHarmlessConstant(llvm::Value* divisor, bool isSigned) {
  return match(divisor, m_CheckedInt([&](const llvm::APInt& element) {
                 return !element.isZero() && !(isSigned && element.isAllOnes());
               }));
}

/// Undefined operands must have one value in the check and in the division.
llvm::Value* frozen(llvm::IRBuilder<>& builder, llvm::Value* value) {
  if (llvm::isGuaranteedNotToBeUndefOrPoison(value))
    return value;
  return builder.CreateFreeze(value, value->getName() + ".frozen");
}

void makeSafe(llvm::BinaryOperator& division) {
  llvm::Value* divisor = division.getOperand(1);
  if (isHarmlessConstant(divisor, isSigned(division)))
    return;
  llvm::IRBuilder<> builder(&division);
  llvm::Type* type = division.getType();
  divisor = frozen(builder, divisor);
  llvm::Value* harmful =
      builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0), "divisor.zero");
  if (isSigned(division)) {
    llvm::Value* dividend = frozen(builder, division.getOperand(0));
    division.setOperand(0, dividend);
    const unsigned bits = type->getScalarSizeInBits();
    llvm::Value* overflow = builder.CreateAnd(
        builder.CreateICmpEQ(divisor, llvm::ConstantInt::getAllOnesValue(type)),
        builder.CreateICmpEQ(dividend,
                             llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits))),
        "overflow");
    harmful = builder.CreateOr(harmful, overflow);
  }
  division.setOperand(
      1, builder.CreateSelect(harmful, llvm::ConstantInt::get(type, 1), divisor, "divisor.safe"));
}

} // namespace

llvm::PreservedAnalyses SafeDivisionPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::BinaryOperator*> divisions;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (instruction.isIntDivRem())
      divisions.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
  for (llvm::BinaryOperator* division : divisions)
    makeSafe(*division);
  if (divisions.empty())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace quern::compiler
