#pragma once

#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "device/device.h"
#include "devices/united/members.h"

namespace quern::united {

/// A kernel of a program, and what its launches have shown.
struct UnitedKernel {
  abi::KernelDescription description;
  /// Empty before the first launch that was split.
  MutexProtected<Shares> shares;
};

/// A program loaded on each member.
class UnitedExecutable final : public device::Executable {
public:
  static Result<Ref<device::Executable>> load(const Members& members,
                                              const abi::ProgramImage& image);
  UnitedExecutable(std::vector<Ref<device::Executable>> executables,
                   const std::vector<abi::KernelDescription>& kernels);

  const Ref<device::Executable>& on(uint32_t member) const { return executables_[member]; }
  UnitedKernel& kernel(uint32_t index) const { return *kernels_[index]; }

  device::KernelLimits limits(uint32_t kernel) const override;
  Status checkLaunch(uint32_t kernel, const device::NdRange& range,
                     uint64_t localArgumentBytes) const override;
  std::array<uint64_t, 3> suggestLocalSize(uint32_t kernel, const device::NdRange& range,
                                           bool mayBeNonUniform) const override;
  int64_t imageFormat(uint64_t handle) const override;
  void setHotnessTrigger(uint32_t kernel, uint64_t nanoseconds,
                         std::function<void(const device::LaunchKernel&)> report) override;
  Status addSpecialisation(uint32_t kernel, Ref<device::Executable> specialisation,
                           device::Adoption adoption) override;

private:
  const std::vector<Ref<device::Executable>> executables_;
  std::vector<std::unique_ptr<UnitedKernel>> kernels_;
};

} // namespace quern::united
