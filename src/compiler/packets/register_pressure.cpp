#include "compiler/packets/register_pressure.h"

#include <algorithm>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

#include "compiler/packets/recurrence.h"

namespace quern::compiler {

unsigned registerPressure(const llvm::Loop& loop, const Shapes& shapes, const TargetModel& target,
                          unsigned width, const TileSharing& sharing) {
  unsigned live = 0, loaded = 0;
  const auto registers = [&](const llvm::Value* value) {
    return target.registers(value->getType(), width);
  };
  llvm::SmallPtrSet<const llvm::Value*, 16> outside;
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (isVector(&phi, shapes))
      live += registers(&phi) * sharing.ownerCount(sharing.varyingDimensions(&phi));
  for (const llvm::BasicBlock* inside : loop.blocks())
    for (const llvm::Instruction& instruction : *inside) {
      for (const llvm::Value* operand : instruction.operands())
        if (isVector(operand, shapes) && !loop.contains(llvm::cast<llvm::Instruction>(operand)) &&
            !llvm::isa<llvm::PHINode>(instruction) && outside.insert(operand).second)
          live += registers(operand) * sharing.ownerCount(sharing.varyingDimensions(operand));
      // What several packets need waits for the last of them.
      if (isVector(&instruction, shapes) && !llvm::isa<llvm::PHINode>(instruction)) {
        const unsigned owners = sharing.ownerCount(sharing.varyingDimensions(&instruction));
        loaded = std::max(loaded, registers(&instruction) *
                                      (owners < sharing.tile().packets() ? owners : 1));
      }
    }
  return live + loaded + 1;
}

} // namespace quern::compiler
