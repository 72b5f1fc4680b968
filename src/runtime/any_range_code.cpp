#include "runtime/any_range_code.h"

#include "base/sentence.h"
#include "runtime/compile_steps.h"

namespace quern::runtime {

Result<Ref<device::Executable>> AnyRangeCode::executable() {
  // Launches that come meanwhile wait for the same code.
  return executable_.with(
      [&](Ref<device::Executable>& executable) -> Result<Ref<device::Executable>> {
        if (!executable) {
          QUERN_ASSIGN(executable, make());
        }
        return executable;
      });
}

Result<Ref<device::Executable>> AnyRangeCode::make() const {
  const auto failure = [](const std::string& reason) {
    return Status::error(
        CL_OUT_OF_RESOURCES,
        sentence("the NDRange needs code for large ids, which cannot be compiled: ", reason));
  };
  const compiler::Options options = {.anyRange = true};
  const CompileSteps steps(options, binary_->options, device_.caps().target);
  Result<BuildOutcome> outcome = steps.generate(*binary_);
  if (!outcome.ok())
    return failure(outcome.status().sentence());
  if (!outcome->binary)
    return failure(outcome->log);
  return device_.load(outcome->binary->image);
}

} // namespace quern::runtime
