// How large the numbers of work-items get that are made of ids: Shapes::greatest.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {

namespace {

constexpr unsigned maxDepth = 4;

} // namespace

uint64_t Shapes::greatest(const llvm::Value* value, unsigned depth) const {
  const unsigned bits = value->getType()->getScalarSizeInBits();
  uint64_t known = llvm::maskTrailingOnes<uint64_t>(bits);
  if (!value->getType()->isIntegerTy())
    return known;
  known = llvm::computeKnownBits(value, region_.getDataLayout()).getMaxValue().getZExtValue();
  if (bits == 64 && isId(value))
    known = std::min<uint64_t>(known, maxPacketId - 1);
  if (bits == 32)
    if (const std::optional<Range> range = this->range(value, 0); range && range->low >= 0)
      known = std::min<uint64_t>(known, static_cast<uint64_t>(range->high));
  if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      instruction && depth < maxDepth)
    if (const std::optional<uint64_t> made = greatestOfOperation(*instruction, depth + 1))
      known = std::min(known, *made);
  return known;
}

/// Nothing where the result may wrap, or for other operations.
std::optional<uint64_t> Shapes::greatestOfOperation(const llvm::Instruction& instruction,
                                                    unsigned depth) const {
  const auto operand = [&](unsigned number) {
    return greatest(instruction.getOperand(number), depth);
  };
  const auto unlessWrapped = [&](uint64_t result, bool overflows) -> std::optional<uint64_t> {
    const unsigned bits = instruction.getType()->getIntegerBitWidth();
    if (overflows || result > llvm::maskTrailingOnes<uint64_t>(bits))
      return std::nullopt;
    return result;
  };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Freeze:
    return operand(0);
  case llvm::Instruction::Trunc:
    return unlessWrapped(operand(0), false);
  case llvm::Instruction::SExt: {
    const unsigned bits = instruction.getOperand(0)->getType()->getScalarSizeInBits();
    const uint64_t value = operand(0);
    return unlessWrapped(value, value > llvm::maskTrailingOnes<uint64_t>(bits - 1));
  }
  case llvm::Instruction::Add: {
    bool overflows = false;
    const uint64_t sum = llvm::SaturatingAdd(operand(0), operand(1), &overflows);
    return unlessWrapped(sum, overflows);
  }
  case llvm::Instruction::Mul: {
    bool overflows = false;
    const uint64_t product = llvm::SaturatingMultiply(operand(0), operand(1), &overflows);
    return unlessWrapped(product, overflows);
  }
  case llvm::Instruction::And:
    return std::min(operand(0), operand(1));
  case llvm::Instruction::UDiv:
    if (const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
        divisor && !divisor->isZero())
      return operand(0) / divisor->getZExtValue();
    return operand(0);
  case llvm::Instruction::URem:
    return std::min(operand(0), std::max<uint64_t>(operand(1), 1) - 1);
  case llvm::Instruction::LShr:
    return operand(0);
  case llvm::Instruction::Select:
    return std::max(operand(1), operand(2));
  default:
    return std::nullopt;
  }
}

} // namespace quern::compiler
