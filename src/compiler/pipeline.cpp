#include "compiler/pipeline.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/GlobalOpt.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LowerConstantIntrinsics.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>

#include "compiler/checks/wanted_checks.h"
#include "compiler/cpu_optimization.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/uniformity.h"
#include "compiler/packets/shapes.h"
#include "compiler/passes/instrumentation.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/registry.h"

namespace quern::compiler {
namespace {

using llvm::FunctionPassManager;
using llvm::ModulePassManager;

template <typename... Passes>
void addOnFunctions(ModulePassManager& passes, Passes&&... functionPasses) {
  FunctionPassManager functions;
  (functions.addPass(std::forward<Passes>(functionPasses)), ...);
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
}

void addFunctionPointers(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(FunctionPointersPass());
}

void addLaunchFacts(ModulePassManager& passes, const PassSettings& settings) {
  if (!settings.onlyKernel.empty() || settings.facts != abi::LaunchFacts())
    passes.addPass(LaunchFactsPass(settings));
}

void addCFunctions(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(CFunctionsPass());
}

void addRelaxation(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(RelaxedFunctionsPass());
  passes.addPass(MarkFlushedFunctionsPass());
}

void addLink(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(LinkBuiltinsPass(settings));
}

void addCpuLink(ModulePassManager& passes, const PassSettings& settings) {
  addLink(passes, settings);
  if (settings.machine.getTargetTriple().isX86() && hasFeature(settings.machine, "avx512vl"))
    passes.addPass(HardwareScalingPass());
}

void addLowerOpaqueTypes(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(LowerOpaqueTypesPass());
}

void addChildRecords(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(ChildRecordsPass());
}

/// Those of `add` for the checks that are wanted of the module.
template <void (*add)(ModulePassManager&, abi::CheckSet)>
class ChecksPassManager : public llvm::PassInfoMixin<ChecksPassManager<add>> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    const abi::CheckSet checks = wantedChecks(module);
    if (!checks.any())
      return llvm::PreservedAnalyses::all();
    ModulePassManager passes;
    add(passes, checks);
    return passes.run(module, analyses);
  }
  static bool isRequired() { return true; }
};

/// The checks that look at the functions of the program.
void addSourceChecks(ModulePassManager& passes, abi::CheckSet checks) {
  passes.addPass(MarkCheckedCodePass());
  if (checks.has(abi::Check::Memory))
    addOnFunctions(passes, CheckImagesPass());
  if (checks.has(abi::Check::Arithmetic))
    addOnFunctions(passes, CheckArithmeticPass());
  if (checks.has(abi::Check::Barriers))
    passes.addPass(CheckCopiesPass());
}

void addSafeDivision(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(ChecksPassManager<addSourceChecks>());
  addOnFunctions(passes, SafeDivisionPass());
}

void addPrepareKernels(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(PrepareKernelsPass(settings));
}

void addMarkedCallees(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(MarkCalleesPass(settings));
}

void addInlining(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(WorkItemParametersPass());
}

/// The checks that look at the work-item body as the program wrote it, before anything is concluded
/// from what a program may not do.
void addBodyChecks(ModulePassManager& passes, abi::CheckSet checks) {
  addOnFunctions(passes, PromotePointersPass());
  if (checks.has(abi::Check::Barriers) || checks.has(abi::Check::Races))
    passes.addPass(CheckBarriersPass());
  if (checks.has(abi::Check::Arguments))
    passes.addPass(CheckDirectionsPass());
  if (checks.has(abi::Check::Memory))
    passes.addPass(CheckMemoryPass());
  // An access that is not made is none that others could race with.
  if (checks.has(abi::Check::Races))
    passes.addPass(CheckRacesPass());
  if (checks.has(abi::Check::Uninitialised))
    passes.addPass(CheckUninitialisedPass());
  passes.addPass(LowerChecksPass());
}

void addWorkItemBodies(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(WorkItemBodiesPass());
  passes.addPass(ChecksPassManager<addBodyChecks>());
  passes.addPass(LocalVariablesPass());
  addOnFunctions(passes, LowerPrintfPass());
}

template <typename AddressSpaceQueries>
void addCleanUp(ModulePassManager& passes, const PassSettings& settings,
                unsigned genericAddressSpace, bool joinsStores) {
  FunctionPassManager functions;
  functions.addPass(llvm::LowerExpectIntrinsicPass());
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(ConstantPointersPass(settings));
  functions.addPass(AtomicAccessesPass());
  functions.addPass(llvm::InferAddressSpacesPass(genericAddressSpace));
  if (joinsStores)
    functions.addPass(CommonStoresPass());
  functions.addPass(CombineInstructionsPass());
  functions.addPass(llvm::SimplifyCFGPass());
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(AddressSpaceQueries());
  addOnFunctions(passes, std::move(functions));
  passes.addPass(VariableAlignmentPass());
  passes.addPass(llvm::GlobalOptPass()); // runs constructors of program-scope objects
  passes.addPass(InitializersPass());
  passes.addPass(UndefinedFunctionsPass());
}

/// What shows only in values.
void addValueChecks(ModulePassManager& passes, abi::CheckSet checks) {
  if (checks.has(abi::Check::Races))
    addOnFunctions(passes, OwnElementsPass());
}

void addCpuCleanUp(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(ConstantArgumentsPass(settings));
  addCleanUp<AddressSpaceQueriesPass>(passes, settings, address_space::generic, settings.optimize);
  passes.addPass(ChecksPassManager<addValueChecks>());
  if (settings.facts.disjointMemory)
    passes.addPass(DisjointMemoryPass());
  // What is no constant by now, or of no known size, is none: no vector can hold a question for it.
  addOnFunctions(passes, VectorAlignmentPass(), llvm::LowerConstantIntrinsicsPass(),
                 ConstantCandidatesPass(), StreamedStoresPass());
}

void addSampling(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(InlineSamplingPass());
  if (settings.facts.objects.empty())
    return;
  passes.addPass(ImageFormatsPass(settings));
  addOnFunctions(passes, llvm::SROAPass(llvm::SROAOptions::ModifyCFG), CombineInstructionsPass(),
                 llvm::SimplifyCFGPass(), llvm::EarlyCSEPass());
}

void addFootprints(ModulePassManager& passes, const PassSettings& settings) {
  if (settings.wantsFootprints)
    addOnFunctions(passes, FootprintsPass());
}

void addUnrolling(ModulePassManager& passes, const PassSettings& settings) {
  if (!settings.optimize)
    return;
  addOnFunctions(passes, UnrollArrayLoopsPass());
}

void addUniformComparisons(ModulePassManager& passes, const PassSettings& settings) {
  if (!settings.optimize)
    return;
  addOnFunctions(passes, UniformComparisonsPass());
}

void addIdleLoops(ModulePassManager& passes, const PassSettings& settings) {
  if (!settings.optimize)
    return;
  addOnFunctions(passes, IdleLoopsPass());
}

void addCalleeFrames(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(CalleeFramesPass());
}

void addSubGroups(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(SubGroupFormsPass(settings));
}

void addFlatDimensions(ModulePassManager& passes, const PassSettings&) {
  addOnFunctions(passes, FlatDimensionsPass());
}

void addGroupShapes(ModulePassManager& passes, const PassSettings& settings) {
  if (settings.hasPackets())
    passes.addPass(GroupShapesPass(settings));
}

void addIsolation(ModulePassManager& passes, const PassSettings&) {
  addOnFunctions(passes, SubGroupLoopsPass(), GroupResultsPass(), IsolateBarriersPass(),
                 ReconvergePass(), SplitUniformBranchesPass(), JoinBarriersPass());
}

void addRegions(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(FormRegionsPass(settings));
  addOnFunctions(passes, LocalVolatilesPass(), IndependentAccessesPass());
}

void addPackets(ModulePassManager& passes, const PassSettings& settings) {
  if (settings.hasPackets())
    passes.addPass(FormPacketsPass(settings));
}

void addWorkGroups(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(WorkGroupLoopsPass(settings));
  addOnFunctions(passes, LocalAtomicsPass(), BoundLoopsPass());
}

/// What LLVM does not know of x86.
void addX86Instructions(FunctionPassManager& functions, const PassSettings& settings) {
  functions.addPass(FlushDenormalsPass());
  if (settings.optimize)
    functions.addPass(ElementAccessesPass(settings));
  functions.addPass(MaskedAccessesPass());
  functions.addPass(MaskedShufflesPass(settings));
  functions.addPass(ByteShufflesPass(settings));
  functions.addPass(ShortProductsPass());
  if (settings.optimize)
    functions.addPass(ReciprocalRootsPass(settings));
  functions.addPass(FastQuotientsPass(settings));
  functions.addPass(ScalingInstructionsPass(settings));
  functions.addPass(StreamingAlignmentPass());
  if (vectorBits(settings.machine) > 128)
    functions.addPass(AlignedSpillsPass());
}

void addCpuOptimization(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(TargetAttributesPass(settings));
  if (settings.isBaseline)
    addBaselineOptimizationPasses(passes);
  else if (settings.optimize)
    addCpuOptimizationPasses(passes);
  else
    passes.addPass(
        llvm::PassBuilder(&settings.machine).buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
}

void addCpuInstructions(ModulePassManager& passes, const PassSettings& settings) {
  FunctionPassManager functions;
  if (settings.machine.getTargetTriple().isX86())
    addX86Instructions(functions, settings);
  if (settings.optimize && !settings.isBaseline)
    functions.addPass(SoftwarePipeliningPass());
  if (settings.isBaseline)
    functions.addPass(ConstantOffsetsPass());
  functions.addPass(FrozenQuotientsPass());
  addOnFunctions(passes, std::move(functions));
}

void addRetargeting(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(AlignedElementsPass());
  passes.addPass(HardwareFunctionsPass());
  passes.addPass(ApproximateDivisionPass());
  passes.addPass(RemapAddressSpacesPass());
}

void addNvptxKernels(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(NvptxKernelsPass(settings));
  passes.addPass(LargeLocalVariablesPass());
}

void addNvptxCleanUp(ModulePassManager& passes, const PassSettings& settings) {
  addCleanUp<AddressSpaceTestsPass>(passes, settings, nvptx_space::generic, /*joinsStores=*/false);
}

void addTextureForms(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(TextureFormsPass(settings));
}

void addNvptxOptimization(ModulePassManager& passes, const PassSettings& settings) {
  addOnFunctions(passes, MemoryOrderPass());
  llvm::PassBuilder builder(&settings.machine);
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager& loops, llvm::OptimizationLevel) {
        loops.addPass(EagerUnrollingPass());
      });
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& functions, llvm::OptimizationLevel) {
        functions.addPass(StridedUnrollingPass());
      });
  passes.addPass(settings.optimize
                     ? builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
                     : builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
  FunctionPassManager finished;
  if (settings.optimize)
    finished.addPass(OccupancyPass());
  finished.addPass(FrozenQuotientsPass());
  finished.addPass(NullPointersPass(settings));
  finished.addPass(ConstantPointersPass(settings)); // LLVM's back end infers once more
  addOnFunctions(passes, std::move(finished));
  passes.addPass(DependentLaunchPass(settings));
  passes.addPass(FinishNvptxPass());
}

constexpr Step cpuSteps[] = {
    {"function-pointers", "lets calls by pointers call functions of every module that was linked",
     addFunctionPointers},
    {"launch-facts", "takes one kernel out for launches of which something is known",
     addLaunchFacts},
    {"c-functions", "calls the built-in library where a program calls C's mathematical functions",
     addCFunctions},
    {"relax", "calls faster functions and flushes denormals where the options allow it",
     addRelaxation},
    {"link-builtins", "adds the built-in functions that the program calls and retargets the module",
     addCpuLink},
    {"lower-opaque-types", "makes images, samplers and pipes addresses and numbers",
     addLowerOpaqueTypes},
    {"child-records", "gives kernels that enqueue others the place for what they enqueue",
     addChildRecords},
    {"safe-division", "makes division by zero and overflow harmless", addSafeDivision},
    {"prepare-kernels", "gives kernels their bodies and hides everything else", addPrepareKernels},
    {markCalleesStep, "decides which functions are inlined", addMarkedCallees},
    {"inline-callees", "inlines functions that depend on the work-item", addInlining},
    {"work-item-bodies", "makes the work-item's position and memory parameters", addWorkItemBodies},
    {cleanUpStep, "puts variables into values and infers address spaces", addCpuCleanUp},
    {"inline-sampling", "compiles the code of constant samplers and known formats into the kernel",
     addSampling},
    {footprintsStep, "finds which bytes each work-group reads and writes", addFootprints},
    {"sub-groups", "places work-items in their sub-groups, which may be packets", addSubGroups},
    {"unroll-array-loops",
     "unrolls short loops over private arrays, whose elements become values, and such as ask for "
     "it",
     addUnrolling},
    {"uniform-comparisons", "compares without what differs for each work-item on both sides alike",
     addUniformComparisons},
    {"idle-loops", "deletes loops that only count", addIdleLoops},
    {"callee-frames", "finds room for the large variables of functions that are called",
     addCalleeFrames},
    {"flat-dimensions", "finds the dimensions in which work-groups cannot be told apart",
     addFlatDimensions},
    {"group-shapes", "counts the work-items of small groups so that they fill packets",
     addGroupShapes},
    {"isolate-barriers", "gives every barrier a block of its own", addIsolation},
    {"form-regions", "cuts kernels into regions at barriers", addRegions},
    {"form-packets", "makes forms of regions for several work-items at once", addPackets},
    {"work-group-loops", "runs the regions in loops over work-items", addWorkGroups},
    {"optimize", "LLVM's own optimisations", addCpuOptimization},
    {"instructions", "uses what LLVM does not know of the processor", addCpuInstructions},
};

constexpr Step nvptxSteps[] = {
    {"function-pointers", "lets calls by pointers call functions of every module that was linked",
     addFunctionPointers},
    {"c-functions", "calls the built-in library where a program calls C's mathematical functions",
     addCFunctions},
    {"relax", "calls faster functions and flushes denormals where the options allow it",
     addRelaxation},
    {"link-builtins", "adds the built-in functions that the program calls", addLink},
    {"lower-opaque-types", "makes images, samplers and pipes addresses and numbers",
     addLowerOpaqueTypes},
    {"child-records", "gives kernels that enqueue others the place for what they enqueue",
     addChildRecords},
    {"retarget", "changes address spaces, and functions to those that the hardware has",
     addRetargeting},
    {"safe-division", "makes division by zero and overflow harmless", addSafeDivision},
    {"prepare-kernels", "gives kernels their bodies and hides everything else", addPrepareKernels},
    {markCalleesStep, "decides which functions are inlined", addMarkedCallees},
    {"inline-callees", "inlines functions that depend on the work-item", addInlining},
    {"nvptx-kernels", "gives kernels their parameters and lowers what depends on the work-item",
     addNvptxKernels},
    {"clean-up", "puts variables into values and infers address spaces", addNvptxCleanUp},
    {"inline-sampling", "compiles the code of constant samplers into the kernel", addSampling},
    {"texture-forms", "gives kernels a second body for images that have textures", addTextureForms},
    {"optimize", "LLVM's own optimisations", addNvptxOptimization},
};

/// Runs passes on a module, with what watches them.
class PassRunner {
public:
  PassRunner(llvm::Module& module, const PassSettings& settings)
      : module_(module), instrumentation_(module.getContext()),
        library_(settings.machine.getTargetTriple()) {
    llvm::PassBuilder builder(&settings.machine, {}, std::nullopt, instrumentation_.callbacks());
    // No function of the C library exists for a kernel, so none may be recognised or invented.
    library_.disableAllFunctions();
    functions_.registerPass([&] { return llvm::TargetLibraryAnalysis(library_); });
    functions_.registerPass([] { return UniformityAnalysis(); });
    functions_.registerPass([] { return ShapeAnalysis(); });
    builder.registerModuleAnalyses(modules_);
    builder.registerCGSCCAnalyses(components_);
    builder.registerFunctionAnalyses(functions_);
    builder.registerLoopAnalyses(loops_);
    builder.crossRegisterProxies(loops_, functions_, components_, modules_);
    instrumentation_.watch(modules_);
  }

  void run(ModulePassManager& passes) { passes.run(module_, modules_); }

private:
  llvm::Module& module_;
  Instrumentation instrumentation_;
  llvm::TargetLibraryInfoImpl library_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

} // namespace

std::span<const Step> pipelineSteps(Architecture architecture) {
  if (isCpu(architecture))
    return cpuSteps;
  return nvptxSteps;
}

void runSteps(std::span<const Step> steps, llvm::Module& module, const PassSettings& settings,
              const StepObserver& observer) {
  PassRunner runner(module, settings);
  unsigned number = 0;
  for (const Step& step : steps) {
    ModulePassManager passes;
    step.add(passes, settings);
    runner.run(passes);
    observer(++number, step, module);
    if (module.getContext().getDiagHandlerPtr()->HasErrors)
      return;
  }
}

Status runPasses(llvm::StringRef text, llvm::Module& module, const PassSettings& settings) {
  ModulePassManager passes;
  QUERN_TRY(parsePipeline(passes, text, settings));
  runPasses(passes, module, settings);
  return {};
}

void runPasses(ModulePassManager& passes, llvm::Module& module, const PassSettings& settings) {
  PassRunner(module, settings).run(passes);
}

} // namespace quern::compiler
