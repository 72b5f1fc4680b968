#include "compiler/packets/kept_loads.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/loop.h"
#include "compiler/il/rematerialise.h"
#include "compiler/il/uniformity.h"
#include "compiler/loops/loop_transforms.h"
#include "compiler/packets/private_arrays.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {
namespace {

/// Private memory that a work-item may have.
constexpr uint64_t maxBytes = 1024;
/// An outer loop of fewer iterations does not repay an array.
constexpr unsigned minIterations = 4;
/// Elements of neighbouring work-items that lie next to each other are read well where they are,
/// unless each iteration goes so many bytes further that the cache has few places for them.
constexpr uint64_t farBytes = 1024;
/// Instructions of a header that a rotation doubles.
constexpr unsigned maxHeader = 40;

/// What one inner loop reads again.
struct Kept {
  llvm::LoadInst* load;
  llvm::SmallSetVector<llvm::PHINode*, 2> counters; ///< of the inner loop, for the address
};

class KeptLoads {
public:
  KeptLoads(llvm::Function& region, llvm::FunctionAnalysisManager& analyses)
      : region_(region), analyses_(analyses),
        loops_(analyses.getResult<llvm::LoopAnalysis>(region)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(region)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(region)) {}

  /// For one inner loop.
  bool run() {
    const Uniformity& uniformity =
        analyses_.getResult<UniformityAnalysis>(region_).of(UniformityRoot::row());
    return llvm::any_of(loops_.getLoopsInPreorder(), [&](llvm::Loop* inner) {
      return inner->isInnermost() && inner->getParentLoop() && isCandidate(*inner, uniformity) &&
             keep(*inner);
    });
  }

private:
  bool isCandidate(llvm::Loop& inner, const Uniformity& uniformity) {
    llvm::Loop& outer = *inner.getParentLoop();
    if (!inner.isLoopSimplifyForm() || !outer.isLoopSimplifyForm() || !inner.getExitingBlock() ||
        !outer.getExitingBlock() || iterations(inner) == 0)
      return false;
    if (const unsigned known = evolution_.getSmallConstantMaxTripCount(&outer);
        known != 0 && known < minIterations)
      return false;
    return !findLoads(inner, uniformity).empty();
  }

  /// How often the latch of a loop that is left at one place runs; 0 if that is not known.
  unsigned iterations(const llvm::Loop& loop) const {
    const unsigned trips = evolution_.getSmallConstantTripCount(&loop);
    if (trips == 0 || loop.getExitingBlock() == loop.getLoopLatch())
      return trips;
    return trips - 1;
  }

  std::vector<Kept> findLoads(llvm::Loop& inner, const Uniformity& uniformity) {
    std::vector<Kept> found;
    uint64_t bytes = PrivateArrays(region_).bytes();
    const llvm::DataLayout& layout = region_.getDataLayout();
    for (llvm::BasicBlock* block : inner.blocks()) {
      if (!dominators_.dominates(block, inner.getLoopLatch()) ||
          (block == inner.getExitingBlock() && block != inner.getLoopLatch()))
        continue;
      for (llvm::Instruction& instruction : *block) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!load || !load->isSimple() || !load->getType()->isSingleValueType() ||
            load->getType()->isVectorTy() || uniformity.isUniform(*load->getPointerOperand()) ||
            !isWorthwhile(*load, inner) || isWritten(*load, *inner.getParentLoop()))
          continue;
        if (std::optional<Kept> kept = keptBy(*load, inner))
          found.push_back(std::move(*kept));
      }
    }
    // Some of several elements that lie together would be read twice.
    for (const Kept& kept : found)
      bytes += iterations(inner) * layout.getTypeAllocSize(kept.load->getType()).getFixedValue();
    if (bytes > maxBytes)
      found.clear();
    return found;
  }

  bool isWorthwhile(llvm::LoadInst& load, const llvm::Loop& inner) {
    if (load.getPointerAddressSpace() == address_space::privateMemory)
      return false;
    const llvm::SCEV* address = evolution_.getSCEV(load.getPointerOperand());
    if (evolution_.isLoopInvariant(address, &inner))
      return false;
    const auto* walk = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    const bool walksHere = walk && walk->getLoop() == &inner && walk->isAffine();
    const auto* step = walksHere
                           ? llvm::dyn_cast<llvm::SCEVConstant>(walk->getStepRecurrence(evolution_))
                           : nullptr;
    if (!step || step->getAPInt().abs().uge(farBytes))
      return true;
    const uint64_t bytes = region_.getDataLayout().getTypeStoreSize(load.getType());
    const std::optional<llvm::APInt> stride = strideInRow(*walk->getStart(), region_, evolution_);
    return !stride || stride->abs().ugt(bytes);
  }

  /// Whether `loop` may write what `load` reads.
  bool isWritten(const llvm::LoadInst& load, const llvm::Loop& loop) const {
    const auto mayBeSame = [&](unsigned space) {
      return space == load.getPointerAddressSpace() || space == address_space::generic ||
             load.getPointerAddressSpace() == address_space::generic;
    };
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block)
        if (instruction.mayWriteToMemory()) {
          const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          if (!store || !store->isSimple() || mayBeSame(store->getPointerAddressSpace()))
            return true;
        }
    return false;
  }

  /// Nothing if the address is not the same in each iteration of the outer loop: made of what is
  /// outside of that, and of what the inner loop counts from there.
  std::optional<Kept> keptBy(llvm::LoadInst& load, const llvm::Loop& inner) const {
    Kept kept{&load, {}};
    const auto isKnown = [&](const llvm::Value* part) {
      if (!isInside(part, *inner.getParentLoop()))
        return true;
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(part);
      if (!phi || phi->getParent() != inner.getHeader() ||
          isInside(phi->getIncomingValueForBlock(inner.getLoopPreheader()), *inner.getParentLoop()))
        return false;
      kept.counters.insert(const_cast<llvm::PHINode*>(phi));
      return true;
    };
    if (!canRematerialise(load.getPointerOperand(), isKnown))
      return std::nullopt;
    for (unsigned i = 0; i < kept.counters.size(); ++i)
      if (!canRematerialise(kept.counters[i]->getIncomingValueForBlock(inner.getLoopLatch()),
                            isKnown))
        return std::nullopt;
    return kept;
  }

  static bool isInside(const llvm::Value* value, const llvm::Loop& loop) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && loop.contains(instruction);
  }

  /// The loops test at their ends whether to go on, so that what comes before them only runs when
  /// they do.
  bool keep(llvm::Loop& inner) {
    llvm::Loop& outer = *inner.getParentLoop();
    bool rotated = rotate(inner);
    rotated |= rotate(outer);
    if (inner.getExitingBlock() != inner.getLoopLatch() ||
        outer.getExitingBlock() != outer.getLoopLatch() || !inner.isLoopSimplifyForm() ||
        !outer.isLoopSimplifyForm() ||
        !dominators_.dominates(inner.getLoopPreheader(), outer.getLoopLatch()))
      return rotated;
    evolution_.forgetLoop(&outer);
    const unsigned count = iterations(inner);
    const std::vector<Kept> loads =
        findLoads(inner, Uniformities(region_).of(UniformityRoot::row()));
    if (count == 0 || loads.empty())
      return rotated;
    llvm::IRBuilder<> start(&*region_.getEntryBlock().getFirstInsertionPt());
    llvm::PHINode* index = addIterationCounter(inner);
    llvm::Instruction& end = *outer.getLoopPreheader()->getTerminator();
    for (const Kept& kept : loads) {
      llvm::AllocaInst* array =
          start.CreateAlloca(llvm::ArrayType::get(kept.load->getType(), count), nullptr, "kept");
      fill(*array, count, kept, inner, end);
      llvm::IRBuilder<> builder(kept.load);
      llvm::Value* place = builder.CreateInBoundsGEP(kept.load->getType(), array, index);
      kept.load->replaceAllUsesWith(
          builder.CreateAlignedLoad(kept.load->getType(), place, array->getAlign()));
      kept.load->eraseFromParent();
    }
    return true;
  }

  bool rotate(llvm::Loop& loop) {
    return loop.getExitingBlock() != loop.getLoopLatch() && rotateLoop(loop, maxHeader, analyses_);
  }

  /// The loop before `end` that reads what `kept` reads.
  void fill(llvm::AllocaInst& array, unsigned count, const Kept& kept, const llvm::Loop& inner,
            llvm::Instruction& end) {
    llvm::IRBuilder<> builder(&end);
    llvm::BasicBlock* before = end.getParent();
    const auto [place, index] =
        llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(count), end.getIterator());
    llvm::BasicBlock* body = place->getParent();
    llvm::DenseMap<const llvm::Value*, llvm::PHINode*> counters;
    for (llvm::PHINode* counter : kept.counters) {
      auto* copy = counters[counter] = llvm::cast<llvm::PHINode>(counter->clone());
      copy->insertBefore(body->begin());
      copy->replaceIncomingBlockWith(inner.getLoopPreheader(), before);
      copy->replaceIncomingBlockWith(inner.getLoopLatch(), body);
    }
    builder.SetInsertPoint(place);
    // Both loops read in each of their iterations, which is when the original promises hold.
    Rematerialiser copies(
        builder,
        [&](llvm::Value* value) {
          llvm::PHINode* counter = counters.lookup(value);
          return counter ? counter : isInside(value, *inner.getParentLoop()) ? nullptr : value;
        },
        Rematerialiser::Promises::Kept);
    auto* load = llvm::cast<llvm::LoadInst>(kept.load->clone());
    load->setOperand(0, copies.of(kept.load->getPointerOperand()));
    builder.Insert(load);
    builder.CreateAlignedStore(load, builder.CreateInBoundsGEP(load->getType(), &array, index),
                               array.getAlign());
    for (llvm::PHINode* counter : kept.counters)
      counters[counter]->setIncomingValueForBlock(
          body, copies.of(counter->getIncomingValueForBlock(inner.getLoopLatch())));
  }

  llvm::Function& region_;
  llvm::FunctionAnalysisManager& analyses_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& dominators_;
};

} // namespace

bool keepLoads(llvm::Function& region, llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  while (KeptLoads(region, analyses).run()) {
    changed = true;
    analyses.invalidate(region, llvm::PreservedAnalyses::none());
  }
  return changed;
}

} // namespace quern::compiler
