#include "compiler/packets/region_traits.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/packet_operation.h"
#include "compiler/packets/moved_vectors.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::Instruction;

/// Whether nothing but addresses is computed from an integer.
bool isForAddresses(const Instruction& value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 6;
  return value.getType()->isIntegerTy() && depth < maxDepth &&
         llvm::all_of(
             value.users(),
             [&](const llvm::User* user) {
               const auto* instruction = llvm::cast<Instruction>(user);
               return llvm::isa<llvm::GetElementPtrInst>(instruction) ||
                      ((instruction->isBinaryOp() || instruction->isCast()) &&
                       isForAddresses(*instruction, depth + 1));
             });
}

} // namespace

bool hasFullVectors(llvm::Function& region, const llvm::LoopInfo& loops, unsigned registerBits) {
  constexpr unsigned fewOthers = 4; // one of so many
  unsigned full = 0, others = 0;
  for (const Instruction& instruction : llvm::instructions(region)) {
    if (!loops.empty() && !loops.getLoopFor(instruction.getParent()))
      continue;
    const llvm::Type* type = instruction.getType();
    const bool computes = instruction.isBinaryOp() || instruction.isUnaryOp() ||
                          llvm::isa<llvm::CallInst>(instruction);
    if (computes && type->isVectorTy() && type->getPrimitiveSizeInBits() >= registerBits)
      ++full;
    else if (computes && (type->isVectorTy() || type->isFloatingPointTy()))
      ++others;
  }
  return full > fewOthers * others;
}

bool skipsMuch(const llvm::Function& region, const MaskedBlocks& masked) {
  size_t skipped = 0;
  for (const llvm::BasicBlock& block : region)
    if (masked.contains(&block))
      skipped += block.size();
  return skipped >= TargetModel::muchSkipped;
}

unsigned widestVaryingBits(llvm::Function& region, const Shapes& shapes) {
  unsigned bits = 32;
  for (const Instruction& instruction : llvm::instructions(region)) {
    const llvm::Type* type = instruction.getType();
    if (shapes.of(&instruction).isVarying() && (type->isDoubleTy() || type->isIntegerTy(64)) &&
        !llvm::isa<llvm::CastInst>(instruction) && !isForAddresses(instruction) &&
        !isOnlyMoved(instruction) && !isReservation(instruction))
      bits = 64;
  }
  return bits;
}

bool areMostlyNarrow(llvm::Function& region, const Shapes& shapes, const llvm::LoopInfo& loops) {
  double narrow = 0, all = 0;
  for (const Instruction& instruction : llvm::instructions(region)) {
    const llvm::Type* type = instruction.getType()->getScalarType();
    const unsigned bits = type->getPrimitiveSizeInBits();
    if (bits <= 1 || !shapes.of(&instruction).isVarying() ||
        llvm::isa<llvm::CastInst, llvm::PHINode>(instruction) || isForAddresses(instruction))
      continue;
    const double times = TargetModel::timesInLoops(loops.getLoopDepth(instruction.getParent()));
    all += times;
    narrow += bits <= 16 ? times : 0;
  }
  return 2 * narrow > all;
}

} // namespace quern::compiler
