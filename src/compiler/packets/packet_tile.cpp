#include "compiler/packets/packet_tile.h"

#include <llvm/IR/Instructions.h>

namespace quern::compiler {

unsigned TileSharing::ofValue(const llvm::Value* value) const {
  if (!llvm::isa<llvm::Instruction, llvm::Argument>(value))
    return 0;
  const bool inRow = tile_.columns > 1 && !inRow_.isUniform(*value);
  const bool inColumn = tile_.rows > 1 && !inColumn_.isUniform(*value);
  return unsigned{inRow} | unsigned{inColumn} << 1;
}

/// An instruction without a value is done once for those that have all its operands in common.
/// Effects other than those of plain stores count.
unsigned TileSharing::varyingDimensions(const llvm::Value* value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || tile_.packets() == 1)
    return ofValue(value);
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
  if (instruction->mayWriteToMemory() && !(store && store->isSimple()))
    return everyDimension;
  if (!instruction->getType()->isVoidTy())
    return ofValue(value);
  unsigned all = 0;
  for (const llvm::Value* operand : instruction->operands())
    all |= ofValue(operand);
  return all;
}

void TileSharing::forEachOwner(unsigned varyingDimensions,
                               llvm::function_ref<void(unsigned)> function) const {
  for (unsigned packet = 0; packet < tile_.packets(); ++packet)
    if (owner(varyingDimensions, packet) == packet)
      function(packet);
}

} // namespace quern::compiler
