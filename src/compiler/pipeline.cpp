#include "compiler/pipeline.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
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

#include "base/config.h"
#include "compiler/codegen/local_atomics.h"
#include "compiler/codegen/work_group_loops.h"
#include "compiler/cpu_optimization.h"
#include "compiler/il/address_space.h"
#include "compiler/il/kernel_function.h"
#include "compiler/loops/bound_loops.h"
#include "compiler/loops/idle_loops.h"
#include "compiler/loops/software_pipelining.h"
#include "compiler/loops/unroll_array_loops.h"
#include "compiler/packets/form_packets.h"
#include "compiler/program/constant_pointers.h"
#include "compiler/program/flushed_functions.h"
#include "compiler/program/initializers.h"
#include "compiler/program/inline_callees.h"
#include "compiler/program/inline_sampling.h"
#include "compiler/program/launch_facts.h"
#include "compiler/program/link_builtins.h"
#include "compiler/program/lower_images.h"
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
#include "compiler/target/nvptx/capability.h"
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

void addLaunchFacts(ModulePassManager& passes, const PipelineSettings& settings) {
  if (!settings.onlyKernel.empty() || settings.facts != abi::LaunchFacts())
    passes.addPass(LaunchFactsPass(settings.onlyKernel, settings.facts));
}

void addRelaxation(ModulePassManager& passes, const PipelineSettings&) {
  passes.addPass(RelaxedFunctionsPass());
  passes.addPass(MarkFlushedFunctionsPass());
}

void addLink(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(LinkBuiltinsPass(settings.machine));
}

void addCpuLink(ModulePassManager& passes, const PipelineSettings& settings) {
  addLink(passes, settings);
  if (hasFeature(settings.machine, "avx512vl"))
    passes.addPass(HardwareScalingPass());
}

void addLowerImages(ModulePassManager& passes, const PipelineSettings&) {
  passes.addPass(LowerImagesPass());
}

void addSafeDivision(ModulePassManager& passes, const PipelineSettings&) {
  FunctionPassManager functions;
  functions.addPass(SafeDivisionPass());
  addOnFunctions(passes, std::move(functions));
}

void addPrepareKernels(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(PrepareKernelsPass(settings.subGroupSize));
}

void addInlining(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(MarkCalleesPass(settings.inlinesLeast));
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(WorkItemParametersPass());
}

void addWorkItemBodies(ModulePassManager& passes, const PipelineSettings&) {
  passes.addPass(WorkItemBodiesPass());
  passes.addPass(LocalVariablesPass());
  FunctionPassManager functions;
  functions.addPass(LowerPrintfPass());
  addOnFunctions(passes, std::move(functions));
}

template <typename AddressSpaceQueries>
void addCleanUp(ModulePassManager& passes, unsigned genericAddressSpace, bool joinsStores) {
  FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(ConstantPointersPass(genericAddressSpace));
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

void addCpuCleanUp(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(ConstantArgumentsPass(settings.facts));
  addCleanUp<AddressSpaceQueriesPass>(passes, address_space::generic, settings.optimize);
  if (settings.facts.disjointMemory)
    passes.addPass(DisjointMemoryPass());
  FunctionPassManager functions;
  functions.addPass(ConstantCandidatesPass());
  functions.addPass(StreamedStoresPass());
  addOnFunctions(passes, std::move(functions));
}

void addSampling(ModulePassManager& passes, const PipelineSettings&) {
  passes.addPass(InlineSamplingPass());
}

void addUnrolling(ModulePassManager& passes, const PipelineSettings& settings) {
  if (!settings.optimize)
    return;
  FunctionPassManager functions;
  functions.addPass(UnrollArrayLoopsPass());
  addOnFunctions(passes, std::move(functions));
}

void addIdleLoops(ModulePassManager& passes, const PipelineSettings& settings) {
  if (!settings.optimize)
    return;
  FunctionPassManager functions;
  functions.addPass(IdleLoopsPass());
  addOnFunctions(passes, std::move(functions));
}

void addCalleeFrames(ModulePassManager& passes, const PipelineSettings&) {
  passes.addPass(CalleeFramesPass());
}

/// Packets of another size than that of a sub-group are no sub-groups.
void addSubGroups(ModulePassManager& passes, const PipelineSettings& settings) {
  const PacketChoice& packets = settings.packets;
  passes.addPass(SubGroupFormsPass(settings.optimize &&
                                   packets.which != PacketChoice::Which::None &&
                                   (packets.width == 0 || packets.width == settings.subGroupSize)));
}

void addFlatDimensions(ModulePassManager& passes, const PipelineSettings&) {
  FunctionPassManager functions;
  functions.addPass(FlatDimensionsPass());
  addOnFunctions(passes, std::move(functions));
}

bool hasPackets(const PipelineSettings& settings) {
  return settings.optimize && settings.packets.which != PacketChoice::Which::None;
}

void addGroupShapes(ModulePassManager& passes, const PipelineSettings& settings) {
  if (hasPackets(settings))
    passes.addPass(GroupShapesPass(settings.machine, settings.packets));
}

void addIsolation(ModulePassManager& passes, const PipelineSettings&) {
  FunctionPassManager functions;
  functions.addPass(SubGroupLoopsPass());
  functions.addPass(GroupResultsPass());
  functions.addPass(IsolateBarriersPass());
  functions.addPass(SplitUniformBranchesPass());
  functions.addPass(JoinBarriersPass());
  addOnFunctions(passes, std::move(functions));
}

void addRegions(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(FormRegionsPass(hasPackets(settings)));
  FunctionPassManager functions;
  functions.addPass(IndependentAccessesPass());
  addOnFunctions(passes, std::move(functions));
}

void addPackets(ModulePassManager& passes, const PipelineSettings& settings) {
  if (hasPackets(settings))
    passes.addPass(FormPacketsPass(settings.machine, settings.packets, !settings.isBaseline));
}

void addWorkGroups(ModulePassManager& passes, const PipelineSettings& settings) {
  const uint32_t width = settings.packets.width;
  passes.addPass(WorkGroupLoopsPass(!hasPackets(settings) ? 0
                                    : width != 0          ? 32 * width
                                                          : vectorBits(settings.machine)));
  FunctionPassManager functions;
  functions.addPass(LocalAtomicsPass());
  functions.addPass(BoundLoopsPass());
  addOnFunctions(passes, std::move(functions));
}

void addCpuOptimization(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(TargetAttributesPass(settings.machine));
  if (settings.isBaseline)
    addBaselineOptimizationPasses(passes);
  else if (settings.optimize)
    addCpuOptimizationPasses(passes);
  else
    passes.addPass(
        llvm::PassBuilder(&settings.machine).buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
  FunctionPassManager functions;
  functions.addPass(FlushDenormalsPass());
  functions.addPass(MaskedStoresPass());
  if (settings.optimize)
    functions.addPass(ReciprocalRootsPass(settings.machine));
  functions.addPass(ScalingInstructionsPass(settings.machine));
  functions.addPass(StreamingAlignmentPass());
  if (settings.optimize && !settings.isBaseline)
    functions.addPass(SoftwarePipeliningPass());
  addOnFunctions(passes, std::move(functions));
}

void addRetargeting(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(AlignedElementsPass());
  passes.addPass(HardwareFunctionsPass());
  passes.addPass(ApproximateDivisionPass());
  passes.addPass(RemapAddressSpacesPass());
}

void addNvptxKernels(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(NvptxKernelsPass(computeCapability(settings.machine)));
  passes.addPass(LargeLocalVariablesPass());
}

void addNvptxCleanUp(ModulePassManager& passes, const PipelineSettings&) {
  addCleanUp<AddressSpaceTestsPass>(passes, nvptx_space::generic, /*joinsStores=*/false);
}

void addTextureForms(ModulePassManager& passes, const PipelineSettings& settings) {
  passes.addPass(TextureFormsPass(settings.optimize));
}

void addNvptxOptimization(ModulePassManager& passes, const PipelineSettings& settings) {
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
  finished.addPass(NullPointersPass(settings.machine));
  finished.addPass(ConstantPointersPass(nvptx_space::generic)); // LLVM's back end infers once more
  addOnFunctions(passes, std::move(finished));
  passes.addPass(DependentLaunchPass(settings.machine));
  passes.addPass(FinishNvptxPass());
}

constexpr Step cpuSteps[] = {
    {"launch-facts", "takes one kernel out for launches of which something is known",
     addLaunchFacts},
    {"relax", "calls faster functions and flushes denormals where the options allow it",
     addRelaxation},
    {"link-builtins", "adds the built-in functions that the program calls and retargets the module",
     addCpuLink},
    {"lower-images", "makes images and samplers addresses and numbers", addLowerImages},
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
    {"lower-images", "makes images and samplers addresses and numbers", addLowerImages},
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

/// A step that leaves broken IR would make a later one fail, where nobody looks for the cause.
void verify(const llvm::Module& module, const Step& step) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const llvm::Function& function : module)
    if (llvm::verifyFunction(function, &stream)) {
      module.getContext().emitError(describeFunction(function) + " is broken after the step '" +
                                    std::string(step.name) + "': " + text);
      return;
    }
  if (llvm::verifyModule(module, &stream))
    module.getContext().emitError("the program is broken after the step '" +
                                  std::string(step.name) + "': " + text);
}

} // namespace

std::span<const Step> pipelineSteps(Architecture architecture) {
  if (architecture == Architecture::Nvptx64)
    return nvptxSteps;
  return cpuSteps;
}

void runSteps(std::span<const Step> steps, llvm::Module& module, const PipelineSettings& settings,
              const StepObserver& observer) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&settings.machine);
  // No function of the C library exists for a kernel, so none may be recognised or invented.
  llvm::TargetLibraryInfoImpl library(settings.machine.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const bool isVerified = config().get(Option::Verify) == "on";
  unsigned number = 0;
  for (const Step& step : steps) {
    ModulePassManager passes;
    step.add(passes, settings);
    passes.run(module, modules);
    if (isVerified)
      verify(module, step);
    observer(++number, step, module);
    if (module.getContext().getDiagHandlerPtr()->HasErrors)
      return;
  }
}

} // namespace quern::compiler
