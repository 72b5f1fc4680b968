#include "runtime/program_code.h"

#include "base/log.h"
#include "base/sentence.h"
#include "runtime/compile_steps.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

Result<LoadedCode> loadOn(Device& device, std::shared_ptr<const ProgramBinary> binary) {
  LoadedCode code;
  QUERN_ASSIGN(code.executable, device.backend().load(binary->image));
  code.anyRange = std::make_shared<AnyRangeCode>(device.backend(), binary);
  code.specialisations = std::make_shared<Specialisations>(Ref<device::Device>(&device.backend()),
                                                           binary, code.executable);
  code.specialisations->start();
  code.binary = std::move(binary);
  return code;
}

Status noCode(const std::string& kernel, const Status& status) {
  return Status::error(CL_OUT_OF_RESOURCES, sentence("the kernel '", kernel,
                                                     "' cannot be compiled: ", status.sentence()));
}

} // namespace

ProgramCode::ProgramCode(Device& device, std::shared_ptr<const ProgramBinary> binary)
    : device_(device), binary_(std::move(binary)), entries_(kernels().size()) {}

Result<std::shared_ptr<ProgramCode>>
ProgramCode::load(Device& device, std::shared_ptr<const ProgramBinary> binary) {
  auto code = std::make_shared<ProgramCode>(device, std::move(binary));
  if (!isOnDemand(code->binary_->image)) {
    QUERN_ASSIGN(code->whole_, loadOn(device, code->binary_));
  }
  return code;
}

Result<const KernelOnDevice*> ProgramCode::kernel(uint32_t index) {
  Entry& entry = entries_[index];
  if (const KernelOnDevice* known = entry.known.load(std::memory_order_acquire))
    return known;
  return entry.made.with(
      [&](std::unique_ptr<const KernelOnDevice>& made) -> Result<const KernelOnDevice*> {
        if (!made) {
          QUERN_ASSIGN(made, make(index));
          entry.known.store(made.get(), std::memory_order_release);
        }
        return made.get();
      });
}

Result<std::unique_ptr<const KernelOnDevice>> ProgramCode::make(uint32_t index) const {
  const std::string& name = kernels()[index].name;
  auto kernel = std::make_unique<KernelOnDevice>(KernelOnDevice{whole_, &device_, index});
  if (!whole_.executable) {
    Result<std::shared_ptr<const ProgramBinary>> alone = compile(name);
    if (!alone.ok())
      return noCode(name, alone.status());
    // A binary may say anything.
    if (alone.value()->image.kernels.size() != 1 ||
        alone.value()->image.kernels.front().argumentBlockBytes !=
            kernels()[index].argumentBlockBytes)
      return noCode(name, Status::error(CL_INVALID_BINARY,
                                        "the program's intermediate code has no such kernel"));
    Result<LoadedCode> loaded = loadOn(device_, *std::move(alone));
    if (!loaded.ok())
      return noCode(name, loaded.status());
    static_cast<LoadedCode&>(*kernel) = *std::move(loaded);
    kernel->index = 0;
  }
  kernel->limits = kernel->executable->limits(kernel->index);
  kernel->name = trace::nameOf(name);
  return std::unique_ptr<const KernelOnDevice>(std::move(kernel));
}

Result<std::shared_ptr<const ProgramBinary>> ProgramCode::compile(const std::string& kernel) const {
  const compiler::Options options = {.firstVersion = true, .onlyKernel = kernel};
  const CompileSteps steps(options, binary_->options, device_.caps().target);
  QUERN_ASSIGN(BuildOutcome outcome, steps.generate(*binary_));
  if (!outcome.binary)
    return Status::error(CL_BUILD_PROGRAM_FAILURE, outcome.log);
  return std::move(outcome.binary);
}

std::shared_ptr<const ProgramBinary> ProgramCode::wholeBinary() {
  if (whole_.executable)
    return binary_;
  return wholeBinary_.with([&](std::shared_ptr<const ProgramBinary>& whole) {
    if (!whole) {
      Result<std::shared_ptr<const ProgramBinary>> compiled = compile("");
      if (!compiled.ok())
        log::info(sentence("the binary of a program has no code: ", compiled.status().sentence()));
      whole = compiled.ok() ? compiled.value() : binary_;
    }
    return whole;
  });
}

} // namespace quern::runtime
