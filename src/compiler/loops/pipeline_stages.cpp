#include "compiler/loops/pipeline_stages.h"

#include <algorithm>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace quern::compiler {
namespace {

/// Vector operations that wait in a processor's schedulers or run, and those that it begins in a
/// cycle. Both as measured where operations of all kinds are mixed.
constexpr double window = 100, perCycle = 3;
/// Vectors for what is computed within a stage.
constexpr unsigned temporaries = 4;
/// What loops must gain by running stages side by side, for the code that is added.
constexpr double leastGain = 1.15;
/// Vector operations of two iterations at a time: more do not gain.
constexpr unsigned mostInPair = 150;
/// Beyond these instructions an iteration is left as it is.
constexpr size_t mostStageInstructions = 400;

unsigned cyclesOf(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::PHI:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::FNeg:
  case llvm::Instruction::BitCast:
    return 0;
  case llvm::Instruction::Load:
    return 7;
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
    return 3;
  case llvm::Instruction::FDiv:
    return 11;
  case llvm::Instruction::Call:
    switch (llvm::cast<llvm::CallInst>(instruction).getIntrinsicID()) {
    case llvm::Intrinsic::sqrt:
      return 18;
    case llvm::Intrinsic::fabs:
      return 1;
    default:
      return 4;
    }
  default:
    return 1;
  }
}

bool isVectorOperation(const llvm::Instruction& instruction) {
  return instruction.getType()->isVectorTy() && cyclesOf(instruction) != 0 &&
         !llvm::isa<llvm::LoadInst, llvm::ShuffleVectorInst>(instruction);
}

/// Division and roots of whole registers occupy a unit of their own for about so many cycles.
double cyclesOfDivider(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isVectorTy())
    return 0;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return instruction.getOpcode() == llvm::Instruction::FDiv ||
                 (call && call->getIntrinsicID() == llvm::Intrinsic::sqrt)
             ? 4.5
             : 0;
}

class Iteration {
public:
  Iteration(const llvm::Loop& loop, const llvm::TargetTransformInfo& machine)
      : block_(*loop.getHeader()), condition_(*conditionOf(block_)),
        registers_(machine.getNumberOfRegisters(machine.getRegisterClassForType(true))) {
    for (const llvm::Instruction& instruction : block_)
      if (!instruction.isTerminator())
        measure(instruction);
    for (const llvm::PHINode& phi : block_.phis())
      recurrence_ = std::max(recurrence_, wayBack(phi));
  }

  static const llvm::Instruction* conditionOf(const llvm::BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    const auto* condition = branch && branch->isConditional()
                                ? llvm::dyn_cast<llvm::Instruction>(branch->getCondition())
                                : nullptr;
    return condition && condition->getParent() == &block && !llvm::isa<llvm::PHINode>(condition)
               ? condition
               : nullptr;
  }

  unsigned operations() const { return operations_; }

  std::optional<PipelineStages> best() const {
    std::optional<PipelineStages> best;
    double bestCycles = cycles(chain_, accumulated_ + invariant_) / leastGain;
    llvm::SmallVector<unsigned> ends;
    for (const auto& [instruction, end] : ends_)
      if (isVectorOperation(*instruction) && end < chain_)
        ends.push_back(end);
    llvm::sort(ends);
    ends.erase(llvm::unique(ends), ends.end());
    for (const unsigned end : ends)
      if (std::optional<PipelineStages> stages = cutAt(end)) {
        const double with =
            cycles(std::max(end, chain_ - end), accumulated_ + invariant_ + carried(*stages));
        if (with < bestCycles) {
          bestCycles = with;
          best = std::move(stages);
        }
      }
    return best;
  }

private:
  const llvm::Instruction* inside(const llvm::Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && instruction->getParent() == &block_ ? instruction : nullptr;
  }

  void measure(const llvm::Instruction& instruction) {
    unsigned begin = 0;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      accumulated_ += phi->getType()->isVectorTy();
    } else {
      for (const llvm::Value* operand : instruction.operands()) {
        if (const llvm::Instruction* before = inside(operand))
          begin = std::max(begin, ends_.lookup(before));
        else if (operand->getType()->isVectorTy() && seen_.insert(operand).second)
          ++invariant_;
      }
      operations_ += isVectorOperation(instruction);
      divider_ += cyclesOfDivider(instruction);
    }
    ends_[&instruction] = begin + cyclesOf(instruction);
    chain_ = std::max(chain_, ends_[&instruction]);
  }

  /// Cycles from `phi` to the value that it takes in the next iteration.
  unsigned wayBack(const llvm::PHINode& phi) const {
    llvm::DenseMap<const llvm::Value*, unsigned> ways;
    ways[&phi] = 0;
    for (const llvm::Instruction& instruction : block_)
      if (!llvm::isa<llvm::PHINode>(instruction))
        for (const llvm::Value* operand : instruction.operands())
          if (const auto way = ways.find(operand); way != ways.end()) {
            const unsigned sum = way->second + cyclesOf(instruction);
            unsigned& longest = ways[&instruction];
            longest = std::max(longest, sum);
          }
    return ways.lookup(phi.getIncomingValueForBlock(&block_));
  }

  /// Of an iteration of which `chain` cycles wait one for the other and `live` vectors are alive
  /// all the time: those that no register holds are written and read again.
  double cycles(unsigned chain, unsigned live) const {
    const unsigned needed = live + temporaries;
    const double moves = needed > registers_ ? 2.0 * (needed - registers_) : 0;
    const double operations = operations_ + moves;
    return std::max({operations / perCycle, divider_, static_cast<double>(recurrence_),
                     chain * std::min(operations / window, 1.0)});
  }

  std::optional<PipelineStages> cutAt(unsigned end) const {
    PipelineStages stages;
    for (const llvm::PHINode& phi : block_.phis())
      stages.earlyPhis.insert(&phi);
    for (bool changed = true; changed;) {
      changed = false;
      stages.early.clear();
      for (const llvm::Instruction& instruction : block_)
        if (isReady(instruction, end, stages))
          stages.early.insert(&instruction);
      for (const llvm::PHINode& phi : block_.phis())
        if (stages.earlyPhis.contains(&phi) &&
            !isEarly(phi.getIncomingValueForBlock(&block_), stages)) {
          stages.earlyPhis.erase(&phi);
          changed = true;
        }
    }
    if (!stages.early.contains(&condition_))
      return std::nullopt;
    leaveToLate(stages);
    return stages;
  }

  bool isEarly(const llvm::Value* value, const PipelineStages& stages) const {
    const llvm::Instruction* instruction = inside(value);
    const auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(instruction);
    return !instruction ||
           (phi ? stages.earlyPhis.contains(phi) : stages.early.contains(instruction));
  }

  bool isReady(const llvm::Instruction& instruction, unsigned end,
               const PipelineStages& stages) const {
    return !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() &&
           ends_.lookup(&instruction) <= end &&
           llvm::all_of(instruction.operands(),
                        [&](const llvm::Use& operand) { return isEarly(operand, stages); });
  }

  /// What only the second stage needs stays there, unless it would have to wait there for more
  /// vectors than it is.
  void leaveToLate(PipelineStages& stages) const {
    for (const llvm::Instruction& instruction : llvm::reverse(block_)) {
      if (!stages.early.contains(&instruction) || isNeededEarly(instruction, stages))
        continue;
      llvm::SmallPtrSet<const llvm::Value*, 4> more;
      for (const llvm::Value* operand : instruction.operands())
        if (const llvm::Instruction* before = inside(operand);
            before && before->getType()->isVectorTy() && isEarly(before, stages) &&
            !isUsedLate(*before, stages))
          more.insert(before);
      if (more.size() < (instruction.getType()->isVectorTy() ? 1 : more.empty()))
        stages.early.erase(&instruction);
    }
  }

  bool isNeededEarly(const llvm::Instruction& instruction, const PipelineStages& stages) const {
    return &instruction == &condition_ ||
           llvm::any_of(instruction.users(), [&](const llvm::User* user) {
             const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
             return phi ? stages.earlyPhis.contains(phi)
                        : stages.early.contains(llvm::cast<llvm::Instruction>(user));
           });
  }

  bool isUsedLate(const llvm::Instruction& instruction, const PipelineStages& stages) const {
    return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
      const auto* other = llvm::cast<llvm::Instruction>(user);
      return other->getParent() == &block_ && !llvm::isa<llvm::PHINode>(other) &&
             !stages.early.contains(other);
    });
  }

  /// Vectors that wait from one stage to the next.
  unsigned carried(const PipelineStages& stages) const {
    return llvm::count_if(stages.early, [&](const llvm::Instruction* instruction) {
      return instruction->getType()->isVectorTy() && isUsedLate(*instruction, stages);
    });
  }

  const llvm::BasicBlock& block_;
  const llvm::Instruction& condition_;
  const unsigned registers_;
  llvm::MapVector<const llvm::Instruction*, unsigned> ends_;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen_;
  unsigned chain_ = 0, recurrence_ = 0, operations_ = 0, accumulated_ = 0, invariant_ = 0;
  double divider_ = 0;
};

bool canOverlap(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator())
    return true;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return (!load || load->isUnordered()) &&
         (!call || (llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent())) &&
         !instruction.mayHaveSideEffects();
}

bool canHaveStages(const llvm::Loop& loop) {
  const llvm::BasicBlock& block = *loop.getHeader();
  return loop.getNumBlocks() == 1 && loop.getExitBlock() && Iteration::conditionOf(block) &&
         block.size() <= mostStageInstructions && llvm::all_of(block, canOverlap);
}

} // namespace

std::optional<PipelineStages> pipelineStagesOf(const llvm::Loop& loop,
                                               const llvm::TargetTransformInfo& machine) {
  return canHaveStages(loop) ? Iteration(loop, machine).best() : std::nullopt;
}

bool hasShortStages(const llvm::Loop& loop, const llvm::TargetTransformInfo& machine) {
  if (!canHaveStages(loop))
    return false;
  const Iteration iteration(loop, machine);
  return iteration.operations() <= mostInPair / 2 && iteration.best();
}

} // namespace quern::compiler
