#include "compiler/checks/check_arithmetic.h"

#include <cmath>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/checks/fault.h"
#include "compiler/il/division.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

using abi::Fault;
using namespace llvm::PatternMatch;

/// A value, or an element of a vector, that is to be checked.
llvm::Value* element(llvm::IRBuilder<>& builder, llvm::Value* value, unsigned index) {
  return value->getType()->isVectorTy() ? builder.CreateExtractElement(value, index) : value;
}

unsigned elementCount(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

void reportWhere(llvm::Instruction& instruction, Fault fault, llvm::Value* isFaulty,
                 llvm::Value* first, llvm::Value* second) {
  if (match(isFaulty, m_Zero()))
    return;
  llvm::IRBuilder<> builder(&branchBefore(instruction, isFaulty));
  reportFault(builder, {.fault = fault}, instruction, first, second);
}

llvm::Value* as64Bits(llvm::IRBuilder<>& builder, llvm::Value* value, bool isSigned) {
  return builder.CreateIntCast(value, builder.getInt64Ty(), isSigned);
}

void checkDivision(llvm::BinaryOperator& division) {
  const bool isSigned = isSignedDivision(division.getOpcode());
  for (unsigned i = 0; i < elementCount(division.getType()); ++i) {
    llvm::IRBuilder<> builder(&division);
    llvm::Value* dividend = element(builder, division.getOperand(0), i);
    llvm::Value* divisor = element(builder, division.getOperand(1), i);
    llvm::Type* type = divisor->getType();
    llvm::Value* first = as64Bits(builder, dividend, isSigned);
    reportWhere(division, Fault::DivisionByZero,
                builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type)), first,
                builder.getInt64(0));
    if (!isSigned)
      continue;
    builder.SetInsertPoint(&division);
    const unsigned width = type->getIntegerBitWidth();
    llvm::Value* least = builder.getInt(llvm::APInt::getSignedMinValue(width));
    llvm::Value* overflows =
        builder.CreateAnd(builder.CreateICmpEQ(dividend, least),
                          builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
    reportWhere(division, Fault::DivisionOverflow, overflows, first,
                as64Bits(builder, divisor, true));
  }
}

/// How far the source says to shift: OpenCL C takes that by the width (6.3), which the front end
/// writes out.
llvm::Value* writtenAmount(const llvm::BinaryOperator& shift, unsigned width) {
  llvm::Value* amount = shift.getOperand(1);
  llvm::Value* written = nullptr;
  const llvm::APInt* mask = nullptr;
  if (match(amount, m_And(m_Value(written), m_APInt(mask))) && *mask == width - 1)
    return written;
  return amount;
}

void checkShift(llvm::BinaryOperator& shift) {
  const unsigned width = shift.getType()->getScalarSizeInBits();
  llvm::Value* amounts = writtenAmount(shift, width);
  for (unsigned i = 0; i < elementCount(shift.getType()); ++i) {
    llvm::IRBuilder<> builder(&shift);
    llvm::Value* amount = element(builder, amounts, i);
    reportWhere(shift, Fault::Shift,
                builder.CreateICmpUGE(amount, llvm::ConstantInt::get(amount->getType(), width)),
                as64Bits(builder, amount, true), builder.getInt64(width));
  }
}

/// Whether `number` has no integer of `width` bits when its fraction is cut off.
llvm::Value* isOutOfRange(llvm::IRBuilder<>& builder, llvm::Value* number, unsigned width,
                          bool isSigned) {
  llvm::Type* wide = builder.getDoubleTy();
  // A double has each limit below; of 64 bits the one below the least number is that number.
  llvm::Value* value = number->getType()->isDoubleTy() ? number : builder.CreateFPExt(number, wide);
  const double end = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  const double begin = isSigned ? -end : 0.0;
  constexpr unsigned significandBits = 53;
  llvm::Value* isAbove =
      width < significandBits ? builder.CreateFCmpOGT(value, llvm::ConstantFP::get(wide, begin - 1))
      : isSigned              ? builder.CreateFCmpOGE(value, llvm::ConstantFP::get(wide, begin))
                              : builder.CreateFCmpOGT(value, llvm::ConstantFP::get(wide, -1.0));
  llvm::Value* isBelow = builder.CreateFCmpOLT(value, llvm::ConstantFP::get(wide, end));
  return builder.CreateNot(builder.CreateAnd(isAbove, isBelow));
}

void checkConversion(llvm::Instruction& instruction, llvm::Value* numbers, llvm::Type* to,
                     bool isSigned) {
  const unsigned width = to->getScalarSizeInBits();
  for (unsigned i = 0; i < elementCount(to); ++i) {
    llvm::IRBuilder<> builder(&instruction);
    llvm::Value* number = element(builder, numbers, i);
    llvm::Value* wide = number->getType()->isDoubleTy()
                            ? number
                            : builder.CreateFPExt(number, builder.getDoubleTy());
    reportWhere(instruction, Fault::Conversion, isOutOfRange(builder, number, width, isSigned),
                builder.CreateBitCast(wide, builder.getInt64Ty()), builder.getInt64(width));
  }
}

/// convert_int(float) and its like, in Itanium names; those with _sat have all results.
void checkConversionCall(llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const size_t start = callee ? callee->getName().find("convert_") : llvm::StringRef::npos;
  if (start == llvm::StringRef::npos || !callee->getName().starts_with("_Z") ||
      callee->getName().contains("_sat") || call.arg_size() != 1 ||
      !call.getArgOperand(0)->getType()->isFPOrFPVectorTy() ||
      !call.getType()->isIntOrIntVectorTy())
    return;
  const bool isUnsigned = callee->getName().drop_front(start).starts_with("convert_u");
  checkConversion(call, call.getArgOperand(0), call.getType(), !isUnsigned);
}

void check(llvm::Instruction& instruction) {
  if (instruction.isIntDivRem())
    checkDivision(llvm::cast<llvm::BinaryOperator>(instruction));
  else if (instruction.isShift())
    checkShift(llvm::cast<llvm::BinaryOperator>(instruction));
  else if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction))
    checkConversion(instruction, instruction.getOperand(0), instruction.getType(),
                    llvm::isa<llvm::FPToSIInst>(instruction));
  else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    checkConversionCall(*call);
}

} // namespace

llvm::PreservedAnalyses CheckArithmeticPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::programAttribute))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::Instruction*> instructions;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    instructions.push_back(&instruction);
  for (llvm::Instruction* instruction : instructions)
    check(*instruction);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
