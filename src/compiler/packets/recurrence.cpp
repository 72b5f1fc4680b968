#include "compiler/packets/recurrence.h"

#include <algorithm>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

constexpr double none = -1e9;

using Weight = llvm::function_ref<double(const llvm::Instruction&)>;

/// The weight of what is between `phi` and `value` within `loop`, or less than 0 when it does not
/// depend on it.
double depth(const llvm::Value* value, const llvm::PHINode& phi, const llvm::Loop& loop,
             Weight weight, llvm::DenseMap<const llvm::Value*, double>& depths, unsigned level) {
  constexpr unsigned maxLevel = 100;
  if (value == &phi)
    return 0;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !loop.contains(instruction) || level > maxLevel ||
      (llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == loop.getHeader()))
    return none;
  const auto [place, isNew] = depths.try_emplace(value, none);
  if (!isNew)
    return place->second;
  double longest = none;
  for (const llvm::Value* operand : instruction->operands())
    longest = std::max(longest, depth(operand, phi, loop, weight, depths, level + 1));
  return depths[value] =
             longest + (llvm::isa<llvm::PHINode>(instruction) ? 0 : weight(*instruction));
}

double longestRecurrence(const llvm::Loop& loop,
                         llvm::function_ref<bool(const llvm::PHINode&)> counts, Weight weight) {
  double longest = 0;
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (const llvm::BasicBlock* latch = loop.getLoopLatch(); latch && counts(phi)) {
      llvm::DenseMap<const llvm::Value*, double> depths;
      longest = std::max(longest,
                         depth(phi.getIncomingValueForBlock(latch), phi, loop, weight, depths, 0));
    }
  return longest;
}

unsigned longestRecurrence(const llvm::Loop& loop,
                           llvm::function_ref<bool(const llvm::PHINode&)> counts) {
  return static_cast<unsigned>(longestRecurrence(loop, counts, [](const auto&) { return 1; }));
}

/// What a number that is made of others waits for.
double latencyOf(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::CastInst>(instruction) && instruction.getType()->isIntOrPtrTy() &&
      instruction.getOperand(0)->getType()->isIntOrPtrTy())
    return 0;
  if (instruction.isIntDivRem())
    return TargetModel::latency + TargetModel::scalarDivision;
  if (instruction.getOpcode() == llvm::Instruction::FDiv)
    return TargetModel::latency + TargetModel::floatDivision;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      call && !llvm::isa<llvm::IntrinsicInst>(call))
    return TargetModel::latency + TargetModel::call;
  return instruction.getType()->isIntOrPtrTy() &&
                 !llvm::isa<llvm::LoadInst, llvm::CastInst>(instruction) &&
                 instruction.getOpcode() != llvm::Instruction::Mul
             ? TargetModel::latencyOfInteger
             : TargetModel::latency;
}

} // namespace

bool isVector(const llvm::Value* value, const Shapes& shapes) {
  return llvm::isa<llvm::Instruction>(value) && shapes.of(value).isVarying() &&
         !value->getType()->getScalarType()->isIntegerTy(1);
}

unsigned recurrenceOf(const llvm::Loop& loop, const Shapes& shapes) {
  return longestRecurrence(loop, [&](const auto& phi) { return isVector(&phi, shapes); });
}

unsigned recurrenceOfVectors(const llvm::Loop& loop) {
  return longestRecurrence(loop, [](const auto& phi) { return phi.getType()->isVectorTy(); });
}

double timeOfRecurrence(const llvm::Loop& loop) {
  return longestRecurrence(
      loop, [](const auto& phi) { return !phi.getType()->isVectorTy(); }, latencyOf);
}

} // namespace quern::compiler
