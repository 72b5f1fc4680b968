#include "runtime/program_build.h"

#include <exception>
#include <numeric>
#include <optional>

#include "base/log.h"
#include "base/sentence.h"
#include "builtin_kernels/builtin_kernels.h"
#include "runtime/build_threads.h"
#include "runtime/compile_steps.h"
#include "runtime/process.h"

namespace quern::runtime {

namespace {

cl_int failureCode(BuildStep step) {
  switch (step) {
  case BuildStep::Build:
    return CL_BUILD_PROGRAM_FAILURE;
  case BuildStep::Compile:
    return CL_COMPILE_PROGRAM_FAILURE;
  case BuildStep::Link:
    break;
  }
  return CL_LINK_PROGRAM_FAILURE;
}

/// Ends a build as failed for the devices that it was not ended for, so that no device stays "in
/// progress".
class Delivery {
public:
  explicit Delivery(const ProgramBuild& build) : build_(build) {}
  ~Delivery() {
    // Only after an exception.
    while (delivered_ < build_.devices.size())
      build_.program->abandonBuild(build_.devices[delivered_++]);
  }
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;

  /// Ends the build of the next device.
  void deliver(Program::DeviceBuild result) {
    result.options = build_.optionsText;
    build_.program->endBuild(build_.devices[delivered_++], std::move(result));
  }

private:
  const ProgramBuild& build_;
  size_t delivered_ = 0;
};

/// Code for `target` from the IR of an executable that was made for another.
Result<BuildOutcome> makeCode(const ProgramBinary& executable, const compiler::Target& target) {
  // What else the options ask for is in the IR.
  Result<compiler::Options> given = parseBuildOptions(executable.options, BuildStep::Build);
  const compiler::Options options = {.optDisable = given.ok() && given->optDisable,
                                     .debugInfo = given.ok() && given->debugInfo,
                                     .firstVersion = Specialisations::areWanted(),
                                     .kernelsOnDemand = Specialisations::areWanted()};
  return CompileSteps(options, executable.options, target).generate(executable);
}

class Runner {
public:
  explicit Runner(const ProgramBuild& build) : build_(build) {
    outcomes_.reserve(build.devices.size());
  }

  Status run() {
    Delivery delivery(build_);
    for (size_t i = 0; i < build_.devices.size(); ++i)
      delivery.deliver(buildFor(i));
    return std::move(failure_);
  }

private:
  Device& device(size_t i) const { return *build_.program->devices()[build_.devices[i]]; }
  ProgramText text() const {
    return {.source = build_.program->source(),
            .headers = build_.headers,
            .il = build_.program->il(),
            .specialization = build_.specialization};
  }
  bool isFromBinary() const { return build_.program->origin() == Program::Origin::Binary; }
  std::shared_ptr<const ProgramBinary> binaryOf(size_t i) const {
    return build_.program->buildOf(build_.devices[i]).binary;
  }

  bool isBuiltIn() const { return build_.program->origin() == Program::Origin::BuiltInKernels; }
  builtin_kernels::Source builtInSource(size_t i) const {
    return builtin_kernels::sourceFor(device(i).caps(), build_.builtInKernels);
  }
  bool hasNothing(size_t i) const {
    return isBuiltIn() ? builtInSource(i).text.empty()
                       : build_.step == BuildStep::Link && build_.inputs[i].empty();
  }

  Program::DeviceBuild buildFor(size_t i) {
    if (hasNothing(i)) { // As if never built for this device.
      outcomes_.push_back(BuildOutcome());
      return {};
    }
    outcomes_.push_back(makeOutcome(i));
    Result<BuildOutcome>& outcome = outcomes_.back();
    if (!outcome.ok()) {
      if (isFromBinary())
        return failed(outcome.status().code(), outcome.status().sentence(), binaryOf(i));
      const bool noLinker =
          build_.step == BuildStep::Link && outcome.status().code() == CL_COMPILER_NOT_AVAILABLE;
      return failed(noLinker ? CL_LINKER_NOT_AVAILABLE : outcome.status().code(),
                    outcome.status().sentence(), nullptr);
    }
    if (!outcome->binary)
      return failed(failureCode(build_.step), outcome->log, isFromBinary() ? binaryOf(i) : nullptr);
    Program::DeviceBuild result = {
        .status = CL_BUILD_SUCCESS, .log = outcome->log, .binary = outcome->binary};
    if (outcome->binary->kind != ProgramBinary::Kind::Executable)
      return result;
    Result<std::shared_ptr<ProgramCode>> code = ProgramCode::load(device(i), outcome->binary);
    if (!code.ok()) {
      return failed(isFromBinary() ? code.status().code() : failureCode(build_.step),
                    code.status().sentence(), isFromBinary() ? outcome->binary : nullptr);
    }
    result.code = *std::move(code);
    return result;
  }

  Result<BuildOutcome> makeOutcome(size_t i) {
    const compiler::Target& target = device(i).caps().target;
    if (isFromBinary()) {
      std::shared_ptr<const ProgramBinary> binary = binaryOf(i);
      if (binary->needsCode)
        return makeCode(*binary, target);
      Process::current().compilers().endPrepared();
      return BuildOutcome{"", std::move(binary)};
    }
    // Devices of the same kind share what was compiled for the first of them.
    for (size_t earlier = 0; earlier < outcomes_.size(); ++earlier)
      if (build_.step != BuildStep::Link && outcomes_[earlier].ok() &&
          device(earlier).caps().target == target)
        return *outcomes_[earlier];
    if (build_.options.correctlyRoundedDivideSqrt &&
        !(device(i).caps().singleFp & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
      return BuildOutcome{
          "-cl-fp32-correctly-rounded-divide-sqrt: the device has no correctly rounded "
          "division and square root",
          nullptr};
    compiler::Options options = build_.options;
    options.firstVersion = options.kernelsOnDemand = !isBuiltIn() && Specialisations::areWanted();
    const CompileSteps steps(options, build_.optionsText, target);
    switch (build_.step) {
    case BuildStep::Build:
      if (isBuiltIn()) {
        const builtin_kernels::Source source = builtInSource(i);
        return steps.build({.source = source.text, .headers = source.headers});
      }
      return steps.build(text());
    case BuildStep::Compile:
      return steps.compile(text());
    case BuildStep::Link:
      break;
    }
    return steps.link(build_.inputs[i]);
  }

  Program::DeviceBuild failed(cl_int code, const std::string& log,
                              std::shared_ptr<const ProgramBinary> binary) {
    if (failure_.ok())
      failure_ = Status::error(
          code, sentence("the program could not be built; the build log says: ", log));
    return {.status = CL_BUILD_ERROR, .log = log, .binary = std::move(binary)};
  }

  const ProgramBuild& build_;
  std::vector<Result<BuildOutcome>> outcomes_;
  Status failure_;
};

} // namespace

Status runBuild(const ProgramBuild& build) {
  return Runner(build).run();
}

Result<Ref<Program>> createBuiltInProgram(Context& context, std::vector<Ref<Device>> devices,
                                          std::vector<std::string> kernelNames) {
  ProgramBuild build = {.options = builtin_kernels::buildOptions(),
                        .builtInKernels = std::move(kernelNames)};
  build.devices.resize(devices.size());
  std::iota(build.devices.begin(), build.devices.end(), size_t{0});
  std::vector<Program::DeviceBuild> builds(devices.size());
  build.program = makeRef<Program>(context, Program::Origin::BuiltInKernels, std::string(),
                                   std::move(devices), std::move(builds));
  QUERN_TRY(build.program->beginBuild(build.devices, build.optionsText));
  if (const Status status = runBuild(build); !status.ok())
    return Status::error(CL_OUT_OF_RESOURCES,
                         sentence("the built-in kernels cannot be made: ", status.sentence()));
  return build.program;
}

void startBuild(ProgramBuild build, BuildNotifyFunction notify, void* userData) {
  Process::current().builds().post([build = std::move(build), notify, userData] {
    try {
      // The program learns from its queries how it went.
      if (const Status status = runBuild(build); !status.ok())
        log::info(sentence("a build in the background failed: ", status.sentence()));
    } catch (const std::exception&) {
      // The build has been ended as failed.
    }
    Process::current().callbacks().post([program = build.program, notify, userData] {
      notify(reinterpret_cast<cl_program>(program->header()), userData);
    });
  });
}

} // namespace quern::runtime
