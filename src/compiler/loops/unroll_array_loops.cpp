#include "compiler/loops/unroll_array_loops.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/il/loop.h"
#include "compiler/il/names.h"
#include "compiler/loops/loop_transforms.h"
#include "compiler/work_items/combine_instructions.h"

namespace quern::compiler {
namespace {

/// Iterations of a nest of loops together.
constexpr unsigned maxIterations = 64;
/// Instructions of a nest of loops when it is unrolled.
constexpr uint64_t maxInstructions = 3000;
/// The same of a loop that asks for it, where no array is gained.
constexpr uint64_t maxInstructionsAsked = 1000;
/// Instructions of all unrolled loops of a function: what SROA takes for the arrays that they index
/// grows with the square.
constexpr uint64_t maxInstructionsOfFunction = 30'000;
/// How deep loops may lie in each other whose number of iterations is that of an outer one.
constexpr unsigned maxRounds = 4;
/// Iterations that a loop is taken to make as long as those around it are not unrolled.
constexpr unsigned likelyIterations = 4;

using Loops = llvm::SmallSetVector<const llvm::Loop*, 8>;

/// Finds the loops of one function that are worth unrolling.
class Search {
public:
  Search(const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution)
      : loops_(loops), evolution_(evolution) {}

  void addLoopsOf(const llvm::AllocaInst& array) {
    Loops indexing;
    if (!findLoops(array, indexing))
      return;
    want(indexing);
  }

  /// Loops that ask to be unrolled in full; where that is too much they stay loops.
  void addLoopThatAsks(llvm::Loop& loop) {
    if (iterationsOf(loop) == 0)
      return;
    Loops asking;
    asking.insert(&loop);
    if (!canUnroll(loop) || instructionsOf(loop) * iterationsOf(loop) > maxInstructionsAsked ||
        !want(asking))
      loop.setLoopAlreadyUnrolled();
  }

  bool wants(const llvm::Loop* loop) const { return wanted_.contains(loop); }

private:
  /// False where that would be too much, together with those that are wanted already.
  bool want(const Loops& loops) {
    uint64_t instructions = instructions_;
    for (const llvm::Loop* loop : loops)
      if (!wants(loop))
        instructions += instructionsOf(*loop) * std::max<uint64_t>(iterationsOf(*loop), 1);
    if (instructions > maxInstructionsOfFunction)
      return false;
    instructions_ = instructions;
    wanted_.insert_range(loops);
    return true;
  }

  /// The loops that give the accesses to an array their indices; false if there are others that
  /// stay variable.
  bool findLoops(const llvm::AllocaInst& array, Loops& indexing) {
    llvm::SmallSetVector<const llvm::Instruction*, 16> pointers;
    pointers.insert(&array);
    for (unsigned i = 0; i < pointers.size(); ++i)
      for (const llvm::Use& use : pointers[i]->uses()) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        if (llvm::isa<llvm::GetElementPtrInst>(user)) {
          if (!hasKnownIndices(*user, indexing))
            return false;
          pointers.insert(user);
        } else if (llvm::isa<llvm::PHINode>(user) && user->getNumOperands() == 1) {
          pointers.insert(user); // where a loop is left
        } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
          if (store->isVolatile() || store->getValueOperand() == use.get())
            return false;
        } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
          if (load->isVolatile())
            return false;
        } else if (!llvm::isa<llvm::MemIntrinsic, llvm::LifetimeIntrinsic>(user)) {
          return false;
        }
      }
    return true;
  }

  bool hasKnownIndices(const llvm::Instruction& address, Loops& indexing) {
    for (const llvm::Use& index : llvm::drop_begin(address.operands()))
      if (!isKnown(*evolution_.getSCEV(index.get()), indexing))
        return false;
    return true;
  }

  /// Whether an index is made of constants and counters of loops that can be unrolled.
  bool isKnown(const llvm::SCEV& index, Loops& indexing) {
    return !llvm::SCEVExprContains(&index, [&](const llvm::SCEV* part) {
      if (llvm::isa<llvm::SCEVCouldNotCompute>(part))
        return true;
      if (const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(part))
        return !isCounted(*value->getValue(), indexing);
      if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
        return !vanishes(*counter->getLoop(), indexing);
      return false;
    });
  }

  /// Whether nothing but constants and what loops count that can be unrolled makes a value.
  bool isCounted(const llvm::Value& value, Loops& indexing) {
    llvm::SmallVector<const llvm::Value*> open{&value};
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    while (!open.empty()) {
      const llvm::Value* each = open.pop_back_val();
      if (llvm::isa<llvm::ConstantInt>(each) || !seen.insert(each).second)
        continue;
      const auto* part = llvm::dyn_cast<llvm::Instruction>(each);
      if (!part || !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                              llvm::PHINode>(part))
        return false;
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(part);
          phi && phi->getNumIncomingValues() != 1) {
        // Others depend on which way was gone.
        const llvm::Loop* loop = loops_.getLoopFor(phi->getParent());
        if (!loop || loop->getHeader() != phi->getParent() || !vanishes(*loop, indexing))
          return false;
      }
      open.append(part->value_op_begin(), part->value_op_end());
    }
    return true;
  }

  /// Whether no loop is left of `loop`: it can be unrolled, or it can when those around it are, on
  /// whose counters alone it depends how often it runs.
  bool vanishes(const llvm::Loop& loop, Loops& indexing) {
    if (indexing.contains(&loop))
      return true;
    indexing.insert(&loop);
    if (canUnroll(loop))
      return true;
    const llvm::BasicBlock* exiting = loop.getExitingBlock();
    const auto* branch =
        exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
    return iterationsOf(loop) == 0 && loop.getParentLoop() && isSmall(loop, likelyIterations) &&
           branch && branch->isConditional() && isCounted(*branch->getCondition(), indexing);
  }

  /// Whether `loop` can be unrolled with all loops in it that are wanted by the same index.
  bool canUnroll(const llvm::Loop& loop) {
    const auto [place, isNew] = known_.try_emplace(&loop, false);
    if (!isNew)
      return place->second;
    uint64_t iterations = iterationsOf(loop);
    for (const llvm::Loop* inner : loop.getSubLoops())
      if (canUnroll(*inner))
        iterations = std::max(iterations, iterationsOf(loop) * iterationsOf(*inner));
    const bool result = iterations > 0 && isSmall(loop, iterations);
    known_[&loop] = result;
    return result;
  }

  bool isSmall(const llvm::Loop& loop, uint64_t iterations) const {
    return iterations <= maxIterations && instructionsOf(loop) * iterations <= maxInstructions &&
           loop.isLoopSimplifyForm() && loop.isSafeToClone() && !isConvergent(loop);
  }

  /// How often the body runs; 0 if that is not known. A loop that tests at its beginning does so
  /// once more.
  uint64_t iterationsOf(const llvm::Loop& loop) {
    const unsigned trips = evolution_.getSmallConstantTripCount(&loop);
    return trips != 0 && loop.getExitingBlock() == loop.getHeader() &&
                   loop.getHeader() != loop.getLoopLatch()
               ? trips - 1
               : trips;
  }

  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  Loops wanted_;
  uint64_t instructions_ = 0; ///< of the loops wanted, when they are unrolled
  llvm::DenseMap<const llvm::Loop*, bool> known_;
};

bool hasArrays(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction);
  });
}

bool asks(const llvm::Loop& loop) {
  return llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.full");
}

/// Inner loops before those around them, and otherwise from the first to the last: each changes how
/// deep in the dominator tree all that follows is, which is little as long as that is not unrolled.
bool unroll(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  Search search(loops, evolution);
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      search.addLoopsOf(*variable);
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (asks(*loop))
      search.addLoopThatAsks(*loop);
  llvm::SmallVector<llvm::Loop*> order = loops.getLoopsInReverseSiblingPreorder();
  llvm::erase_if(order, [&](const llvm::Loop* loop) { return !search.wants(loop); });
  bool changed = false;
  for (llvm::Loop* loop : llvm::reverse(order)) {
    llvm::UnrollLoopOptions options{};
    options.Count = evolution.getSmallConstantTripCount(loop);
    options.Force = true;
    if (options.Count == 0)
      continue;
    changed |= unrollLoop(*loop, options, analyses);
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses UnrollArrayLoopsPass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  const auto loops = analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder();
  if (loops.empty() || (!hasArrays(function) &&
                        llvm::none_of(loops, [](const llvm::Loop* loop) { return asks(*loop); })))
    return llvm::PreservedAnalyses::all();
  llvm::FunctionPassManager before, after;
  before.addPass(llvm::LoopSimplifyPass());
  before.addPass(llvm::LCSSAPass());
  after.addPass(llvm::EarlyCSEPass());
  after.addPass(llvm::SimplifyCFGPass());
  after.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  after.addPass(CombineInstructionsPass());
  after.addPass(llvm::SimplifyCFGPass());
  after.addPass(llvm::EarlyCSEPass());
  const auto run = [&](llvm::FunctionPassManager& passes) {
    analyses.invalidate(function, passes.run(function, analyses));
  };
  for (unsigned round = 0; round < maxRounds; ++round) {
    run(before);
    if (!unroll(function, analyses))
      break;
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    run(after);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
