// Processors divide no vectors of integers: numbers of up to 32 bits are divided as floating-point
// numbers that hold them exactly, and longer ones that are no greater as if they were short.
#include "compiler/packets/packet_divisions.h"

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/il/division.h"

namespace quern::compiler {

using llvm::Value;

/// A work-item that does not run this must not divide by what it happens to have, but for a
/// constant: LLVM multiplies or shifts then.
Value* PacketDivisions::emit(llvm::BinaryOperator& division) {
  if (Value* narrow = emitNarrow(division))
    return narrow;
  Value* divisor = vector(division.getOperand(1));
  if (mask() && !llvm::isSafeToSpeculativelyExecute(&division))
    divisor = builder_.CreateSelect(mask(), divisor, llvm::ConstantInt::get(divisor->getType(), 1));
  return builder_.CreateBinOp(division.getOpcode(), vector(division.getOperand(0)), divisor);
}

/// Null where the numbers may have more than 32 bits.
Value* PacketDivisions::emitNarrow(llvm::BinaryOperator& division) {
  constexpr unsigned narrowBits = 32;
  const unsigned bits = division.getType()->getScalarSizeInBits();
  if (bits > 64 || bits < 8)
    return nullptr;
  Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
  llvm::Instruction::BinaryOps opcode = division.getOpcode();
  const auto isNonNegative = [&](Value* value) {
    return plan_.shapes.greatest(value) <= llvm::maskTrailingOnes<uint64_t>(bits - 1);
  };
  if (isSignedDivision(opcode) && isNonNegative(dividend) && isNonNegative(divisor))
    opcode = unsignedForm(opcode);
  const bool isLong = bits > narrowBits;
  // All greater divisors give the same as the greatest short one.
  if (isLong && (isSignedDivision(opcode) || plan_.shapes.greatest(dividend) >= UINT32_MAX))
    return nullptr;
  const auto shortened = [&](Value* value, bool isDivisor) -> Value* {
    if (!isLong)
      return value;
    llvm::Type* type = value->getType();
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
      return builder_.getInt32(
          static_cast<uint32_t>(std::min<uint64_t>(constant->getZExtValue(), UINT32_MAX)));
    if (isDivisor)
      value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, value,
                                             llvm::ConstantInt::get(type, UINT32_MAX));
    return builder_.CreateTrunc(value, type->getWithNewBitWidth(narrowBits));
  };
  const bool isUniform = plan_.shapes.of(divisor).isUniform();
  Value* uniform = isUniform ? shortened(scalar(divisor), true) : nullptr;
  Value* by = isUniform ? builder_.CreateVectorSplat(plan_.width, uniform)
                        : shortened(vector(divisor), true);
  Value* from = shortened(vector(dividend), false);
  // LLVM multiplies where the divisor is a constant.
  Value* result = llvm::isa<llvm::ConstantInt>(divisor) ? builder_.CreateBinOp(opcode, from, by)
                                                        : emitAsFloat(from, by, uniform, opcode);
  return isLong ? builder_.CreateZExt(result, vectorType(division.getType())) : result;
}

/// Let n and d be the numbers, of b bits, and k the integer above n/d. k is at least 1/d away, and
/// a quotient that is rounded once at most 2^(b-p)/d, where floating-point numbers have p bits, so
/// that k is never reached: the integer part is right. One that is made by the next number above
/// 1/d is never below n/d and at most 2^(b-p+2)/d above it.
///
/// Work-items that do not run this, or whose result no integer can hold, get any number.
Value* PacketDivisions::emitAsFloat(Value* dividend, Value* divisor, Value* uniformDivisor,
                                    llvm::Instruction::BinaryOps opcode) {
  llvm::Type* type = dividend->getType();
  const bool hasSign = isSignedDivision(opcode);
  llvm::Type* element =
      type->getScalarSizeInBits() <= 16 ? builder_.getFloatTy() : builder_.getDoubleTy();
  const auto asFloat = [&](Value* value) {
    llvm::Type* to = value->getType()->isVectorTy() ? vectorType(element) : element;
    return hasSign ? builder_.CreateSIToFP(value, to) : builder_.CreateUIToFP(value, to);
  };
  Value* quotient = nullptr;
  if (uniformDivisor) {
    llvm::Type* bits = builder_.getIntNTy(element->getScalarSizeInBits());
    Value* inverse =
        builder_.CreateFDiv(llvm::ConstantFP::get(element, 1), asFloat(uniformDivisor));
    inverse =
        builder_.CreateAdd(builder_.CreateBitCast(inverse, bits), llvm::ConstantInt::get(bits, 1));
    inverse = builder_.CreateBitCast(inverse, element, "inverse");
    quotient =
        builder_.CreateFMul(asFloat(dividend), builder_.CreateVectorSplat(plan_.width, inverse));
  } else {
    quotient = builder_.CreateFDiv(asFloat(dividend), asFloat(divisor));
  }
  Value* whole = builder_.CreateFreeze(hasSign ? builder_.CreateFPToSI(quotient, type)
                                               : builder_.CreateFPToUI(quotient, type));
  return isRemainder(opcode) ? builder_.CreateSub(dividend, builder_.CreateMul(whole, divisor))
                             : whole;
}

} // namespace quern::compiler
