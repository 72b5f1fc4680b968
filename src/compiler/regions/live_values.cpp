#include "compiler/regions/live_values.h"

namespace quern::compiler {
namespace {

/// Instructions that a value may cost to compute again; a slot costs a store, a load and memory.
constexpr unsigned recomputeBudget = 6;

/// Instructions without effects, traps or dependence on memory, cheap enough to repeat.
bool isRepeatable(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst,
                llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(
          instruction))
    return true;
  const auto* arithmetic = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  return arithmetic && !arithmetic->isIntDivRem() &&
         arithmetic->getOpcode() != llvm::Instruction::FDiv &&
         arithmetic->getOpcode() != llvm::Instruction::FRem;
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
      unsigned budget = recomputeBudget;
      if (uniformity.isUniformWhereUsed(*value))
        entry->second = Transport::Uniform;
      else if (isCheap(value, uniformity, budget))
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
