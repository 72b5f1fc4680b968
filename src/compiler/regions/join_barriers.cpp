#include "compiler/regions/join_barriers.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"
#include "compiler/regions/own_barriers.h"
#include "compiler/regions/region_graph.h"

namespace quern::compiler {
namespace {

/// Instructions that must be saved by a further barrier, which costs loops over the work-items and
/// room for what lives across it.
constexpr uint64_t worthwhileSavings = 200;

class Placement {
public:
  Placement(llvm::Function& function, Uniformities& uniformities)
      : function_(function),
        divergent_(divergentBlocks(function, uniformities.of(UniformityRoot::workGroup()))) {}

  void run() {
    while (llvm::BasicBlock* block = bestJoin())
      insertOwnBarrier(*block);
  }

private:
  /// The block where a barrier saves most instructions, if enough.
  llvm::BasicBlock* bestJoin() const {
    const RegionGraph graph(function_);
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> regionsOf;
    for (const Region& region : graph.regions())
      for (const llvm::BasicBlock* block : region.blocks)
        ++regionsOf[block];
    llvm::BasicBlock* best = nullptr;
    uint64_t most = worthwhileSavings;
    for (llvm::BasicBlock& block : function_)
      if (isJoin(block, regionsOf)) {
        const uint64_t savings = sizeFrom(block, graph) * (regionsOf[&block] - 1);
        if (savings >= most) {
          most = savings;
          best = &block;
        }
      }
    return best;
  }

  /// Whether more regions than that of any single predecessor come together in `block`.
  bool isJoin(const llvm::BasicBlock& block,
              const llvm::DenseMap<const llvm::BasicBlock*, unsigned>& regionsOf) const {
    const unsigned count = regionsOf.lookup(&block);
    if (count < 2 || divergent_.contains(&block))
      return false;
    return llvm::all_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* predecessor) {
      return regionsOf.lookup(predecessor) < count;
    });
  }

  static uint64_t sizeFrom(llvm::BasicBlock& block, const RegionGraph& graph) {
    uint64_t size = 0;
    for (const llvm::BasicBlock* one : reachableBlocks(block, graph))
      size += one->size();
    return size;
  }

  llvm::Function& function_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> divergent_;
};

} // namespace

llvm::PreservedAnalyses JoinBarriersPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::kernelAttribute) ||
      !function.getParent()->getFunction(names::barrier))
    return llvm::PreservedAnalyses::all();
  Placement(function, analyses.getResult<UniformityAnalysis>(function)).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
