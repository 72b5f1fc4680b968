#pragma once

#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "base/mutex_protected.h"
#include "device/device.h"
#include "devices/remote/remote_node.h"

namespace quern::remote {

/// A program on a node. What the node has said of launches is remembered.
class RemoteExecutable final : public device::Executable {
public:
  static Result<Ref<device::Executable>> load(RemoteNode& node, uint64_t device,
                                              const abi::ProgramImage& image);
  RemoteExecutable(RemoteNode& node, uint64_t number, std::vector<device::KernelLimits> limits);
  ~RemoteExecutable() override;

  uint64_t number() const { return number_; }
  /// A launch of a kernel has run for long.
  void reportHot(const cluster::Launch& launch);

  device::KernelLimits limits(uint32_t kernel) const override { return limits_[kernel]; }
  Status checkLaunch(uint32_t kernel, const device::NdRange& range,
                     uint64_t localArgumentBytes) const override;
  std::array<uint64_t, 3> suggestLocalSize(uint32_t kernel, const device::NdRange& range,
                                           bool mayBeNonUniform) const override;
  void setHotnessTrigger(uint32_t kernel, uint64_t nanoseconds,
                         std::function<void(const device::LaunchKernel&)> report) override;
  Status addSpecialisation(uint32_t kernel, Ref<device::Executable> specialisation,
                           device::Adoption adoption) override;

private:
  using Sizes = std::array<uint64_t, 3>;
  struct Answers {
    /// Launches that can run, by kernel, local size and bytes of local arguments.
    std::set<std::tuple<uint32_t, Sizes, uint64_t>> possible;
    std::map<std::tuple<uint32_t, uint32_t, Sizes, Sizes, bool>, Sizes> localSizes;
  };

  RemoteNode& node_;
  const uint64_t number_;
  const std::vector<device::KernelLimits> limits_;
  mutable MutexProtected<Answers> answers_;
  MutexProtected<std::map<uint32_t, std::function<void(const device::LaunchKernel&)>>> reports_;
};

} // namespace quern::remote
