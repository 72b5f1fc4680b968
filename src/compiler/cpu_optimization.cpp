#include "compiler/cpu_optimization.h"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/ConstantMerge.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/DivRemPairs.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "compiler/passes/passes.h"

namespace quern::compiler {
namespace {

using llvm::FunctionPassManager;
using llvm::LoopPassManager;

/// Brings a function into its simplest form, before others inline it.
FunctionPassManager simplification() {
  FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(WideSumsPass());
  passes.addPass(llvm::ReassociatePass());
  LoopPassManager invariants;
  invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
  invariants.addPass(llvm::LoopRotatePass());
  invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
  invariants.addPass(llvm::SimpleLoopUnswitchPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(invariants), true));
  passes.addPass(llvm::SimplifyCFGPass());
  LoopPassManager counts;
  counts.addPass(llvm::IndVarSimplifyPass());
  counts.addPass(llvm::LoopDeletionPass());
  counts.addPass(llvm::LoopFullUnrollPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(counts)));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::BDCEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::JumpThreadingPass());
  passes.addPass(llvm::CorrelatedValuePropagationPass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::MemCpyOptPass());
  passes.addPass(llvm::DSEPass());
  // Again, now that loops over one work-item are gone: what a loop keeps in memory may stay in a
  // register while it runs.
  LoopPassManager promotion;
  promotion.addPass(llvm::LoopRotatePass());
  promotion.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(promotion), true));
  passes.addPass(SignedWideningPass());
  passes.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                           .convertSwitchRangeToICmp(true)
                                           .hoistCommonInsts(true)
                                           .sinkCommonInsts(true)));
  return passes;
}

llvm::ModuleInlinerWrapperPass inlining() {
  llvm::ModuleInlinerWrapperPass inliner(llvm::getInlineParams(2, 0));
  inliner.getPM().addPass(llvm::PostOrderFunctionAttrsPass());
  inliner.getPM().addPass(llvm::createCGSCCToFunctionPassAdaptor(simplification()));
  return inliner;
}

/// Once all accesses of a loop can be seen.
FunctionPassManager counting() {
  FunctionPassManager passes;
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(PrivateCountersPass());
  return passes;
}

/// Vectorises what has no packets, and unrolls.
FunctionPassManager vectorization() {
  FunctionPassManager passes;
  passes.addPass(CongruentInductionVariablesPass());
  passes.addPass(NarrowRecurrencesPass());
  passes.addPass(llvm::LoopVectorizePass());
  passes.addPass(CarriedLoadsPass());
  passes.addPass(llvm::SLPVectorizerPass());
  passes.addPass(llvm::VectorCombinePass());
  passes.addPass(UnrollAndInterleavePass());
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(2)));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  passes.addPass(FetchAheadPass());
  passes.addPass(llvm::DivRemPairsPass());
  passes.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                           .convertSwitchRangeToICmp(true)
                                           .hoistCommonInsts(true)
                                           .sinkCommonInsts(true)));
  return passes;
}

/// Little more than brings values into registers.
FunctionPassManager baselineSimplification() {
  FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.addPass(RotateLoopsPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

} // namespace

void addBaselineOptimizationPasses(llvm::ModulePassManager& passes) {
  llvm::ModuleInlinerWrapperPass inliner(llvm::getInlineParams(1, 0));
  inliner.getPM().addPass(llvm::createCGSCCToFunctionPassAdaptor(baselineSimplification()));
  passes.addPass(std::move(inliner));
  passes.addPass(llvm::GlobalDCEPass());
}

void addCpuOptimizationPasses(llvm::ModulePassManager& passes) {
  passes.addPass(inlining());
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(counting()));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(vectorization()));
  passes.addPass(llvm::ConstantMergePass());
}

} // namespace quern::compiler
