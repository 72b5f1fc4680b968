#include "compiler/passes/registry.h"

#include <iterator>
#include <optional>
#include <type_traits>

#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include "base/sentence.h"
#include "compiler/codegen/local_atomics.h"
#include "compiler/codegen/work_group_loops.h"
#include "compiler/loops/bound_loops.h"
#include "compiler/loops/congruent_induction_variables.h"
#include "compiler/loops/fetch_ahead.h"
#include "compiler/loops/idle_loops.h"
#include "compiler/loops/private_counters.h"
#include "compiler/loops/rotate_loops.h"
#include "compiler/loops/signed_widening.h"
#include "compiler/loops/software_pipelining.h"
#include "compiler/loops/unroll_and_interleave.h"
#include "compiler/loops/unroll_array_loops.h"
#include "compiler/packets/form_packets.h"
#include "compiler/passes/pass_options.h"
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

template <typename Pass> constexpr Contract contractOf() {
  if constexpr (requires { Pass::contract; })
    return Pass::contract;
  else
    return {};
}

template <typename Pass>
RegisteredPass row(llvm::StringRef name, llvm::StringRef kind, llvm::StringRef options) {
  return {name, Pass::name(), kind, options, contractOf<Pass>()};
}

template <typename Pass> Pass make(const PassSettings& settings) {
  if constexpr (std::is_constructible_v<Pass, const PassSettings&>)
    return Pass(settings);
  else
    return Pass();
}

/// Reads names of passes for one parse of a pipeline.
class Parser {
public:
  explicit Parser(const PassSettings& settings) : settings_(settings) {}

  /// Why a name of ours could not be read.
  Status takeStatus() { return std::move(status_); }

  bool addModulePass(llvm::StringRef text, llvm::ModulePassManager& passes) {
#define QUERN_MODULE_PASS(name, type, options)                                                     \
  if (add<type>(text, name, options, passes))                                                      \
    return true;
#include "compiler/passes/passes.def"
    return false;
  }

  bool addFunctionPass(llvm::StringRef text, llvm::FunctionPassManager& passes) {
#define QUERN_FUNCTION_PASS(name, type, options)                                                   \
  if (add<type>(text, name, options, passes))                                                      \
    return true;
#include "compiler/passes/passes.def"
    return false;
  }

  bool addLoopPass(llvm::StringRef text, llvm::LoopPassManager& passes) {
#define QUERN_LOOP_PASS(name, type, options)                                                       \
  if (add<type>(text, name, options, passes))                                                      \
    return true;
#include "compiler/passes/passes.def"
    return false;
  }

private:
  /// Whether `text` is the pass `name`; then it is added, as its options say.
  template <typename Pass, typename Manager>
  bool add(llvm::StringRef text, llvm::StringRef name, llvm::StringRef options, Manager& passes) {
    if (!llvm::PassBuilder::checkParametrizedPassName(text, name))
      return false;
    text.consume_front(name);
    text.consume_front("<");
    text.consume_back(">");
    Result<PassSettings> settings = withOptions(settings_, name, options, text);
    if (!settings.ok()) {
      status_ = settings.takeStatus();
      return false;
    }
    passes.addPass(make<Pass>(settings.value()));
    return true;
  }

  const PassSettings& settings_;
  Status status_;
};

} // namespace

std::span<const RegisteredPass> registeredPasses() {
  static const RegisteredPass passes[] = {
#define QUERN_MODULE_PASS(name, type, options) row<type>(name, "module", options),
#define QUERN_FUNCTION_PASS(name, type, options) row<type>(name, "function", options),
#define QUERN_LOOP_PASS(name, type, options) row<type>(name, "loop", options),
#include "compiler/passes/passes.def"
  };
  return passes;
}

void registerPassNames(llvm::PassInstrumentationCallbacks& callbacks) {
  for (const RegisteredPass& pass : registeredPasses())
    callbacks.addClassToPassName(pass.className, pass.name);
}

Status parsePipeline(llvm::ModulePassManager& passes, llvm::StringRef text,
                     const PassSettings& settings) {
  using Elements = llvm::ArrayRef<llvm::PassBuilder::PipelineElement>;
  llvm::PassBuilder builder(&settings.machine);
  Parser parser(settings);
  builder.registerPipelineParsingCallback(
      [&](llvm::StringRef name, llvm::ModulePassManager& manager, Elements) {
        return parser.addModulePass(name, manager);
      });
  builder.registerPipelineParsingCallback(
      [&](llvm::StringRef name, llvm::FunctionPassManager& manager, Elements) {
        return parser.addFunctionPass(name, manager);
      });
  builder.registerPipelineParsingCallback(
      [&](llvm::StringRef name, llvm::LoopPassManager& manager, Elements) {
        return parser.addLoopPass(name, manager);
      });
  llvm::Error error = builder.parsePassPipeline(passes, text);
  const std::string reason = llvm::toString(std::move(error));
  if (Status status = parser.takeStatus(); !status.ok())
    return status;
  return reason.empty() ? Status()
                        : Status::error(CL_INVALID_VALUE, sentence("the pipeline \"", text.str(),
                                                                   "\" cannot be read: ", reason));
}

} // namespace quern::compiler
