#include "runtime/program.h"

#include <algorithm>

#include "base/sentence.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

/// Their places in the argument block may differ between kinds of devices.
bool isSameArgument(const abi::KernelArgument& a, const abi::KernelArgument& b) {
  return a.kind == b.kind && a.bytes == b.bytes && a.typeName == b.typeName &&
         a.addressQualifier == b.addressQualifier && a.accessQualifier == b.accessQualifier &&
         a.typeQualifier == b.typeQualifier;
}

bool isSameDefinition(const abi::KernelDescription& a, const abi::KernelDescription& b) {
  return std::ranges::equal(a.arguments, b.arguments, isSameArgument);
}

Status noExecutable() {
  return Status::error(
      CL_INVALID_PROGRAM_EXECUTABLE,
      "the program has no executable: it was not built successfully for any device");
}

} // namespace

Program::Program(Context& context, Origin origin, std::string source,
                 std::vector<Ref<Device>> devices, std::vector<DeviceBuild> builds)
    : Object(ObjectKind::Program), context_(&context), origin_(origin), source_(std::move(source)),
      devices_(std::move(devices)), state_(State{.builds = std::move(builds)}) {}

Program::Program(Context& context, Bytes il, std::vector<spirv::SpecializationConstant> constants,
                 std::vector<Ref<Device>> devices)
    : Object(ObjectKind::Program), context_(&context), origin_(Origin::Il), il_(std::move(il)),
      constants_(std::move(constants)), devices_(std::move(devices)),
      state_(State{.builds = std::vector<DeviceBuild>(devices_.size())}) {}

void Program::setSpecialization(compiler::SpecializationValue value) {
  state_.with([&](State& state) {
    const auto same = std::ranges::find(state.specialization, value.specId,
                                        &compiler::SpecializationValue::specId);
    if (same == state.specialization.end())
      state.specialization.push_back(std::move(value));
    else
      std::swap(*same, value);
  });
}

std::vector<compiler::SpecializationValue> Program::specialization() const {
  return state_.lock()->specialization;
}

std::optional<size_t> Program::indexOf(const Device& device) const {
  for (size_t i = 0; i < devices_.size(); ++i)
    if (devices_[i].get() == &device)
      return i;
  return std::nullopt;
}

Program::DeviceBuild Program::buildOf(size_t device) const {
  return state_.lock()->builds[device];
}

Status Program::beginBuild(std::span<const size_t> devices, const std::string& options) {
  return state_.with([&](State& state) -> Status {
    for (size_t device : devices)
      if (state.builds[device].status == CL_BUILD_IN_PROGRESS)
        return Status::error(CL_INVALID_OPERATION,
                             sentence("an earlier build of the program for device ", device,
                                      " of its list has not ended"));
    if (state.attachedKernels > 0)
      return Status::error(CL_INVALID_OPERATION,
                           sentence("the program cannot be built while it has kernels; it has ",
                                    state.attachedKernels));
    for (size_t device : devices) {
      DeviceBuild& build = state.builds[device];
      build.status = CL_BUILD_IN_PROGRESS;
      build.options = options;
      build.log.clear();
      build.code.reset();
      if (origin_ != Origin::Binary)
        build.binary.reset();
    }
    return {};
  });
}

void Program::endBuild(size_t device, DeviceBuild build) {
  // Swapped, so that what it replaces is destroyed after the lock.
  state_.with([&](State& state) { std::swap(state.builds[device], build); });
  buildEnded_.notify_all();
}

void Program::abandonBuild(size_t device) {
  state_.with([&](State& state) {
    state.builds[device].status = CL_BUILD_ERROR;
    state.builds[device].log = "out of memory"; // short enough to lie in the string itself
  });
  buildEnded_.notify_all();
}

MutexProtected<Program::State>::Guard Program::afterBuilds() const {
  MutexProtected<State>::Guard state = state_.lock();
  state.wait(buildEnded_, [](const State& state) {
    return std::ranges::none_of(state.builds, [](const DeviceBuild& build) {
      return build.status == CL_BUILD_IN_PROGRESS;
    });
  });
  return state;
}

Result<std::vector<KernelPlace>> Program::findKernel(const State& state,
                                                     const std::string& name) const {
  std::vector<KernelPlace> found;
  size_t executables = 0;
  for (const DeviceBuild& build : state.builds) {
    if (!build.code)
      continue;
    ++executables;
    const auto& kernels = build.code->kernels();
    const auto kernel = std::ranges::find(kernels, name, &abi::KernelDescription::name);
    if (kernel == kernels.end() || kernel->isBlock)
      continue;
    found.push_back({build.code, static_cast<uint32_t>(kernel - kernels.begin())});
  }
  if (executables == 0)
    return noExecutable();
  if (found.empty())
    return Status::error(CL_INVALID_KERNEL_NAME,
                         sentence("the program has no kernel named '", name, "'"));
  const bool everywhereTheSame =
      found.size() == executables && std::ranges::all_of(found, [&](const KernelPlace& place) {
        return isSameDefinition(place.description(), found.front().description());
      });
  if (!everywhereTheSame)
    return Status::error(CL_INVALID_KERNEL_DEFINITION,
                         sentence("the kernel '", name, "' is not the same for all ", executables,
                                  " devices that the program was built for"));
  return found;
}

Result<std::vector<std::string>> Program::kernelNames() const {
  MutexProtected<State>::Guard state = afterBuilds();
  const auto built = std::ranges::find_if(
      state->builds, [](const DeviceBuild& build) { return bool(build.code); });
  if (built == state->builds.end())
    return noExecutable();
  std::vector<std::string> names;
  for (const abi::KernelDescription& kernel : built->code->kernels())
    if (!kernel.isBlock && findKernel(*state, kernel.name).ok())
      names.push_back(kernel.name);
  return names;
}

Result<std::vector<KernelPlace>> Program::attachKernel(const std::string& name) {
  MutexProtected<State>::Guard state = afterBuilds();
  Result<std::vector<KernelPlace>> found = findKernel(*state, name);
  if (found.ok())
    ++state->attachedKernels;
  return found;
}

void Program::detachKernel() {
  state_.with([](State& state) { --state.attachedKernels; });
}

} // namespace quern::runtime
