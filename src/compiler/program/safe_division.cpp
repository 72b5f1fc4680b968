#include "compiler/program/safe_division.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/division.h"
#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;

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

/// Whether a quotient is zero is a comparison of its operands. As LLVM does the same, and as
/// devices whose quotients by zero have all bits set do, none by zero is.
void compareOperands(llvm::BinaryOperator& division) {
  for (llvm::User* user : llvm::make_early_inc_range(division.users())) {
    auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(user);
    if (!comparison || !comparison->isEquality() || !match(comparison->getOperand(1), m_Zero()))
      continue;
    comparison->replaceAllUsesWith(
        llvm::IRBuilder<>(comparison)
            .CreateICmp(comparison->getPredicate() == llvm::ICmpInst::ICMP_EQ
                            ? llvm::ICmpInst::ICMP_ULT
                            : llvm::ICmpInst::ICMP_UGE,
                        division.getOperand(0), division.getOperand(1), comparison->getName()));
    comparison->eraseFromParent();
  }
}

/// Division by -1 is that by 1 with the other sign, so that what is checked is the divisor alone:
/// it may be the same for all work-items.
void makeSafe(llvm::BinaryOperator& division) {
  llvm::Value* divisor = division.getOperand(1);
  if (isHarmlessConstant(divisor, isSignedDivision(division.getOpcode())))
    return;
  llvm::IRBuilder<> builder(&division);
  llvm::Type* type = division.getType();
  llvm::Value* one = llvm::ConstantInt::get(type, 1);
  divisor = frozen(builder, divisor);
  llvm::Value* harmful =
      isSignedDivision(division.getOpcode())
          ? builder.CreateICmpULT(builder.CreateAdd(divisor, one), llvm::ConstantInt::get(type, 2),
                                  "divisor.harmful")
          : builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0), "divisor.zero");
  division.setOperand(1, builder.CreateSelect(harmful, one, divisor, "divisor.safe"));
  if (division.getOpcode() != llvm::Instruction::SDiv)
    return;
  builder.SetInsertPoint(division.getNextNode());
  llvm::Value* isNegative =
      builder.CreateICmpEQ(divisor, llvm::ConstantInt::getAllOnesValue(type), "divisor.negative");
  llvm::Value* negated = builder.CreateNeg(&division);
  llvm::Value* result = builder.CreateSelect(isNegative, negated, &division, "quotient");
  division.replaceUsesWithIf(result, [&](const llvm::Use& use) {
    return use.getUser() != negated && use.getUser() != result;
  });
}

} // namespace

llvm::PreservedAnalyses SafeDivisionPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::BinaryOperator*> divisions;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (instruction.isIntDivRem())
      divisions.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
  for (llvm::BinaryOperator* division : divisions) {
    if (division->getOpcode() == llvm::Instruction::UDiv)
      compareOperands(*division);
    if (division->use_empty())
      division->eraseFromParent();
    else
      makeSafe(*division);
  }
  return preservedWithCfg(!divisions.empty());
}

} // namespace quern::compiler
