#include "compiler/passes/form_regions.h"

#include <llvm/IR/Module.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/regions/region_emitter.h"

namespace quern::compiler {
namespace {

void cut(llvm::Function& item) {
  const RegionGraph graph(item);
  const Uniformity uniformity(item);
  const LiveValues values(graph, uniformity);
  const PrivateVariables variables(item, graph);
  const ContextLayout layout(item.getDataLayout(), values, variables);
  const RegionPlan plan{item, graph, values, variables, layout};
  for (const Region& region : graph.regions()) {
    llvm::Function* function = emitRegion(plan, region);
    setNumberAttribute(*function, names::uniformBytesAttribute, layout.uniformBytes());
    setNumberAttribute(*function, names::contextUniformBytesAttribute, layout.sharedBytes());
    setNumberAttribute(*function, names::contextItemBytesAttribute, layout.itemBytes());
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
