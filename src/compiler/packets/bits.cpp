// What is known of the bits of numbers that are made of parameters and constants alone.
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {
namespace {

using llvm::KnownBits;

std::optional<KnownBits> ofOperation(unsigned opcode, const KnownBits& a, const KnownBits& b) {
  switch (opcode) {
  case llvm::Instruction::Add:
    return KnownBits::add(a, b);
  case llvm::Instruction::Sub:
    return KnownBits::sub(a, b);
  case llvm::Instruction::Mul:
    return KnownBits::mul(a, b);
  case llvm::Instruction::Shl:
    return KnownBits::shl(a, b);
  case llvm::Instruction::LShr:
    return KnownBits::lshr(a, b);
  case llvm::Instruction::AShr:
    return KnownBits::ashr(a, b);
  case llvm::Instruction::And:
    return a & b;
  case llvm::Instruction::Or:
    return a | b;
  case llvm::Instruction::Xor:
    return a ^ b;
  case llvm::Instruction::UDiv:
    return KnownBits::udiv(a, b);
  case llvm::Instruction::SDiv:
    return KnownBits::sdiv(a, b);
  case llvm::Instruction::URem:
    return KnownBits::urem(a, b);
  case llvm::Instruction::SRem:
    return KnownBits::srem(a, b);
  default:
    return std::nullopt;
  }
}

bool areConstants(const llvm::Instruction& instruction, llvm::ArrayRef<KnownBits> operands) {
  return llvm::all_of(llvm::zip(instruction.operands(), operands), [](const auto& pair) {
    return std::get<0>(pair)->getType()->isIntegerTy() && std::get<1>(pair).isConstant();
  });
}

/// What an instruction makes of operands that are constants; null for what is no number, such as a
/// division by zero.
const llvm::ConstantInt* folded(const llvm::Instruction& instruction,
                                llvm::ArrayRef<KnownBits> operands) {
  llvm::SmallVector<llvm::Constant*, 3> constants;
  for (const auto& [operand, bits] : llvm::zip(instruction.operands(), operands))
    constants.push_back(llvm::ConstantInt::get(operand->getType(), bits.getConstant()));
  return llvm::dyn_cast_or_null<llvm::ConstantInt>(llvm::ConstantFoldInstOperands(
      const_cast<llvm::Instruction*>(&instruction), constants, instruction.getDataLayout()));
}

} // namespace

std::optional<KnownBits> Shapes::bitsOfFirst(const llvm::Value& value,
                                             const llvm::Value& origin) const {
  return bitsOf(
      value,
      [&](const llvm::Value* leaf) -> std::optional<KnownBits> {
        if (!leaf->getType()->isIntOrPtrTy())
          return std::nullopt;
        if (leaf == &origin || (isWholeRow_ && leaf == item_))
          return KnownBits::makeConstant(llvm::APInt(64, 0));
        return llvm::computeKnownBits(leaf, region_.getDataLayout());
      },
      0);
}

std::optional<KnownBits> Shapes::bitsOf(const llvm::Value& value, BitsOfLeaf ofLeaf,
                                        unsigned depth) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return KnownBits::makeConstant(constant->getValue());
  if (!instruction)
    return ofLeaf(&value);
  if (depth > ShapeLimits::bits)
    return std::nullopt;
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
    return bitsOfAddress(*address, ofLeaf, depth + 1);
  if (!value.getType()->isIntegerTy() ||
      !(instruction->isBinaryOp() ||
        llvm::isa<llvm::CastInst, llvm::ICmpInst, llvm::SelectInst>(instruction)))
    return std::nullopt;
  llvm::SmallVector<KnownBits, 3> operands;
  for (const llvm::Use& operand : instruction->operands())
    if (const std::optional<KnownBits> bits = bitsOf(*operand, ofLeaf, depth + 1))
      operands.push_back(*bits);
    else
      return std::nullopt;
  if (areConstants(*instruction, operands)) {
    const llvm::ConstantInt* constant = folded(*instruction, operands);
    return constant ? std::optional(KnownBits::makeConstant(constant->getValue())) : std::nullopt;
  }
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (llvm::isa<llvm::CastInst>(instruction))
    return llvm::isa<llvm::SExtInst>(instruction) ? operands[0].sextOrTrunc(bits)
                                                  : operands[0].zextOrTrunc(bits);
  return instruction->isBinaryOp() ? ofOperation(instruction->getOpcode(), operands[0], operands[1])
                                   : std::nullopt;
}

std::optional<KnownBits> Shapes::bitsOfAddress(const llvm::GetElementPtrInst& address,
                                               BitsOfLeaf ofLeaf, unsigned depth) const {
  const llvm::DataLayout& layout = region_.getDataLayout();
  std::optional<KnownBits> sum = bitsOf(*address.getPointerOperand(), ofLeaf, depth);
  for (auto step = llvm::gep_type_begin(address); sum && step != llvm::gep_type_end(address);
       ++step) {
    const unsigned width = sum->getBitWidth();
    const auto number = [&](uint64_t value) {
      return KnownBits::makeConstant(llvm::APInt(width, value));
    };
    if (llvm::StructType* type = step.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(step.getOperand())->getZExtValue();
      sum = KnownBits::add(
          *sum, number(layout.getStructLayout(type)->getElementOffset(field).getFixedValue()));
      continue;
    }
    const std::optional<KnownBits> index = bitsOf(*step.getOperand(), ofLeaf, depth);
    if (!index)
      return std::nullopt;
    sum = KnownBits::add(
        *sum, KnownBits::mul(index->sextOrTrunc(width),
                             number(step.getSequentialElementStride(layout).getFixedValue())));
  }
  return sum;
}

} // namespace quern::compiler
