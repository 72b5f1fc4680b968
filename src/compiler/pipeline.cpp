#include "compiler/pipeline.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/GlobalOpt.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>

#include "compiler/codegen/local_atomics.h"
#include "compiler/codegen/work_group_loops.h"
#include "compiler/cpu_optimization.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/uniformity.h"
#include "compiler/loops/bound_loops.h"
#include "compiler/loops/idle_loops.h"
#include "compiler/loops/software_pipelining.h"
#include "compiler/loops/unroll_array_loops.h"
#include "compiler/packets/form_packets.h"
#include "compiler/packets/shapes.h"
#include "compiler/passes/instrumentation.h"
#include "compiler/passes/registry.h"
#include "compiler/program/child_records.h"
#include "compiler/program/constant_pointers.h"
#include "compiler/program/flushed_functions.h"
#include "compiler/program/initializers.h"
#include "compiler/program/inline_callees.h"
#include "compiler/program/inline_sampling.h"
#include "compiler/program/launch_facts.h"
#include "compiler/program/link_builtins.h"
#include "compiler/program/lower_opaque_types.h"
#include "compiler/program/prepare_kernels.h"
#include "compiler/program/relaxed_functions.h"
#include "compiler/program/safe_division.h"
#include "compiler/program/target_attributes.h"
#include "compiler/program/undefined_functions.h"
#include "compiler/program/variable_alignment.h"
#include "compiler/regions/form_regions.h"
#include "compiler/regions/group_results.h"
#include "compiler/regions/independent_accesses.h"
#include "compiler/regions/isolate_barriers.h"
#include "compiler/regions/join_barriers.h"
#include "compiler/regions/split_uniform_branches.h"
#include "compiler/regions/sub_group_loops.h"
#include "compiler/target/nvptx/address_space_tests.h"
#include "compiler/target/nvptx/aligned_elements.h"
#include "compiler/target/nvptx/approximate_division.h"
#include "compiler/target/nvptx/dependent_launch.h"
#include "compiler/target/nvptx/eager_unrolling.h"
#include "compiler/target/nvptx/finish.h"
#include "compiler/target/nvptx/hardware_functions.h"
#include "compiler/target/nvptx/kernels.h"
#include "compiler/target/nvptx/large_local_variables.h"
#include "compiler/target/nvptx/memory_order.h"
#include "compiler/target/nvptx/null_pointers.h"
#include "compiler/target/nvptx/occupancy.h"
#include "compiler/target/nvptx/remap_address_spaces.h"
#include "compiler/target/nvptx/strided_unrolling.h"
#include "compiler/target/nvptx/texture_forms.h"
#include "compiler/target/x86/flush_denormals.h"
#include "compiler/target/x86/hardware_scaling.h"
#include "compiler/target/x86/masked_stores.h"
#include "compiler/target/x86/reciprocal_roots.h"
#include "compiler/target/x86/scaling_instructions.h"
#include "compiler/target/x86/streaming_alignment.h"
#include "compiler/work_items/address_space_queries.h"
#include "compiler/work_items/callee_frames.h"
#include "compiler/work_items/common_stores.h"
#include "compiler/work_items/constant_candidates.h"
#include "compiler/work_items/flat_dimensions.h"
#include "compiler/work_items/group_shapes.h"
#include "compiler/work_items/local_variables.h"
#include "compiler/work_items/lower_printf.h"
#include "compiler/work_items/streamed_stores.h"
#include "compiler/work_items/sub_group_forms.h"
#include "compiler/work_items/work_item_bodies.h"
#include "compiler/work_items/work_item_parameters.h"

namespace quern::compiler {
namespace {

using llvm::FunctionPassManager;
using llvm::ModulePassManager;

void addOnFunctions(ModulePassManager& passes, FunctionPassManager functionPasses) {
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functionPasses)));
}

void addLaunchFacts(ModulePassManager& passes, const PassSettings& settings) {
  if (!settings.onlyKernel.empty() || settings.facts != abi::LaunchFacts())
    passes.addPass(LaunchFactsPass(settings));
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

void addSafeDivision(ModulePassManager& passes, const PassSettings&) {
  FunctionPassManager functions;
  functions.addPass(SafeDivisionPass());
  addOnFunctions(passes, std::move(functions));
}

void addPrepareKernels(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(PrepareKernelsPass(settings));
}

void addInlining(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(MarkCalleesPass(settings));
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(WorkItemParametersPass());
}

void addWorkItemBodies(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(WorkItemBodiesPass());
  passes.addPass(LocalVariablesPass());
  FunctionPassManager functions;
  functions.addPass(LowerPrintfPass());
  addOnFunctions(passes, std::move(functions));
}

template <typename AddressSpaceQueries>
void addCleanUp(ModulePassManager& passes, const PassSettings& settings,
                unsigned genericAddressSpace, bool joinsStores) {
  FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(ConstantPointersPass(settings));
  functions.addPass(llvm::InferAddressSpacesPass(genericAddressSpace));
  if (joinsStores)
    functions.addPass(CommonStoresPass());
  functions.addPass(llvm::InstCombinePass());
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

void addCpuCleanUp(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(ConstantArgumentsPass(settings));
  addCleanUp<AddressSpaceQueriesPass>(passes, settings, address_space::generic, settings.optimize);
  if (settings.facts.disjointMemory)
    passes.addPass(DisjointMemoryPass());
  FunctionPassManager functions;
  functions.addPass(ConstantCandidatesPass());
  functions.addPass(StreamedStoresPass());
  addOnFunctions(passes, std::move(functions));
}

void addSampling(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(InlineSamplingPass());
}

void addUnrolling(ModulePassManager& passes, const PassSettings& settings) {
  if (!settings.optimize)
    return;
  FunctionPassManager functions;
  functions.addPass(UnrollArrayLoopsPass());
  addOnFunctions(passes, std::move(functions));
}

void addIdleLoops(ModulePassManager& passes, const PassSettings& settings) {
  if (!settings.optimize)
    return;
  FunctionPassManager functions;
  functions.addPass(IdleLoopsPass());
  addOnFunctions(passes, std::move(functions));
}

void addCalleeFrames(ModulePassManager& passes, const PassSettings&) {
  passes.addPass(CalleeFramesPass());
}

void addSubGroups(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(SubGroupFormsPass(settings));
}

void addFlatDimensions(ModulePassManager& passes, const PassSettings&) {
  FunctionPassManager functions;
  functions.addPass(FlatDimensionsPass());
  addOnFunctions(passes, std::move(functions));
}

void addGroupShapes(ModulePassManager& passes, const PassSettings& settings) {
  if (settings.hasPackets())
    passes.addPass(GroupShapesPass(settings));
}

void addIsolation(ModulePassManager& passes, const PassSettings&) {
  FunctionPassManager functions;
  functions.addPass(SubGroupLoopsPass());
  functions.addPass(GroupResultsPass());
  functions.addPass(IsolateBarriersPass());
  functions.addPass(SplitUniformBranchesPass());
  functions.addPass(JoinBarriersPass());
  addOnFunctions(passes, std::move(functions));
}

void addRegions(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(FormRegionsPass(settings));
  FunctionPassManager functions;
  functions.addPass(IndependentAccessesPass());
  addOnFunctions(passes, std::move(functions));
}

void addPackets(ModulePassManager& passes, const PassSettings& settings) {
  if (settings.hasPackets())
    passes.addPass(FormPacketsPass(settings));
}

void addWorkGroups(ModulePassManager& passes, const PassSettings& settings) {
  passes.addPass(WorkGroupLoopsPass(settings));
  FunctionPassManager functions;
  functions.addPass(LocalAtomicsPass());
  functions.addPass(BoundLoopsPass());
  addOnFunctions(passes, std::move(functions));
}

/// What LLVM does not know of x86.
void addX86Instructions(FunctionPassManager& functions, const PassSettings& settings) {
  functions.addPass(FlushDenormalsPass());
  functions.addPass(MaskedStoresPass());
  if (settings.optimize)
    functions.addPass(ReciprocalRootsPass(settings));
  functions.addPass(ScalingInstructionsPass(settings));
  functions.addPass(StreamingAlignmentPass());
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
  FunctionPassManager functions;
  if (settings.machine.getTargetTriple().isX86())
    addX86Instructions(functions, settings);
  if (settings.optimize && !settings.isBaseline)
    functions.addPass(SoftwarePipeliningPass());
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
  FunctionPassManager functions;
  functions.addPass(MemoryOrderPass());
  addOnFunctions(passes, std::move(functions));
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
  finished.addPass(NullPointersPass(settings));
  finished.addPass(ConstantPointersPass(settings)); // LLVM's back end infers once more
  addOnFunctions(passes, std::move(finished));
  passes.addPass(DependentLaunchPass(settings));
  passes.addPass(FinishNvptxPass());
}

constexpr Step cpuSteps[] = {
    {"launch-facts", "takes one kernel out for launches of which something is known",
     addLaunchFacts},
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
    {"inline-callees", "inlines functions that depend on the work-item", addInlining},
    {"work-item-bodies", "makes the work-item's position and memory parameters", addWorkItemBodies},
    {"clean-up", "puts variables into values and infers address spaces", addCpuCleanUp},
    {"inline-sampling", "compiles the code of constant samplers into the kernel", addSampling},
    {"unroll-array-loops", "unrolls short loops over private arrays, whose elements become values",
     addUnrolling},
    {"idle-loops", "deletes loops that only count", addIdleLoops},
    {"callee-frames", "finds room for the large variables of functions that are called",
     addCalleeFrames},
    {"sub-groups", "places work-items in their sub-groups, which may be packets", addSubGroups},
    {"flat-dimensions", "finds the dimensions in which work-groups cannot be told apart",
     addFlatDimensions},
    {"group-shapes", "counts the work-items of small groups so that they fill packets",
     addGroupShapes},
    {"isolate-barriers", "gives every barrier a block of its own", addIsolation},
    {"form-regions", "cuts kernels into regions at barriers", addRegions},
    {"form-packets", "makes forms of regions for several work-items at once", addPackets},
    {"work-group-loops", "runs the regions in loops over work-items", addWorkGroups},
    {"optimize", "LLVM's own optimisations", addCpuOptimization},
};

constexpr Step nvptxSteps[] = {
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
