#include "compiler/packets/serial_loops.h"

#include <algorithm>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/packets/recurrence.h"

namespace quern::compiler {
namespace {

using llvm::Instruction;

/// What a loop of few iterations, which may never come to its vectors, costs more than they do.
constexpr double unknownIterations = 2;

/// Whether the order of operations does not matter.
bool isReordered(const Instruction& operation) {
  if (operation.getType()->isFPOrFPVectorTy())
    return operation.isBinaryOp() && operation.isAssociative();
  return operation.isBinaryOp() ? operation.isAssociative() && operation.isCommutative()
                                : llvm::isa<llvm::MinMaxIntrinsic>(operation);
}

class LoopPrices {
public:
  LoopPrices(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const TargetModel& target)
      : loop_(loop), evolution_(evolution), target_(target) {}

  /// Elements of the vectors that LLVM makes; 1 where it makes none.
  unsigned elements() const {
    const llvm::BasicBlock* latch = loop_.getLoopLatch();
    if (!latch || !loop_.getLoopPreheader() || loop_.getNumBlocks() > 2 || !loop_.getExitingBlock())
      return 1;
    unsigned bits = 0;
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block) {
        if (!isVectorised(instruction, *latch))
          return 1;
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction); phi && !counts(*phi))
          bits = std::max<unsigned>(bits, phi->getType()->getScalarSizeInBits());
      }
    if (bits == 0)
      return 1;
    const unsigned elements = std::max(1u, target_.loopVectorBits() / bits);
    const unsigned trips = evolution_.getSmallConstantTripCount(&loop_);
    return trips != 0 && trips < 2 * elements ? 1 : elements;
  }

  bool isKnown() const { return evolution_.getSmallConstantTripCount(&loop_) != 0; }

  /// Whether an instruction of a vectorised loop is for addresses and counters only.
  bool staysNumber(const Instruction& instruction) const {
    return evolution_.isSCEVable(instruction.getType()) &&
           (counts(instruction) ||
            evolution_.isLoopInvariant(evolution_.getSCEV(const_cast<Instruction*>(&instruction)),
                                       &loop_));
  }

  /// Whether an iteration may read what one before wrote to memory that work-items share: nobody
  /// knows how long it waits for that.
  bool changesMemory() const {
    llvm::SmallPtrSet<const llvm::Value*, 4> read, written;
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block) {
        if (const llvm::Value* place = llvm::getLoadStorePointerOperand(&instruction)) {
          const llvm::Value* object = llvm::getUnderlyingObject(place);
          if (!llvm::isa<llvm::AllocaInst>(object))
            (llvm::isa<llvm::StoreInst>(instruction) ? written : read).insert(object);
        } else if (instruction.mayWriteToMemory())
          return true;
      }
    return llvm::any_of(written, [&](const llvm::Value* object) { return read.contains(object); });
  }

  /// Whether it sums up in vectors of the program.
  bool sumsVectors() const {
    return llvm::any_of(loop_.getHeader()->phis(),
                        [](const llvm::PHINode& phi) { return phi.getType()->isVectorTy(); });
  }

private:
  bool counts(const Instruction& value) const {
    return evolution_.isSCEVable(value.getType()) &&
           llvm::isa<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<Instruction*>(&value)));
  }

  bool isVectorised(const Instruction& instruction, const llvm::BasicBlock& latch) const {
    if (instruction.getType()->isVectorTy())
      return false;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      return counts(*phi) || isReduction(*phi, latch);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->isSimple() && walks(*load);
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      return llvm::isTriviallyVectorizable(call->getIntrinsicID());
    return (instruction.isBinaryOp() && !instruction.isIntDivRem()) || instruction.isCast() ||
           instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
           llvm::isa<llvm::CmpInst, llvm::SelectInst, llvm::GetElementPtrInst>(instruction);
  }

  /// A sum, in whatever order.
  bool isReduction(const llvm::PHINode& phi, const llvm::BasicBlock& latch) const {
    const auto* next = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(&latch));
    return next && loop_.contains(next) && isReordered(*next) &&
           llvm::is_contained(next->operands(), &phi) && usesInside(phi) == 1 &&
           usesInside(*next) == 1;
  }

  long usesInside(const Instruction& value) const {
    return llvm::count_if(value.users(), [this](const llvm::User* user) {
      return loop_.contains(llvm::cast<Instruction>(user));
    });
  }

  /// Whether each iteration reads the next element, or all read the same.
  bool walks(const llvm::LoadInst& load) const {
    const llvm::Value* place = load.getPointerOperand();
    const auto bytes =
        static_cast<int64_t>(load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue());
    if (loop_.isLoopInvariant(place) || stepOf(place) == bytes)
      return true;
    // A narrow index that may wrap, for all that is known yet.
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(place);
    if (!address || address->getNumIndices() != 1 ||
        !loop_.isLoopInvariant(address->getPointerOperand()))
      return false;
    const llvm::Value* index = address->getOperand(1);
    if (const auto* wide = llvm::dyn_cast<llvm::CastInst>(index); wide && wide->isIntegerCast())
      index = wide->getOperand(0);
    const auto element = static_cast<int64_t>(
        load.getDataLayout().getTypeAllocSize(address->getSourceElementType()).getFixedValue());
    return element == bytes && stepOf(index) == 1;
  }

  /// By how much a value grows with each iteration; nothing if that is not known.
  std::optional<int64_t> stepOf(const llvm::Value* value) const {
    const auto* walk =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::Value*>(value)));
    const auto* step = walk && walk->getLoop() == &loop_ && walk->isAffine()
                           ? llvm::dyn_cast<llvm::SCEVConstant>(walk->getStepRecurrence(evolution_))
                           : nullptr;
    return step ? step->getAPInt().trySExtValue() : std::nullopt;
  }

  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const TargetModel& target_;
};

double costOf(const Instruction& instruction, unsigned elements, const TargetModel& target) {
  if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst>(instruction) ||
      instruction.isTerminator() || instruction.isDebugOrPseudoInst())
    return 0;
  if (llvm::getLoadStorePointerOperand(&instruction))
    return target.access(instruction, elements, false) *
           (elements > 1 ? 1 : TargetModel::scalarAlone);
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) ? TargetModel::call
                                                       : target.operation(instruction, elements);
}

} // namespace

SerialLoops priceSerialLoops(llvm::Function& region, const llvm::LoopInfo& loops,
                             llvm::ScalarEvolution& evolution, const TargetModel& target) {
  const auto timesOf = [](unsigned depth) { return TargetModel::timesInLoops(depth); };
  double before = 0, after = 0, chain = 0, recurrences = 0, operations = 0;
  llvm::DenseMap<const llvm::Loop*, double> parts; // of innermost loops
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    const LoopPrices prices(*loop, evolution, target);
    const unsigned elements = prices.elements();
    const double iterations = timesOf(loop->getLoopDepth());
    if (elements == 1 && prices.sumsVectors())
      chain += iterations * recurrenceOfVectors(*loop);
    else if (elements == 1 && prices.changesMemory())
      recurrences = std::numeric_limits<double>::infinity();
    else if (elements == 1)
      recurrences += iterations * timeOfRecurrence(*loop);
    double one = 0, vectors = 0;
    for (const llvm::BasicBlock* block : loop->blocks())
      for (const Instruction& instruction : *block) {
        one += costOf(instruction, 1, target);
        vectors += costOf(instruction, prices.staysNumber(instruction) ? 1 : elements, target);
      }
    vectors *= (prices.isKnown() ? 1 : unknownIterations) / elements;
    parts[loop] = elements > 1 && one > 0 ? std::min(1.0, vectors / one) : 1;
  }
  for (const llvm::BasicBlock& block : region)
    for (const Instruction& instruction : block) {
      const llvm::Loop* loop = loops.getLoopFor(&block);
      const double times = timesOf(loops.getLoopDepth(&block));
      const double cost = times * costOf(instruction, 1, target);
      const auto part = parts.find(loop);
      operations += times;
      before += cost;
      after += part == parts.end() ? cost : cost * part->second;
    }
  SerialLoops result;
  if (before > 0)
    result.part = after / before;
  // Others begin while a work-item waits for its own results.
  const auto overlapped = [](double time, double size) {
    return time / std::max(1.0, TargetModel::window / size);
  };
  if (!parts.empty() && after > 0)
    result.waits =
        (overlapped(recurrences, operations) + overlapped(TargetModel::latency * chain, chain)) /
        after;
  return result;
}

} // namespace quern::compiler
