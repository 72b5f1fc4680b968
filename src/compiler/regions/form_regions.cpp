#include "compiler/regions/form_regions.h"

#include <algorithm>

#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/il/boundary.h"
#include "compiler/il/collective.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/regions/array_uses.h"
#include "compiler/regions/next_region.h"
#include "compiler/regions/region_emitter.h"

namespace quern::compiler {
namespace {

/// The collective function that `call` stands for. Its operands are variables, whose address the
/// call is given, so they are in the context.
Collective describe(const llvm::CallInst& call, const ContextLayout& layout) {
  Collective collective;
  collective.ofSubGroup = isOfSubGroup(*boundaryOf(call));
  collective.isUniform = hasUniformResult(call);
  collective.combine = call.getArgOperand(0)->stripPointerCasts()->getName().str();
  for (unsigned i = 0; i < collective.slots.size(); ++i) {
    const llvm::Value* variable = call.getArgOperand(1 + i)->stripPointerCasts();
    if (llvm::isa<llvm::AllocaInst>(variable))
      collective.slots[i] = layout.slotOf(variable);
  }
  return collective;
}

/// What fills arrays that live across barriers keeps them from being interleaved.
void expandFills(llvm::Function& item) {
  const RegionGraph graph(item);
  const PrivateVariables variables(item, graph);
  llvm::SmallVector<llvm::AllocaInst*> arrays;
  llvm::copy_if(variables.all(), std::back_inserter(arrays), [&](const llvm::AllocaInst* variable) {
    return variables.place(variable) == VariablePlace::Context;
  });
  expandArrayFills(arrays);
}

void cut(llvm::Function& item, bool interleaves, llvm::FunctionAnalysisManager& analyses) {
  if (interleaves)
    expandFills(item);
  analyses.invalidate(item, llvm::PreservedAnalyses::none());
  RegionGraph graph(item);
  graph.findLiveValues();
  const Uniformity& uniformity =
      analyses.getResult<UniformityAnalysis>(item).of(UniformityRoot::workGroup());
  const LiveValues values(graph, uniformity);
  const PrivateVariables variables(item, graph);
  const auto interleaved =
      interleaves ? InterleavedVariables(item, variables, uniformity) : InterleavedVariables();
  const ContextLayout layout(item.getDataLayout(), values, variables);
  const RegionPlan plan{item, graph, uniformity, values, variables, interleaved, layout};
  std::vector<llvm::Function*> functions;
  for (const Region& region : graph.regions()) {
    functions.push_back(emitRegion(plan, region));
    if (region.entryBarrier && isCollective(*boundaryOf(*region.entryBarrier)))
      setCollective(*functions.back(), describe(*region.entryBarrier, layout));
  }
  const bool divergent = std::ranges::any_of(functions, [](const llvm::Function* function) {
    return function->hasFnAttribute(names::divergentExitsAttribute);
  });
  uint64_t itemBytes = layout.itemBytes();
  if (divergent)
    itemBytes = llvm::alignTo(itemBytes, sizeof(uint32_t)) + sizeof(uint32_t);
  for (llvm::Function* function : functions) {
    if (divergent)
      setNumberAttribute(*function, names::nextRegionOffsetAttribute, itemBytes - sizeof(uint32_t));
    setNumberAttribute(*function, names::uniformBytesAttribute, layout.uniformBytes());
    setNumberAttribute(*function, names::contextUniformBytesAttribute, layout.sharedBytes());
    setNumberAttribute(*function, names::contextItemBytesAttribute, itemBytes);
    setNumberAttribute(*function, names::privateBytesAttribute, variables.bytes());
    if (divergent)
      keepNextRegion(*function);
  }
}

} // namespace

llvm::PreservedAnalyses FormRegionsPass::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& modules) {
  llvm::FunctionAnalysisManager& analyses =
      modules.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (llvm::Function* item : kernelFunctions(module)) {
    cut(*item, interleaves_, analyses);
    analyses.clear(*item, item->getName());
    item->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
