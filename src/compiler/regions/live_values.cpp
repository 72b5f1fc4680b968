#include "compiler/regions/live_values.h"

#include <llvm/Analysis/ValueTracking.h>

namespace quern::compiler {
namespace {

/// Instructions that a value may cost to compute again; a slot costs a store, a load and memory.
constexpr unsigned recomputeBudget = 6;
/// Of a value that is affine in the ids: all work-items of a row share most of what it costs. What
/// comes out of a slot is not known to be affine any more, and an access by it is a gather.
constexpr unsigned affineBudget = 24;

/// Instructions without effects, traps or dependence on memory, cheap enough to repeat.
bool isRepeatable(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst,
                llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(
          instruction))
    return true;
  const auto* arithmetic = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  // The row or the column that an id lies in, which is often an index.
  if (arithmetic && arithmetic->isIntDivRem())
    return llvm::isa<llvm::ConstantInt>(arithmetic->getOperand(1)) &&
           llvm::isSafeToSpeculativelyExecute(arithmetic);
  return arithmetic && arithmetic->getOpcode() != llvm::Instruction::FDiv &&
         arithmetic->getOpcode() != llvm::Instruction::FRem;
}

/// Whether `value` is a sum of ids times uniform factors, unless it wraps, of at most `budget`
/// instructions.
bool isAffine(const llvm::Value* value, const Uniformity& uniformity, unsigned& budget) {
  const auto* step = llvm::dyn_cast<llvm::Instruction>(value);
  if (!step || llvm::isa<llvm::AllocaInst>(step) || uniformity.isUniformWhereUsed(*step))
    return true;
  if (budget == 0)
    return false;
  --budget;
  const auto areAffine = [&](const auto& operands) {
    return llvm::all_of(operands, [&](const llvm::Use& operand) {
      return isAffine(operand.get(), uniformity, budget);
    });
  };
  const auto isUniform = [&](unsigned operand) {
    return uniformity.isUniform(*step->getOperand(operand));
  };
  switch (step->getOpcode()) {
  case llvm::Instruction::Trunc:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::GetElementPtr:
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    return step->getType()->isIntOrPtrTy() && areAffine(step->operands());
  case llvm::Instruction::Mul:
    return step->getType()->isIntegerTy() && (isUniform(0) || isUniform(1)) &&
           areAffine(step->operands());
  case llvm::Instruction::Shl:
    return step->getType()->isIntegerTy() && isUniform(1) && areAffine(step->operands());
  case llvm::Instruction::Or:
    return step->getType()->isIntegerTy() &&
           llvm::cast<llvm::PossiblyDisjointInst>(step)->isDisjoint() &&
           areAffine(step->operands());
  default:
    return false;
  }
}

} // namespace

LiveValues::LiveValues(const RegionGraph& graph, const Uniformity& uniformity) {
  carried_.resize(graph.regions().size());
  recomputed_.resize(graph.regions().size());
  for (const Region& region : graph.regions())
    for (llvm::Instruction* value : region.liveIn) {
      auto [entry, isNew] = transports_.try_emplace(value, Transport::Context);
      if (!isNew)
        continue;
      unsigned budget = recomputeBudget, affine = affineBudget;
      if (uniformity.isUniformWhereUsed(*value))
        entry->second = Transport::Uniform;
      else if (isAffine(value, uniformity, affine) || isCheap(value, uniformity, budget))
        entry->second = Transport::Recompute;
    }
  for (const Region& region : graph.regions())
    for (llvm::Instruction* value : region.liveIn) {
      if (transport(value) == Transport::Recompute) {
        recomputed_[region.number].insert(value);
        carryLeaves(value, uniformity, carried_[region.number]);
      } else {
        carried_[region.number].insert(value);
      }
    }
  for (const auto& carried : carried_)
    allCarried_.insert(carried.begin(), carried.end());
}

/// Whether `value` is computed from ids, arguments, addresses of variables and uniform values in
/// few repeatable steps.
bool LiveValues::isCheap(llvm::Instruction* value, const Uniformity& uniformity,
                         unsigned& budget) const {
  if (!isRepeatable(*value) || budget == 0)
    return false;
  --budget;
  for (llvm::Value* operand : value->operands()) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
    if (!instruction || llvm::isa<llvm::AllocaInst>(instruction) ||
        uniformity.isUniformWhereUsed(*instruction))
      continue;
    if (!isCheap(instruction, uniformity, budget))
      return false;
  }
  return true;
}

/// The uniform values below a recomputed one live as long as it does. Each still has the value that
/// the recomputed one was made from: its definition dominates the recomputed one's, which would be
/// passed again before any further use.
void LiveValues::carryLeaves(llvm::Instruction* value, const Uniformity& uniformity,
                             llvm::SetVector<llvm::Instruction*>& carried) {
  for (llvm::Value* operand : value->operands()) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
    if (!instruction || llvm::isa<llvm::AllocaInst>(instruction))
      continue;
    if (uniformity.isUniformWhereUsed(*instruction)) {
      transports_[instruction] = Transport::Uniform;
      carried.insert(instruction);
    } else {
      carryLeaves(instruction, uniformity, carried);
    }
  }
}

} // namespace quern::compiler
