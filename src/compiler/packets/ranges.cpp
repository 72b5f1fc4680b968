// How large the numbers of work-items get.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {
namespace {

using namespace llvm::PatternMatch;
using llvm::ConstantRange;

/// What the operation makes of numbers of 64 bits.
ConstantRange wideResult(const llvm::BinaryOperator& operation, const ConstantRange& a,
                         const ConstantRange& b) {
  switch (operation.getOpcode()) {
  case llvm::Instruction::Or: // of disjoint bits
    return a.add(b);
  case llvm::Instruction::Shl:
    return a.multiply(ConstantRange(llvm::APInt(64, 1)).shl(b));
  default:
    return a.binaryOp(operation.getOpcode(), b);
  }
}

bool fitsInt(const ConstantRange& numbers) {
  return numbers.getSignedMin().isSignedIntN(32) && numbers.getSignedMax().isSignedIntN(32);
}

} // namespace

/// A number that is not negative, and hardly changes what an id of 31 bits needs.
bool Shapes::isSmall(const llvm::Value* value) const {
  return value->getType()->isIntegerTy() &&
         llvm::computeKnownBits(value, region_.getDataLayout()).countMaxActiveBits() <= 24;
}

/// A local or global id, or a global id without its offset, below maxPacketId in every work-item.
bool Shapes::isId(const llvm::Value* value) const {
  const llvm::Value* global = value;
  if (const llvm::Value* withOffset = nullptr;
      match(value, m_NUWSub(m_Value(withOffset), m_Value())))
    global = withOffset;
  const bool isGlobal = llvm::any_of(first_, [&](const llvm::Value* first) {
    const llvm::Value* local = nullptr;
    return match(global, m_c_Add(m_Specific(first), m_Value(local))) &&
           (llvm::is_contained(itemsOfDimensions_, local) || isSmall(local));
  });
  return llvm::is_contained(itemsOfDimensions_, value) || value == itemIndex_ || isGlobal ||
         isSmall(value);
}

/// The id in `high`, which is an id, or the sum of one and a small constant, times 2^32.
const llvm::Value* Shapes::idOfSum(const llvm::Value* high) const {
  const llvm::Value *shifted = nullptr, *id = nullptr;
  const llvm::APInt* constant = nullptr;
  if (!high->getType()->isIntegerTy(64))
    return nullptr;
  if (match(high, m_Add(m_Value(shifted), m_APInt(constant)))) {
    const int64_t sum = constant->getSExtValue();
    if (sum % (int64_t{1} << 32) != 0 || std::abs(sum >> 32) > maxIdSum)
      return nullptr;
    high = shifted;
  }
  return match(high, m_Shl(m_Value(id), m_SpecificInt(32))) && isId(id) ? id : nullptr;
}

/// Values that fit no int are fine where the program promises that there are none (nsw).
bool Shapes::isExact(const llvm::Value* value, unsigned depth) const {
  if (llvm::isa<llvm::ConstantInt>(value))
    return value->getType()->getIntegerBitWidth() <= 64;
  if (!value->getType()->isIntegerTy(32))
    return false;
  if (of(value).isUniform())
    return true;
  if (const auto* conversion = llvm::dyn_cast<llvm::TruncInst>(value))
    return isId(conversion->getOperand(0));
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!operation || depth > ShapeLimits::range)
    return false;
  const llvm::Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(right);
  // A part of the operand, whatever that is.
  if (constant && operation->getOpcode() == llvm::Instruction::And && !constant->isNegative())
    return true;
  if (constant && operation->isShift() && operation->getOpcode() != llvm::Instruction::Shl)
    return !constant->isZero() && constant->getValue().ult(32);
  if (!isExact(left, depth + 1) || !isExact(right, depth + 1))
    return false;
  const ConstantRange a = range(left).sextOrTrunc(64), b = range(right).sextOrTrunc(64);
  switch (operation->getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::URem:
    return constant && constant->getValue().isStrictlyPositive() && a.isAllNonNegative();
  case llvm::Instruction::Xor:
    return a.isAllNonNegative() && b.isAllNonNegative();
  case llvm::Instruction::Or:
    return llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint() &&
           fitsInt(wideResult(*operation, a, b));
  case llvm::Instruction::Shl:
    if (!constant || constant->getValue().uge(32))
      return false;
    [[fallthrough]];
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
    return operation->hasNoSignedWrap() || fitsInt(wideResult(*operation, a, b));
  default:
    return false;
  }
}

ConstantRange Shapes::range(const llvm::Value* value, unsigned depth) const {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  ConstantRange known = ConstantRange::fromKnownBits(
      llvm::computeKnownBits(value, region_.getDataLayout()), /*IsSigned=*/false);
  if (bits == 64 && isId(value))
    known = known.intersectWith({llvm::APInt(64, 0), llvm::APInt(64, maxPacketId)});
  if (bits >= 32 && of(value).isUniform())
    known = known.intersectWith(
        evolution_.getSignedRange(evolution_.getSCEV(const_cast<llvm::Value*>(value))));
  if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      instruction && depth < ShapeLimits::range)
    if (const std::optional<ConstantRange> made = rangeOfResult(*instruction, depth + 1))
      known = known.intersectWith(*made);
  return known;
}

std::optional<ConstantRange> Shapes::rangeOfResult(const llvm::Instruction& instruction,
                                                   unsigned depth) const {
  const auto operand = [&](unsigned number) {
    return range(instruction.getOperand(number), depth);
  };
  if (const auto* bits = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
      bits && bits->isDisjoint())
    return operand(0).addWithNoWrap(operand(1), llvm::OverflowingBinaryOperator::NoUnsignedWrap |
                                                    llvm::OverflowingBinaryOperator::NoSignedWrap);
  if (const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction))
    return operand(0).overflowingBinaryOp(llvm::cast<llvm::BinaryOperator>(instruction).getOpcode(),
                                          operand(1), operation->getNoWrapKind());
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return operand(0).binaryOp(operation->getOpcode(), operand(1));
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Trunc:
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
    return operand(0).castOp(llvm::cast<llvm::CastInst>(instruction).getOpcode(),
                             instruction.getType()->getIntegerBitWidth());
  case llvm::Instruction::Freeze:
    return operand(0);
  case llvm::Instruction::Select:
    return operand(1).unionWith(operand(2));
  default:
    return std::nullopt;
  }
}

uint64_t Shapes::greatest(const llvm::Value* value) const {
  return range(value).getUnsignedMax().getZExtValue();
}

} // namespace quern::compiler
