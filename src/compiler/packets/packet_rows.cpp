// Products and addresses of a tile's rows, each made from that of another row: what a row needs is
// then little more than an addition, and often part of an address.
#include "compiler/packets/packet_values.h"

namespace quern::compiler {

using llvm::Value;

/// Null where there is no other row, or no known step.
Value* PacketValues::fromOtherRow(llvm::Instruction& instruction) {
  const PacketTile tile = plan_.sharing.tile();
  const unsigned packet = packet_, row = packet / tile.columns;
  if (row == 0 || !(llvm::isa<llvm::GetElementPtrInst>(instruction) ||
                    instruction.getOpcode() == llvm::Instruction::Mul ||
                    instruction.getOpcode() == llvm::Instruction::Shl))
    return nullptr;
  const std::optional<Step> step = steps_.of(&instruction, 1);
  if (!step || step->count == 0)
    return nullptr;
  const bool isAddress = instruction.getType()->isPointerTy();
  llvm::Type* type = isAddress ? builder_.getInt64Ty() : instruction.getType();
  // A factor from before is only sure to be there where what it multiplies is.
  if (step->factor && (step->factor->getType() != type ||
                       !(llvm::is_contained(instruction.operands(), step->factor) ||
                         !llvm::isa<llvm::Instruction>(step->factor))))
    return nullptr;
  setPacket(step->factor ? packet - tile.columns : packet % tile.columns);
  Value* other = scalar(&instruction);
  setPacket(0);
  Value* distance = step->factor
                        ? builder_.CreateMul(scalar(step->factor),
                                             llvm::ConstantInt::getSigned(type, step->count))
                        : llvm::ConstantInt::getSigned(type, step->count * row);
  setPacket(packet);
  return isAddress ? builder_.CreatePtrAdd(other, distance) : builder_.CreateAdd(other, distance);
}

} // namespace quern::compiler
