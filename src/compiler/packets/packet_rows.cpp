// Numbers and addresses that change from one row of a block to the next by a step that is known:
// what a row needs is then little more than an addition, and often part of an address.
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "compiler/il/kernel_function.h"
#include "compiler/packets/packet_values.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// Steps stay below this, so that no sum of some overflows.
constexpr unsigned maxStepBits = 40;

std::optional<int64_t> constantFactor(const llvm::Instruction& instruction) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (!constant || !constant->getValue().isSignedIntN(maxStepBits / 2))
    return std::nullopt;
  if (instruction.getOpcode() == llvm::Instruction::Mul)
    return constant->getSExtValue();
  if (instruction.getOpcode() == llvm::Instruction::Shl && constant->getValue().ult(20))
    return int64_t{1} << constant->getZExtValue();
  return std::nullopt;
}

} // namespace

/// From one row of a block to the next, if it is the same everywhere.
std::optional<PacketValues::RowStep> PacketValues::rowStep(const Value* value) const {
  if ((plan_.sharing.directions(value) & 2) == 0)
    return RowStep{0, nullptr};
  if (value == hidden(plan_.region, Hidden::Item, 1))
    return RowStep{1, nullptr};
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return std::nullopt;
  const auto sum = [](const std::optional<RowStep>& a, const std::optional<RowStep>& b,
                      int64_t sign) -> std::optional<RowStep> {
    if (!a || !b || (a->factor && b->factor))
      return std::nullopt;
    if ((a->factor && b->count != 0) || (b->factor && a->count != 0))
      return std::nullopt;
    return RowStep{a->count + sign * b->count, a->factor ? a->factor : b->factor};
  };
  const auto ofOperand = [&](unsigned number) { return rowStep(instruction->getOperand(number)); };
  std::optional<RowStep> step;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Add:
    step = sum(ofOperand(0), ofOperand(1), 1);
    break;
  case llvm::Instruction::Sub:
    step = sum(ofOperand(0), ofOperand(1), -1);
    break;
  case llvm::Instruction::Or:
    if (llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint())
      step = sum(ofOperand(0), ofOperand(1), 1);
    break;
  case llvm::Instruction::Trunc:
    step = ofOperand(0);
    if (step && step->factor)
      return std::nullopt;
    break;
  case llvm::Instruction::Shl:
  case llvm::Instruction::Mul:
    if (const std::optional<int64_t> factor = constantFactor(*instruction)) {
      step = ofOperand(0);
      if (step)
        step->count *= *factor;
    } else if (instruction->getOpcode() == llvm::Instruction::Mul) {
      for (const unsigned number : {0u, 1u}) {
        Value* other = instruction->getOperand(1 - number);
        if (plan_.sharing.directions(other) == 0 && plan_.shapes.of(other).isUniform())
          step = ofOperand(number);
        if (step && step->factor)
          return std::nullopt;
        if (step) {
          step->factor = other;
          break;
        }
      }
    }
    break;
  case llvm::Instruction::GetElementPtr: {
    step = ofOperand(0);
    const auto& address = llvm::cast<llvm::GetElementPtrInst>(*instruction);
    for (auto part = llvm::gep_type_begin(address); part != llvm::gep_type_end(address); ++part) {
      if (part.isStruct())
        continue;
      std::optional<RowStep> ofIndex = rowStep(part.getOperand());
      if (!ofIndex)
        return std::nullopt;
      const uint64_t bytes =
          part.getSequentialElementStride(address.getDataLayout()).getFixedValue();
      if (!llvm::isUInt<maxStepBits / 2>(bytes) ||
          (ofIndex->count != 0 && !part.getOperand()->getType()->isIntegerTy(64)))
        return std::nullopt;
      ofIndex->count *= static_cast<int64_t>(bytes);
      step = sum(step, ofIndex, 1);
    }
    break;
  }
  default:
    break;
  }
  if (!step || !llvm::isInt<maxStepBits / 2>(step->count))
    return std::nullopt;
  return step;
}

/// The value of a multiplication or an address in the current packet, made from that of another
/// row; null where there is none or no known step.
Value* PacketValues::fromOtherRow(llvm::Instruction& instruction) {
  const Block block = plan_.sharing.block();
  const unsigned packet = packet_, row = packet / block.columns;
  if (row == 0 || !(llvm::isa<llvm::GetElementPtrInst>(instruction) ||
                    instruction.getOpcode() == llvm::Instruction::Mul ||
                    instruction.getOpcode() == llvm::Instruction::Shl))
    return nullptr;
  const std::optional<RowStep> step = rowStep(&instruction);
  if (!step || step->count == 0)
    return nullptr;
  llvm::Type* type =
      instruction.getType()->isPointerTy() ? builder_.getInt64Ty() : instruction.getType();
  // A factor from before is only sure to be there where what it multiplies is.
  if (step->factor && (step->factor->getType() != type ||
                       !(llvm::is_contained(instruction.operands(), step->factor) ||
                         !llvm::isa<llvm::Instruction>(step->factor))))
    return nullptr;
  setPacket(step->factor ? packet - block.columns : packet % block.columns);
  Value* other = scalar(&instruction);
  setPacket(0);
  Value* distance = step->factor
                        ? builder_.CreateMul(scalar(step->factor),
                                             llvm::ConstantInt::getSigned(type, step->count))
                        : llvm::ConstantInt::getSigned(type, step->count * row);
  setPacket(packet);
  return instruction.getType()->isPointerTy() ? builder_.CreatePtrAdd(other, distance)
                                              : builder_.CreateAdd(other, distance);
}

} // namespace quern::compiler
