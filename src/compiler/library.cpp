#include "compiler/library.h"

#include <algorithm>

#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "base/config.h"
#include "base/sentence.h"
#include "compiler/checks/wanted_checks.h"
#include "compiler/codegen/machine.h"
#include "compiler/codegen/object.h"
#include "compiler/dump.h"
#include "compiler/failures.h"
#include "compiler/frontend/frontend.h"
#include "compiler/il/argument_layout.h"
#include "compiler/il/bitcode.h"
#include "compiler/il/kernel_description.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/initialize_llvm.h"
#include "compiler/large_stack.h"
#include "compiler/packets/report.h"
#include "compiler/passes/front_end_contract.h"
#include "compiler/pipeline.h"
#include "compiler/program/undefined_functions.h"
#include "compiler/program_limits.h"
#include "compiler/spirv/reader.h"
#include "compiler/spirv/writer.h"

namespace quern::compiler {
namespace {

/// Runs `work` with LLVM prepared and a stack for deeply nested programs. An exception becomes part
/// of the result's log.
template <typename Outcome> Outcome guarded(const std::function<void(Outcome&)>& work) {
  initializeLlvm();
  Outcome outcome;
  const std::string failure = runOnLargeStack([&] { work(outcome); });
  if (!failure.empty()) {
    outcome.ok = false;
    outcome.log += "error: " + failure + "\n";
  }
  return outcome;
}

std::string numbered(unsigned number, std::string_view name) {
  return (number < 10 ? "0" : "") + std::to_string(number) + "-" + std::string(name);
}

std::string_view asText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

uint64_t globalVariableBytes(const llvm::Module& module) {
  uint64_t bytes = 0;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == 1)
      bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  return bytes;
}

/// A program on its way from IR to code.
class Generation {
public:
  Generation(std::string& log) : log_(log) { collectDiagnostics(context_, log_); }

  bool prepare(std::span<const std::byte> ir, const Options& options, const Target& target) {
    const Result<Processor> processor = parseProcessor(target.description);
    if (!processor.ok())
      return fail(processor.status());
    auto machine = makeTargetMachine(processor.value(), !options.optDisable);
    if (!machine.ok())
      return fail(machine.status());
    machine_ = std::move(machine.value());
    optimize_ = !options.optDisable;
    architecture_ = processor.value().architecture;
    subGroupSize_ = processor.value().subGroupSize;
    packets_ = processor.value().packets;
    inlinesLeast_ = processor.value().inlinesLeast;
    wantsFootprints_ = processor.value().wantsFootprints;
    if (options.anyRange)
      packets_.which = PacketChoice::Which::None;
    onlyKernel_ = options.onlyKernel;
    facts_ = options.facts;
    module_ = onlyKernel_.empty() ? readBitcode(ir, context_)
                                  : readKernelBitcode(ir, onlyKernel_, context_);
    if (!module_)
      return false;
    if (const Status status = checkProgramLimits(*module_); !status.ok())
      return fail(status);
    const abi::CheckSet checks = checksOfTarget(target.description);
    if (checks.any())
      wantChecks(*module_, checks);
    // Variables of the program live in its code, of which there can be only one then.
    isBaseline_ = options.firstVersion && optimize_ && !options.debugInfo && !checks.any() &&
                  isCpu(architecture_) && globalVariableBytes(*module_) == 0;
    return true;
  }

  /// The steps that have not run yet, up to `last` where that is not empty. False after a user
  /// error.
  bool run(const StepObserver& observer, std::string_view last = {}) {
    const std::span<const Step> all = pipelineSteps(architecture_);
    const auto end = std::ranges::find(all, last, &Step::name);
    const size_t upTo = last.empty() ? all.size() : static_cast<size_t>(end - all.begin()) + 1;
    const unsigned before = stepsRun_;
    runSteps(all.subspan(before, upTo - before), *module_,
             {*machine_, optimize_, subGroupSize_, packets_, isBaseline_, onlyKernel_, facts_,
              inlinesLeast_, wantsFootprints_},
             [&](unsigned number, const Step& step, llvm::Module& module) {
               stepsRun_ = before + number;
               observer(stepsRun_, step, module);
             });
    return !hasErrors(context_);
  }

  /// Runs no more steps than it takes to find the errors of the program, of which it has none where
  /// this is true.
  bool findErrors(const StepObserver& observer) {
    return run(observer, markCalleesStep) &&
           (isSurelyDefined(*module_) || run(observer, cleanUpStep));
  }

  bool fail(const Status& status) {
    log_ += "error: " + status.sentence() + "\n";
    return false;
  }

  llvm::Module& module() { return *module_; }
  llvm::TargetMachine& machine() { return *machine_; }
  Architecture architecture() const { return architecture_; }
  bool isBaseline() const { return isBaseline_; }
  bool wantsFootprints() const { return wantsFootprints_; }

private:
  std::string& log_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<llvm::Module> module_;
  Architecture architecture_ = Architecture::X86_64;
  bool optimize_ = true;
  uint32_t subGroupSize_ = 1;
  PacketChoice packets_;
  bool isBaseline_ = false;
  unsigned stepsRun_ = 0;
  std::string onlyKernel_;
  abi::LaunchFacts facts_;
  bool inlinesLeast_ = false, wantsFootprints_ = false;
};

/// Reports of checks name lines and arguments.
Options withNames(Options options, const Target& target) {
  if (checksOfTarget(target.description).any())
    options.lines = options.kernelArgInfo = true;
  return options;
}

/// Takes what the step of that name has found out of the kernels of `module`.
void takeFootprints(llvm::Module& module, std::vector<abi::KernelDescription>& kernels) {
  for (const llvm::Function* item : kernelFunctions(module)) {
    std::optional<abi::Footprint> found =
        abi::parseFootprint(item->getFnAttribute(names::footprintAttribute).getValueAsString());
    const auto kernel =
        std::ranges::find(kernels, item->getFnAttribute(names::kernelAttribute).getValueAsString(),
                          &abi::KernelDescription::name);
    if (found && kernel != kernels.end() && abi::isConsistent(*found, *kernel))
      kernel->footprint = *std::move(found);
  }
}

/// Footprints are those of the program, whatever it is compiled for: its kernels for GPUs have them
/// from the steps for CPUs. Without them, where that fails.
void findFootprints(std::span<const std::byte> ir, std::vector<abi::KernelDescription>& kernels) {
  std::string log;
  Generation generation(log);
  const Target target = {.description = "x86_64;cpu=x86-64-v3;packets=off;footprints",
                         .features = {}};
  if (!generation.prepare(ir, {}, target))
    return;
  generation.module().setDataLayout(generation.machine().createDataLayout());
  if (generation.run([](auto&&...) {}, footprintsStep))
    takeFootprints(generation.module(), kernels);
}

/// Whether the code of each kernel can be made by itself. Kernels that enqueue blocks, and these,
/// are in one executable.
bool areIndependent(const std::vector<abi::KernelDescription>& kernels) {
  return std::ranges::none_of(kernels, [](const abi::KernelDescription& kernel) {
    return kernel.isBlock || kernel.enqueues;
  });
}

void generateInto(Generated& result, std::span<const std::byte> ir, const Options& options,
                  const Target& target, const Dump& dump) {
  Generation generation(result.log);
  if (!generation.prepare(ir, options, target))
    return;
  llvm::Module& module = generation.module();
  module.setDataLayout(generation.machine().createDataLayout());
  const bool isNvptx = !isCpu(generation.architecture());
  result.image.kernels =
      describeKernels(module, isNvptx ? maxNvptxArgumentAlignment : llvm::Value::MaximumAlignment);
  result.image.globalVariableBytes = globalVariableBytes(module);
  if (!options.onlyKernel.empty())
    std::erase_if(result.image.kernels, [&](const abi::KernelDescription& kernel) {
      return kernel.name != options.onlyKernel;
    });
  for (abi::KernelDescription& kernel : result.image.kernels) {
    kernel.isFirstVersion = generation.isBaseline();
    kernel.facts = options.facts;
  }
  if (isNvptx && generation.wantsFootprints())
    findFootprints(ir, result.image.kernels);
  const auto observer = [&](unsigned number, const Step& step, llvm::Module& after) {
    if (step.name == footprintsStep && generation.wantsFootprints())
      takeFootprints(after, result.image.kernels);
    if (dump.isOn())
      dump.write(numbered(number + 1, step.name) + ".ll", after);
  };
  const bool onDemand = options.kernelsOnDemand && generation.isBaseline() &&
                        result.image.kernels.size() > 1 && areIndependent(result.image.kernels);
  if (onDemand) {
    result.ok = generation.findErrors(observer);
    return;
  }
  if (!generation.run(observer))
    return;
  if (isNvptx)
    completeNvptxDescriptions(module, result.image.kernels);
  else
    completeDescriptions(module, generation.machine(), result.image.kernels);
  if (dump.isOn())
    dump.write("s", emitAssembly(*llvm::CloneModule(module), generation.machine()));
  Result<Bytes> object = isNvptx
                             ? emitPtx(module, generation.machine())
                             : emitObject(module, generation.machine(), generation.isBaseline());
  if (!object.ok()) {
    generation.fail(object.status());
    return;
  }
  result.image.code = std::move(object.value());
  result.ok = true;
}

/// Puts what is read again of what is written in the place of what the front end made.
void passThroughSpirv(FrontendResult& front, const Options& options, const Target& target,
                      const Dump& dump) {
  llvm::LLVMContext& context = front.module->getContext();
  const Result<Bytes> il = writeSpirv(*front.module);
  front.module.reset();
  if (!il.ok()) {
    front.log += "error: " + il.status().sentence() + "\n";
    return;
  }
  dump.write("spv", asText(il.value()));
  FrontendResult again = readSpirv(il.value(), {}, options, target, context);
  front.log += again.log;
  front.module = std::move(again.module);
}

void keep(Compiled& result, FrontendResult front, const Dump& dump) {
  result.log = std::move(front.log);
  result.dependencies = std::move(front.dependencies);
  if (!front.module)
    return;
  if (config().isOn(Option::Verify))
    if (const std::string reason = whyNotFromFrontEnd(*front.module); !reason.empty()) {
      result.log += "error: the front end broke its contract: " + reason + "\n";
      return;
    }
  dump.write(numbered(1, "frontend") + ".ll", *front.module);
  result.ir = writeBitcode(*front.module);
  result.ok = true;
}

Result<std::string> printSpirv(std::span<const std::byte> ir) {
  struct Outcome {
    bool ok = false;
    std::string log;
    Result<Bytes> il = Bytes();
  };
  Outcome outcome = guarded<Outcome>([&](Outcome& result) {
    llvm::LLVMContext context;
    collectDiagnostics(context, result.log);
    const std::unique_ptr<llvm::Module> module = readBitcode(ir, context);
    if (!module)
      return;
    result.il = writeSpirv(*module);
    result.ok = result.il.ok();
  });
  if (!outcome.il.ok())
    return outcome.il.takeStatus();
  if (!outcome.ok)
    return Status::error(CL_BUILD_PROGRAM_FAILURE, outcome.log);
  return std::string(asText(outcome.il.value()));
}

} // namespace

Compiled Library::compile(std::string_view source, std::span<const Header> headers,
                          const Options& asked, const Target& target, const DumpRequest& request) {
  const Options options = withNames(asked, target);
  return guarded<Compiled>([&](Compiled& result) {
    const Dump dump(request);
    dump.write("cl", source);
    llvm::LLVMContext context;
    FrontendResult front = runFrontend(source, dump.isOn() ? dump.path("cl") : "program.cl",
                                       headers, options, target, context);
    if (front.module && config().isOn(Option::Spirv))
      passThroughSpirv(front, options, target, dump);
    keep(result, std::move(front), dump);
  });
}

Compiled Library::compileIl(std::span<const std::byte> il,
                            std::span<const SpecializationValue> constants, const Options& asked,
                            const Target& target, const DumpRequest& request) {
  const Options options = withNames(asked, target);
  return guarded<Compiled>([&](Compiled& result) {
    const Dump dump(request);
    dump.write("spv", asText(il));
    llvm::LLVMContext context;
    keep(result, readSpirv(il, constants, options, target, context), dump);
  });
}

Compiled Library::link(std::span<const std::span<const std::byte>> programs, const Options& options,
                       const Target& target) {
  return guarded<Compiled>([&](Compiled& result) {
    llvm::LLVMContext context;
    collectDiagnostics(context, result.log);
    const std::unique_ptr<llvm::Module> module = linkPrograms(programs, context);
    if (!module || hasErrors(context))
      return;
    result.ir = writeBitcode(*module);
    result.ok = true;
  });
}

Generated Library::generate(std::span<const std::byte> ir, const Options& options,
                            const Target& target, const DumpRequest& request) {
  return guarded<Generated>(
      [&](Generated& result) { generateInto(result, ir, options, target, Dump(request)); });
}

Result<std::string> Library::print(std::span<const std::byte> ir, const Options& options,
                                   const Target& target, std::string_view form,
                                   std::string_view step) {
  struct Outcome {
    bool ok = false;
    std::string log, text;
  };
  if (form == "spirv")
    return printSpirv(ir);
  if (form != "llvm" && form != "asm" && form != "report")
    return Status::error(
        CL_INVALID_VALUE,
        sentence("form \"", form, "\" is not known: it must be llvm, asm, report or spirv"));
  const std::vector<std::string> names = steps(target);
  if (!step.empty() && std::ranges::find(names, step) == names.end())
    return Status::error(CL_INVALID_VALUE, sentence("there is no step named \"", step, "\""));
  const Outcome outcome = guarded<Outcome>([&](Outcome& result) {
    Generation generation(result.log);
    if (!generation.prepare(ir, options, target) || !generation.run([](auto&&...) {}, step))
      return;
    result.text = form == "report" ? reportOf(generation.module())
                  : form == "llvm" ? printModule(generation.module())
                                   : emitAssembly(generation.module(), generation.machine());
    result.ok = true;
  });
  if (!outcome.ok)
    return Status::error(CL_BUILD_PROGRAM_FAILURE, outcome.log);
  return outcome.text;
}

std::vector<std::string> Library::steps(const Target& target) const {
  std::vector<std::string> names;
  const Result<Processor> processor = parseProcessor(target.description);
  if (!processor.ok())
    return names;
  for (const Step& step : pipelineSteps(processor.value().architecture))
    names.emplace_back(step.name);
  return names;
}

void Library::onFailure(FailureHandler handler) {
  reportFailures(handler);
}

} // namespace quern::compiler
