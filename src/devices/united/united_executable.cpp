#include "devices/united/united_executable.h"

#include <algorithm>
#include <atomic>

#include "devices/united/united_memory.h"

namespace quern::united {

UnitedExecutable::UnitedExecutable(std::vector<Ref<device::Executable>> executables,
                                   const std::vector<abi::KernelDescription>& kernels)
    : executables_(std::move(executables)) {
  for (const abi::KernelDescription& description : kernels) {
    kernels_.push_back(std::make_unique<UnitedKernel>());
    kernels_.back()->description = description;
  }
}

Result<Ref<device::Executable>> UnitedExecutable::load(const Members& members,
                                                       const abi::ProgramImage& image) {
  std::vector<Ref<device::Executable>> executables;
  for (const Ref<device::Device>& member : members.devices()) {
    QUERN_ASSIGN(Ref<device::Executable> executable, member->load(image));
    executables.push_back(std::move(executable));
  }
  return Ref<device::Executable>(makeRef<UnitedExecutable>(std::move(executables), image.kernels));
}

device::KernelLimits UnitedExecutable::limits(uint32_t kernel) const {
  device::KernelLimits all = executables_.front()->limits(kernel);
  for (const Ref<device::Executable>& executable : executables_) {
    const device::KernelLimits own = executable->limits(kernel);
    all.maxWorkGroupSize = std::min(all.maxWorkGroupSize, own.maxWorkGroupSize);
    all.preferredWorkGroupMultiple =
        std::max(all.preferredWorkGroupMultiple, own.preferredWorkGroupMultiple);
    all.localBytes = std::max(all.localBytes, own.localBytes);
    all.privateBytes = std::max(all.privateBytes, own.privateBytes);
  }
  return all;
}

Status UnitedExecutable::checkLaunch(uint32_t kernel, const device::NdRange& range,
                                     uint64_t localArgumentBytes) const {
  for (const Ref<device::Executable>& executable : executables_)
    QUERN_TRY(executable->checkLaunch(kernel, range, localArgumentBytes));
  return {};
}

std::array<uint64_t, 3> UnitedExecutable::suggestLocalSize(uint32_t kernel,
                                                           const device::NdRange& range,
                                                           bool mayBeNonUniform) const {
  // Groups that divide each member's part divide all. It is not known here along which dimension
  // the launch will be split.
  device::NdRange part = range;
  for (uint64_t& size : part.global)
    if (size % executables_.size() == 0)
      size /= executables_.size();
  return executables_.front()->suggestLocalSize(kernel, part, mayBeNonUniform);
}

int64_t UnitedExecutable::imageFormat(uint64_t handle) const {
  const UnitedImage* const image = UnitedImage::of(handle);
  return image ? executables_.front()->imageFormat(image->handleOn(0)) : 0;
}

void UnitedExecutable::setHotnessTrigger(uint32_t kernel, uint64_t nanoseconds,
                                         std::function<void(const device::LaunchKernel&)> report) {
  const auto isReported = std::make_shared<std::atomic<bool>>(false);
  for (const Ref<device::Executable>& executable : executables_)
    executable->setHotnessTrigger(kernel, nanoseconds,
                                  [isReported, report](const device::LaunchKernel& launch) {
                                    if (!isReported->exchange(true))
                                      report(launch);
                                  });
}

Status UnitedExecutable::addSpecialisation(uint32_t kernel, Ref<device::Executable> specialisation,
                                           device::Adoption adoption) {
  const auto& better = static_cast<const UnitedExecutable&>(*specialisation);
  for (size_t member = 0; member < executables_.size(); ++member)
    QUERN_TRY(
        executables_[member]->addSpecialisation(kernel, better.executables_[member], adoption));
  return {};
}

} // namespace quern::united
