#include "compiler/packets/profitability.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/region_function.h"
#include "compiler/il/streaming.h"
#include "compiler/packets/active_range.h"
#include "compiler/packets/each_item.h"
#include "compiler/packets/no_wrap_speculation.h"

namespace quern::compiler {

/// With so many instructions for each gather, it does not matter much what a gather costs.
static constexpr unsigned instructionsPerGather = 20;

/// Whether the kernel has other regions.
static bool meetsAtBarriers(const llvm::Function& region) {
  return numberAttribute(region, names::regionAttribute) != 0 ||
         regionExits(region) != std::vector<unsigned>{0};
}

bool hasFullVectors(llvm::Function& region, const llvm::LoopInfo& loops, unsigned registerBits) {
  constexpr unsigned fewOthers = 4; // one of so many
  unsigned full = 0, others = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(region)) {
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
  constexpr size_t much = 64;
  size_t skipped = 0;
  for (const llvm::BasicBlock& block : region)
    if (masked.contains(&block))
      skipped += block.size();
  return skipped >= much;
}

/// Whether branches skip what is done for one work-item after the other.
static bool skipsTurns(const llvm::Function& region, const MaskedBlocks& masked) {
  return llvm::any_of(region, [&](const llvm::BasicBlock& block) {
    return masked.contains(&block) && llvm::any_of(block, runsForEachItem);
  });
}

/// Whether work-items read or write different places. Where they do not, the code is for one of
/// them.
static bool accessesVary(const llvm::Function& region, const Shapes& shapes) {
  return llvm::any_of(llvm::instructions(region), [&](const llvm::Instruction& instruction) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    return pointer && !shapes.of(pointer).isUniform();
  });
}

/// Whether there is arithmetic of floating-point numbers, as in mathematical functions. Functions
/// that only move or count do as well in LLVM's loops, and take less long to compile there.
static bool calculates(const llvm::Function& region) {
  return llvm::any_of(llvm::instructions(region), [](const llvm::Instruction& instruction) {
    return instruction.getType()->isFPOrFPVectorTy() &&
           (instruction.isBinaryOp() || instruction.isUnaryOp() ||
            llvm::isa<llvm::IntrinsicInst>(instruction));
  });
}

/// Whether packets divide in vectors (packet_divisions.cpp), which LLVM's loops rarely do.
static bool dividesFaster(const llvm::Instruction& instruction, const Shapes& shapes) {
  constexpr unsigned narrowBits = 32;
  if (!instruction.isIntDivRem() || !shapes.of(&instruction).isVarying())
    return false;
  if (const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
      divisor && divisor->getValue().abs().isPowerOf2())
    return false;
  return instruction.getType()->getIntegerBitWidth() <= narrowBits ||
         shapes.greatest(instruction.getOperand(0)) < UINT32_MAX;
}

static bool dividesFaster(const llvm::Function& region, const Shapes& shapes) {
  return llvm::any_of(llvm::instructions(region), [&](const llvm::Instruction& instruction) {
    return dividesFaster(instruction, shapes);
  });
}

/// Whether a part of an id is known to be the same, or to follow a pattern, because packets begin
/// at multiples of their width, or mostly is so in the same row: LLVM's loops know nothing of that.
static bool dividesIds(const llvm::Function& region, const Shapes& shapes) {
  return llvm::any_of(llvm::instructions(region), [&](const llvm::Instruction& instruction) {
    if (llvm::getLoadStorePointerOperand(&instruction)) {
      const std::optional<NoWrapSpeculation> speculation =
          usefulNoWrapSpeculation(instruction, shapes);
      return speculation && speculation->divides();
    }
    return instruction.isBinaryOp() && llvm::isa<llvm::ConstantInt>(instruction.getOperand(1)) &&
           instruction.getOpcode() != llvm::Instruction::Add &&
           instruction.getOpcode() != llvm::Instruction::Mul &&
           instruction.getOpcode() != llvm::Instruction::Shl &&
           !shapes.of(&instruction).isVarying() &&
           shapes.ids().unit(instruction.getOperand(0)) != 0;
  });
}

/// Whether all work-items of a packet read and write side by side, where they do not all use one
/// place.
static bool accessesAreContiguous(const llvm::Function& region, const Shapes& shapes) {
  return llvm::all_of(llvm::instructions(region), [&](const llvm::Instruction& instruction) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer)
      return !instruction.mayReadOrWriteMemory();
    const Shape shape = shapes.of(pointer);
    const auto bytes = static_cast<int64_t>(
        region.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction)));
    return shape.isUniform() || (shape.isAffine() && shape.stride == bytes) ||
           usefulNoWrapSpeculation(instruction, shapes);
  });
}

/// Whether a condition compares ids with limits, so that it is mostly the same for a whole packet.
static bool comparesIds(const llvm::Value* condition, const Shapes& shapes) {
  if (shapes.of(condition).isUniform())
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(condition);
  if (!instruction)
    return false;
  if (llvm::isa<llvm::ICmpInst>(instruction))
    return llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) {
      return shapes.of(operand).isUniform() || shapes.of(operand).isAffine();
    });
  return (instruction->isBitwiseLogicOp() || llvm::isa<llvm::SelectInst>(instruction)) &&
         llvm::all_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return comparesIds(operand, shapes); });
}

/// Whether a condition on ids keeps work-items from what is stored, as `if (id < n)` does. LLVM's
/// loops store with masks for all of them, and for such stores the processor reads the lines that
/// they then overwrite as a whole.
static bool storesBehindGuard(llvm::Function& region, const Shapes& shapes,
                              const MaskedBlocks& masked) {
  const auto isGuard = [&](const llvm::BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return branch && branch->isConditional() && !masked.contains(&block) &&
           masked.contains(branch->getSuccessor(0)) != masked.contains(branch->getSuccessor(1)) &&
           endsIdly(region, branch->getSuccessor(0)) != endsIdly(region, branch->getSuccessor(1)) &&
           comparesIds(branch->getCondition(), shapes);
  };
  const auto stores = [&](const llvm::BasicBlock& block) {
    return masked.contains(&block) && llvm::any_of(block, [](const llvm::Instruction& instruction) {
             return llvm::isa<llvm::StoreInst>(instruction);
           });
  };
  return llvm::any_of(region, isGuard) && llvm::any_of(region, stores);
}

/// Whether vectors are to go past the caches, for which LLVM's loops would store as usual.
static bool streams(const llvm::Function& region, const AccessPlan& accesses) {
  bool found = false;
  for (const llvm::Instruction& instruction : llvm::instructions(region)) {
    if (const AccessLowering* access = accesses.of(&instruction); access && !access->isWide())
      return false;
    found |= isStreamed(instruction);
  }
  return found;
}

bool isPacketWorthwhile(llvm::Function& region, const Shapes& shapes, const AccessPlan& accesses,
                        const MaskedBlocks& masked, const llvm::LoopInfo& loops,
                        bool calledFunctions) {
  // Groups that meet at barriers are small, and LLVM's loops need many work-items to begin with.
  if (loops.empty() && !meetsAtBarriers(region) && !(calledFunctions && calculates(region)))
    return (skipsMuch(region, masked) || skipsTurns(region, masked) ||
            dividesFaster(region, shapes) || dividesIds(region, shapes) ||
            streams(region, accesses) ||
            (storesBehindGuard(region, shapes, masked) && accessesAreContiguous(region, shapes))) &&
           accessesVary(region, shapes);
  unsigned wide = 0, gathered = 0, size = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(region)) {
    if (!loops.empty() && !loops.getLoopFor(instruction.getParent()))
      continue;
    size += dividesFaster(instruction, shapes) ? instructionsPerGather : 1;
    if (const AccessLowering* access = accesses.of(&instruction))
      ++(access->isWide() ? wide : gathered);
  }
  return gathered <= wide || gathered * instructionsPerGather <= size;
}

/// Whether nothing but addresses is computed from an integer.
static bool isForAddresses(const llvm::Instruction& value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 6;
  return value.getType()->isIntegerTy() && depth < maxDepth &&
         llvm::all_of(value.users(), [&](const llvm::User* user) {
           const auto* instruction = llvm::cast<llvm::Instruction>(user);
           return llvm::isa<llvm::GetElementPtrInst>(instruction) ||
                  ((instruction->isBinaryOp() || instruction->isCast()) &&
                   isForAddresses(*instruction, depth + 1));
         });
}

unsigned widestVaryingBits(llvm::Function& region, const Shapes& shapes) {
  unsigned bits = 32;
  for (const llvm::Instruction& instruction : llvm::instructions(region)) {
    const llvm::Type* type = instruction.getType();
    if (shapes.of(&instruction).isVarying() && (type->isDoubleTy() || type->isIntegerTy(64)) &&
        !llvm::isa<llvm::CastInst>(instruction) && !isForAddresses(instruction))
      bits = 64;
  }
  return bits;
}

} // namespace quern::compiler
