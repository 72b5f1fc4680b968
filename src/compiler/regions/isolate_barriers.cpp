#include "compiler/regions/isolate_barriers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/il/boundary.h"
#include "compiler/il/names.h"
#include "compiler/regions/region_graph.h"

namespace quern::compiler {
namespace {

void gatherVariables(llvm::Function& function) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::SmallVector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable && llvm::isa<llvm::ConstantInt>(variable->getArraySize()))
      variables.push_back(variable);
  for (llvm::AllocaInst* variable : llvm::reverse(variables))
    variable->moveBefore(entry, entry.begin());
}

} // namespace

llvm::PreservedAnalyses IsolateBarriersPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  llvm::removeUnreachableBlocks(function);
  gatherVariables(function);
  llvm::SmallVector<llvm::CallInst*> barriers;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (boundaryOf(instruction))
      barriers.push_back(llvm::cast<llvm::CallInst>(&instruction));
  for (llvm::CallInst* barrier : barriers)
    isolateBarrier(*barrier);
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
