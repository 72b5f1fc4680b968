#include "compiler/passes/form_packets.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/packets/legality.h"
#include "compiler/packets/packet_emitter.h"
#include "compiler/packets/preparation.h"

namespace quern::compiler {
namespace {

unsigned vectorBits(const llvm::TargetMachine& machine) {
  const llvm::StringRef features = machine.getTargetFeatureString();
  if (features.contains("+avx512f"))
    return 512;
  return features.contains("+avx2") ? 256 : 128;
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
    prepareForPackets(*copy, analyses);
    const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(*copy);
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(copy);
    if (!llvm::containsIrreducibleCFG<llvm::BasicBlock*>(order, loops)) {
      const PacketUniformity uniformity(*copy);
      const Shapes shapes(*copy, uniformity);
      const MaskedBlocks masked(*copy, loops, uniformity);
      const MemoryAccesses accesses(*copy, shapes,
                                    analyses.getResult<llvm::ScalarEvolutionAnalysis>(*copy));
      if (whyNotPackets(*copy, shapes, masked).empty() &&
          (choice_.which == PacketChoice::Which::All ||
           isPacketWorthwhile(*copy, shapes, accesses, loops))) {
        const unsigned width =
            choice_.width ? choice_.width : vectorBits(machine_) / widestVaryingBits(*copy, shapes);
        llvm::Function* packet = emitPacket({*copy, loops, shapes, masked, accesses, width});
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
