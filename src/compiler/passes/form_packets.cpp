#include "compiler/passes/form_packets.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/packets/legality.h"
#include "compiler/packets/packet_emitter.h"

namespace quern::compiler {
namespace {

unsigned vectorBits(const llvm::TargetMachine& machine) {
  const llvm::StringRef features = machine.getTargetFeatureString();
  if (features.contains("+avx512f"))
    return 512;
  return features.contains("+avx2") ? 256 : 128;
}

/// Brings a copy of a region into the form that packets are made from.
void canonicalize(llvm::Function& copy, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::UnifyFunctionExitNodesPass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.run(copy, analyses);
}

} // namespace

llvm::PreservedAnalyses FormPacketsPass::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& modules) {
  llvm::FunctionAnalysisManager& analyses =
      modules.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (llvm::Function* region : kernelFunctions(module)) {
    if (!region->hasFnAttribute(names::regionAttribute))
      continue;
    llvm::ValueToValueMapTy map;
    llvm::Function* copy = llvm::CloneFunction(region, map);
    canonicalize(*copy, analyses);
    const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(*copy);
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(copy);
    if (!llvm::containsIrreducibleCFG<llvm::BasicBlock*>(order, loops)) {
      const PacketUniformity uniformity(*copy);
      const Shapes shapes(*copy, uniformity);
      const MaskedBlocks masked(*copy, loops, uniformity);
      if (whyNotPackets(*copy, shapes, masked).empty() &&
          isPacketWorthwhile(*copy, shapes, loops)) {
        const unsigned width = vectorBits(machine_) / widestVaryingBits(*copy, shapes);
        llvm::Function* packet = emitPacket({*copy, loops, shapes, masked, width});
        packet->removeFnAttr(names::regionAttribute);
        packet->removeFnAttr(names::kernelAttribute);
        packet->setName(region->getName() + ".packet");
        region->addFnAttr(names::packetAttribute, packet->getName());
        setNumberAttribute(*region, names::packetWidthAttribute, width);
      }
    }
    analyses.clear(*copy, copy->getName());
    copy->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
