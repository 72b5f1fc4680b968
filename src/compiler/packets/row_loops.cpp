#include "compiler/packets/row_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/address_space.h"
#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/loop.h"
#include "compiler/il/uniformity.h"
#include "compiler/loops/loop_transforms.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {
namespace {

/// Neighbouring elements that are read at once.
constexpr unsigned rowElements = 8;
/// Instructions of a loop that is unrolled.
constexpr unsigned maxInstructions = 60;
/// Iterations of a loop of which all are unrolled, and instructions that this makes.
constexpr unsigned maxIterations = 16, maxUnrolled = 600;

class RowLoops {
public:
  RowLoops(llvm::Function& region, llvm::FunctionAnalysisManager& analyses)
      : region_(region), analyses_(analyses),
        loops_(analyses.getResult<llvm::LoopAnalysis>(region)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(region)) {}

  bool run() {
    llvm::SmallVector<llvm::Loop*> chosen;
    const Uniformity& uniformity =
        analyses_.getResult<UniformityAnalysis>(region_).of(UniformityRoot::row());
    for (llvm::Loop* loop : loops_.getLoopsInPreorder())
      if (isChosen(*loop, uniformity))
        chosen.push_back(loop);
    bool changed = false;
    for (llvm::Loop* loop : chosen)
      changed |= unroll(*loop);
    return changed;
  }

private:
  /// Small, left by all work-items together, without stores that would keep the elements apart.
  bool isChosen(const llvm::Loop& loop, const Uniformity& uniformity) {
    if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || !loop.getExitingBlock() ||
        uniformity.hasDivergentTerminator(*loop.getExitingBlock()))
      return false;
    if (isShort(loop) && readsLocally(loop, uniformity))
      return true;
    bool readsRow = false;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& instruction : const_cast<llvm::BasicBlock&>(*block)) {
        if (instruction.mayWriteToMemory() && !storesPrivately(instruction))
          return false;
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
          readsRow = readsRow || walksRow(*load, loop, uniformity);
      }
    return readsRow && instructionsOf(loop) <= maxInstructions;
  }

  /// Whether what short rows of a group read in all iterations of a loop can be told apart.
  bool isShort(const llvm::Loop& loop) {
    if (!hasOwnShape(region_))
      return false;
    const unsigned trips = evolution_.getSmallConstantTripCount(&loop);
    return trips != 0 && trips <= maxIterations && trips * instructionsOf(loop) <= maxUnrolled;
  }

  static bool readsLocally(const llvm::Loop& loop, const Uniformity& uniformity) {
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block)
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            load && load->getPointerAddressSpace() == address_space::local &&
            !uniformity.isUniform(*load->getPointerOperand()))
          return true;
    return false;
  }

  /// In memory that no row lies in.
  static bool storesPrivately(const llvm::Instruction& instruction) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store && store->isSimple() &&
           store->getPointerAddressSpace() == address_space::privateMemory;
  }

  /// Whether the address grows by one element with each iteration, from where it is different, and
  /// not by one element, in neighbouring work-items.
  bool walksRow(llvm::LoadInst& load, const llvm::Loop& loop, const Uniformity& uniformity) {
    if (uniformity.isUniform(*load.getPointerOperand()) ||
        load.getPointerAddressSpace() == address_space::privateMemory)
      return false;
    const auto* address =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(load.getPointerOperand()));
    if (!address || address->getLoop() != &loop || !address->isAffine())
      return false;
    const uint64_t bytes = region_.getDataLayout().getTypeStoreSize(load.getType());
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution_));
    if (!step || step->getAPInt() != bytes)
      return false;
    const std::optional<llvm::APInt> stride =
        strideInRow(*address->getStart(), region_, evolution_);
    return !stride || stride->abs().ugt(bytes);
  }

  bool unroll(llvm::Loop& loop) {
    const unsigned trips = evolution_.getSmallConstantTripCount(&loop);
    llvm::UnrollLoopOptions options{};
    options.Count = isShort(loop) ? trips : rowElements;
    options.Force = true;
    bool rotated = false;
    if (!isShort(loop) && (trips == 0 || trips % rowElements != 0)) {
      if (trips != 0 && trips < 2 * rowElements)
        return false;
      // Iterations that are left over need a loop that tests at its end whether to go on.
      rotated = rotateLoop(loop, maxInstructions, analyses_);
      options.Runtime = options.AllowExpensiveTripCount = true;
      options.SCEVExpansionBudget = 4;
    }
    return unrollLoop(loop, options, analyses_) || rotated;
  }

  llvm::Function& region_;
  llvm::FunctionAnalysisManager& analyses_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
};

} // namespace

bool unrollRowLoops(llvm::Function& region, llvm::FunctionAnalysisManager& analyses) {
  return RowLoops(region, analyses).run();
}

} // namespace quern::compiler
