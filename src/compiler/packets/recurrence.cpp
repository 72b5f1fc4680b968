#include "compiler/packets/recurrence.h"

#include <algorithm>
#include <array>

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
    return TargetModel::latencyOfNumber + TargetModel::scalarDivision;
  if (instruction.getOpcode() == llvm::Instruction::FDiv)
    return TargetModel::latencyOfNumber + TargetModel::floatDivision;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      call && !llvm::isa<llvm::IntrinsicInst>(call))
    return TargetModel::latencyOfNumber + TargetModel::call;
  return instruction.getType()->isIntOrPtrTy() &&
                 !llvm::isa<llvm::LoadInst, llvm::CastInst>(instruction) &&
                 instruction.getOpcode() != llvm::Instruction::Mul
             ? TargetModel::latencyOfInteger
             : TargetModel::latencyOfNumber;
}

/// Instructions retire in order. One is issued when that many before it have retired, and begins
/// when its operands are there.
class ReorderBuffer {
public:
  explicit ReorderBuffer(const llvm::Loop* loop) : loop_(loop) {}

  void issue(const llvm::Instruction& instruction) {
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      results_[phi] = resultOf(*phi);
      return;
    }
    double begin = 0;
    for (const llvm::Value* operand : instruction.operands())
      begin = std::max(begin, results_.lookup(operand));
    // Addresses are part of the accesses.
    if (TargetModel::isFree(instruction) || llvm::isa<llvm::GetElementPtrInst>(instruction)) {
      results_[&instruction] = begin;
      return;
    }
    double& place = retired_[issued_++ % retired_.size()];
    const double end = std::max(begin, place) + latencyOf(instruction);
    lastRetired_ = place = std::max(lastRetired_, end);
    results_[&instruction] = end;
  }

  double lastRetired() const { return lastRetired_; }

  /// Of another work-item, or the next iteration.
  void beginRound() {
    std::swap(results_, resultsBefore_);
    results_.clear();
  }

private:
  double resultOf(const llvm::PHINode& phi) const {
    if (loop_ && phi.getParent() == loop_->getHeader()) {
      const llvm::BasicBlock* latch = loop_->getLoopLatch();
      return latch ? resultsBefore_.lookup(phi.getIncomingValueForBlock(latch)) : 0;
    }
    double latest = 0;
    for (const llvm::Value* value : phi.incoming_values())
      latest = std::max(latest, results_.lookup(value));
    return latest;
  }

  const llvm::Loop* loop_;
  llvm::DenseMap<const llvm::Value*, double> results_, resultsBefore_; ///< when they are there
  std::array<double, static_cast<size_t>(TargetModel::window)> retired_ = {};
  size_t issued_ = 0;
  double lastRetired_ = 0;
};

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

double timeOfDependences(llvm::ArrayRef<const llvm::BasicBlock*> blocks, const llvm::Loop* loop) {
  ReorderBuffer buffer(loop);
  double end = 0, before = 0;
  for (unsigned round = 0; round < 3; ++round) { // the first ones find an empty buffer
    before = end;
    for (const llvm::BasicBlock* block : blocks)
      for (const llvm::Instruction& instruction : *block)
        buffer.issue(instruction);
    end = buffer.lastRetired();
    buffer.beginRound();
  }
  return end - before;
}

} // namespace quern::compiler
