#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "abi/cpu_kernel.h"
#include "base/mutex_protected.h"
#include "device/device.h"
#include "devices/cpu/object_loader.h"
#include "devices/cpu/performance_audit.h"
#include "devices/cpu/tile.h"
#include "trace/records.h"

namespace quern::cpu {

/// What a work-group may use of a thread's memory.
struct GroupLimits {
  uint64_t localBytes = 0;
  uint64_t contextBytes = 0;
  size_t maxWorkGroupSize = 1;
  uint32_t computeUnits = 1;
};

class Executable;
struct Kernel;

/// Code for a launch.
struct Version {
  const Kernel* kernel = nullptr;
  /// Which has not ended: it says what to run instead.
  PerformanceAudit* audit = nullptr;
};

/// Code of a kernel for launches of which something is known, and the specialisations added before
/// it. Where one of them is for the same launches, the better code of both is found out, after that
/// of the older ones; the first one is compared with what would run without it, unless it is
/// adopted at once: the one of those before that relies on the most of the same, or the baseline
/// code. Thread-safe.
class Specialisation {
public:
  /// `baseline` and `next` outlive it.
  Specialisation(Ref<const Executable> executable, const Kernel& kernel, const Kernel& baseline,
                 const Specialisation* next, device::Adoption adoption);

  const Kernel& kernel() const { return kernel_; }
  const Specialisation* next() const { return next_; }
  /// The best code that is known for these launches.
  Version version() const;

private:
  const Ref<const Executable> executable_; ///< of the kernel
  const Kernel& kernel_;
  const Kernel& baseline_;
  const Specialisation* const next_;
  const device::Adoption adoption_;
  const Specialisation* before_ = nullptr;  ///< the latest one for the same launches
  const Specialisation* general_ = nullptr; ///< where there is none: one that runs those, too
  /// Of the best code before and this. Begins when the former is known. Of this and more general
  /// code, which has to win, where this is the first.
  mutable std::once_flag isBegun_;
  mutable std::unique_ptr<PerformanceAudit> audit_;
  mutable std::atomic<const Kernel*> winner_{nullptr}; ///< of `audit_`, for each launch to ask
};

/// A kernel of a loaded program.
struct Kernel {
  abi::KernelDescription description;
  abi::KernelEntry entry = nullptr;
  trace::Name name = 0; ///< for the timeline
  bool hasLocalArguments = false;
  uint64_t maxContextBytes = 0; ///< that the device has for a work-group
  /// Nanoseconds for each work-item in earlier launches; 0 while nothing is known. A hint: threads
  /// overwrite each other's.
  mutable std::atomic<float> itemCost{0};
  /// Better code for some launches, the latest first. Only grows; belongs to the executable.
  std::atomic<const Specialisation*> specialisations{nullptr};
  /// Whether any of it has packets along another dimension: small launches are spared to ask which.
  std::atomic<bool> hasOtherPacketDimensions{false};
  // device::Executable::setHotnessTrigger
  static constexpr uint64_t noTrigger = UINT64_MAX;
  mutable std::atomic<uint64_t> triggerTime{noTrigger}; ///< nanoseconds that make the kernel hot
  mutable std::atomic<uint64_t> time{0};                ///< nanoseconds since the trigger was set
  mutable MutexProtected<std::function<void(const device::LaunchKernel&)>> report;

  /// Context of one work-group of `items` work-items.
  uint64_t contextBytes(uint64_t items) const;

  /// The code that runs a launch of this kernel, cut into parts of `items` work-items, best: of the
  /// code that relies on values of arguments, where there is any, the latest one that does not rely
  /// on less than another, and for whose context the device has the memory. With the audit of two
  /// versions, where it has not ended.
  Version versionFor(const device::LaunchKernel& launch, const abi::LaunchFacts& facts,
                     uint64_t items) const;
  /// Along which the code that runs `launch`, of which `facts` are known, has packets, or each of
  /// the codes that are compared.
  PacketDimensions packetDimensions(const device::LaunchKernel& launch,
                                    const abi::LaunchFacts& facts) const;
  bool hasTrigger() const { return triggerTime.load(std::memory_order_relaxed) != noTrigger; }
  /// `launch` has run for `nanoseconds` more, on the calling thread.
  void addTime(uint64_t nanoseconds, const device::LaunchKernel& launch) const;
};

class Executable final : public device::Executable {
public:
  static Result<Ref<device::Executable>> load(const abi::ProgramImage& image,
                                              const GroupLimits& limits);

  const Kernel& kernel(uint32_t index) const { return *kernels_[index]; }
  /// How `launch`, of a kernel of this, is cut.
  Tiling tilingOf(const device::LaunchKernel& launch) const;

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
  Executable(LoadedObject object, const GroupLimits& limits)
      : object_(std::move(object)), limits_(limits) {}

  const LoadedObject object_;
  const GroupLimits limits_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  MutexProtected<std::vector<std::unique_ptr<Specialisation>>> specialisations_;
};

} // namespace quern::cpu
