#include "compiler/passes/form_regions.h"

#include <algorithm>

#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/regions/region_emitter.h"

namespace quern::compiler {
namespace {

void cut(llvm::Function& item) {
  RegionGraph graph(item);
  graph.findLiveValues();
  const Uniformity uniformity(item);
  const LiveValues values(graph, uniformity);
  const PrivateVariables variables(item, graph);
  const ContextLayout layout(item.getDataLayout(), values, variables);
  const RegionPlan plan{item, graph, uniformity, values, variables, layout};
  std::vector<llvm::Function*> functions;
  for (const Region& region : graph.regions())
    functions.push_back(emitRegion(plan, region));
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
  }
}

} // namespace

llvm::PreservedAnalyses FormRegionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  for (llvm::Function* item : kernelFunctions(module)) {
    cut(*item);
    item->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
