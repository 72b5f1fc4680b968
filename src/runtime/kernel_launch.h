#pragma once

#include <array>

#include <CL/cl.h>

#include "base/result.h"
#include "device/command.h"
#include "runtime/kernel.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

class CommandQueue;

/// Completes `command`, whose work is a launch of `kernel` that has its arguments, for `range`.
/// Code that it needs is looked for, and compiled where it cannot do without. `localBytes` of all
/// local arguments; `disjointMemory` as abi::LaunchFacts has it. Fails with CL_OUT_OF_RESOURCES.
Status prepareLaunch(RecordedCommand& command, const KernelOnDevice& kernel,
                     const device::NdRange& range, uint64_t localBytes, bool disjointMemory);

/// A kernel on a device that its program was built for, with the arguments and for the NDRanges
/// that `record` is given.
class KernelLaunch {
public:
  /// `place` is the kernel on `device` (Kernel::on).
  KernelLaunch(const Kernel& kernel, const Device& device, const KernelOnDevice& place)
      : kernel_(&kernel), device_(&device), place_(&place) {}

  const Kernel& kernel() const { return *kernel_; }
  const Device& device() const { return *device_; }
  const KernelOnDevice& place() const { return *place_; }

  /// Whether work-groups at the edges of an NDRange may be smaller.
  bool mayBeNonUniform() const;
  /// The local size for `range`, whose own `local` is ignored, where the program gave none and the
  /// kernel requires none.
  std::array<uint64_t, 3> chooseLocalSize(const device::NdRange& range) const;

  /// A launch on `range` with the arguments as they are now, all of which are set. Code that it
  /// needs is looked for, and compiled where it cannot do without. Fails as Kernel::snapshot does,
  /// and with CL_OUT_OF_RESOURCES.
  Result<Recorded> record(const device::NdRange& range, cl_command_type type) const;
  /// Puts the arguments as they are now, all of which are set, into `work`, a launch of this kernel
  /// on a range that it was recorded for before. False where they need more than `kept`, or the
  /// launch something else that `record` does.
  bool takeArguments(device::LaunchKernel& work, const CommandUses& kept) const;
  /// Enqueues that without an event, and without recording it anew where the queue has just had
  /// the same, or one that differs in its arguments alone. Fails as `record` does.
  Status enqueueEventless(CommandQueue& queue, const device::NdRange& range,
                          cl_command_type type) const;

private:
  const Kernel* kernel_;
  const Device* device_;
  const KernelOnDevice* place_;
};

} // namespace quern::runtime
