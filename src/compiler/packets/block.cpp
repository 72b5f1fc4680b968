#include "compiler/packets/block.h"

#include <llvm/IR/Instructions.h>

namespace quern::compiler {

unsigned BlockSharing::ofValue(const llvm::Value* value) const {
  if (!llvm::isa<llvm::Instruction, llvm::Argument>(value))
    return 0;
  const bool inRow = block_.columns > 1 && !inRow_.isUniform(*value);
  const bool inColumn = block_.rows > 1 && !inColumn_.isUniform(*value);
  return unsigned{inRow} | unsigned{inColumn} << 1;
}

/// An instruction without a value is done once for those that have all its operands in common.
/// Effects other than those of plain stores count.
unsigned BlockSharing::directions(const llvm::Value* value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || block_.packets() == 1)
    return ofValue(value);
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
  if (instruction->mayWriteToMemory() && !(store && store->isSimple()))
    return everyDirection;
  if (!instruction->getType()->isVoidTy())
    return ofValue(value);
  unsigned all = 0;
  for (const llvm::Value* operand : instruction->operands())
    all |= ofValue(operand);
  return all;
}

void BlockSharing::forEachOwner(unsigned directions,
                                llvm::function_ref<void(unsigned)> function) const {
  for (unsigned packet = 0; packet < block_.packets(); ++packet)
    if (owner(directions, packet) == packet)
      function(packet);
}

} // namespace quern::compiler
