#include "compiler/passes/registry.h"

#include <iterator>
#include <optional>
#include <type_traits>

#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include "base/sentence.h"
#include "compiler/passes/pass_options.h"
#include "compiler/passes/passes.h"

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
