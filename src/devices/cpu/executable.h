#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "abi/cpu_kernel.h"
#include "device/device.h"
#include "devices/cpu/object_loader.h"

namespace quern::cpu {

/// What a work-group may use of a thread's memory.
struct GroupLimits {
  uint64_t localBytes = 0;
  uint64_t contextBytes = 0;
  size_t maxWorkGroupSize = 1;
  uint32_t computeUnits = 1;
};

/// A kernel of a loaded program.
struct Kernel {
  abi::KernelDescription description;
  abi::KernelEntry entry = nullptr;
  bool hasLocalArguments = false;
  /// Nanoseconds for each work-item in earlier launches; 0 while nothing is known. A hint: threads
  /// overwrite each other's.
  mutable std::atomic<float> itemCost{0};

  /// Context of one work-group of `items` work-items.
  uint64_t contextBytes(uint64_t items) const;
};

class Executable final : public device::Executable {
public:
  static Result<Ref<device::Executable>> load(const abi::ProgramImage& image,
                                              const GroupLimits& limits);

  const Kernel& kernel(uint32_t index) const { return *kernels_[index]; }

  device::KernelLimits limits(uint32_t kernel) const override;
  Status checkLaunch(uint32_t kernel, const device::NdRange& range,
                     uint64_t localArgumentBytes) const override;
  std::array<uint64_t, 3> suggestLocalSize(uint32_t kernel, const device::NdRange& range,
                                           bool mayBeNonUniform) const override;

private:
  Executable(LoadedObject object, const GroupLimits& limits)
      : object_(std::move(object)), limits_(limits) {}

  const LoadedObject object_;
  const GroupLimits limits_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
};

/// Where local arguments start behind a kernel's own local variables, and each one behind the one
/// before.
inline constexpr uint64_t localAlignment = 128;

} // namespace quern::cpu
