#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/device.h"
#include "runtime/any_range_code.h"
#include "runtime/device.h"
#include "runtime/program_binary.h"
#include "runtime/specialisations.h"
#include "trace/records.h"

namespace quern::runtime {

/// An executable that is loaded on a device, with what makes other code from its IR.
struct LoadedCode {
  std::shared_ptr<const ProgramBinary> binary;
  Ref<device::Executable> executable;
  std::shared_ptr<AnyRangeCode> anyRange;
  std::shared_ptr<Specialisations> specialisations;
};

/// The code of one kernel on a device.
struct KernelOnDevice : LoadedCode {
  Device* device = nullptr; ///< kept alive by the program
  uint32_t index = 0;       ///< in the executable
  device::KernelLimits limits;
  trace::Name name = 0; ///< for the timeline

  const abi::KernelDescription& description() const { return binary->image.kernels[index]; }

  /// Whether `anyRange` is the code to launch `range` with, whose kernel has the same index.
  bool needsAnyRange(const device::NdRange& range) const {
    const uint64_t limit = description().rangeLimit;
    return limit != 0 && range.idsEnd() > limit;
  }
};

/// What a program was built to for one device. A binary with code is loaded as a whole. Of one
/// without (compiler::Options::kernelsOnDemand) each kernel is compiled and loaded by itself when
/// it is first needed: programs have many that no process launches.
class ProgramCode {
public:
  /// `device` outlives this. `binary` is an executable for it. Fails as device::Device::load does.
  static Result<std::shared_ptr<ProgramCode>> load(Device& device,
                                                   std::shared_ptr<const ProgramBinary> binary);
  ProgramCode(Device& device, std::shared_ptr<const ProgramBinary> binary);

  Device& device() const { return device_; }
  /// What the program's kernels take. Of those that are compiled on demand, what only their code
  /// tells is missing.
  const std::vector<abi::KernelDescription>& kernels() const { return binary_->image.kernels; }

  /// The kernel `kernels()[index]`, which stays where it is. May take as long as a build the first
  /// time; calls that come meanwhile wait. Fails with CL_OUT_OF_RESOURCES when the compiler is not
  /// available or cannot make the code. Thread-safe.
  Result<const KernelOnDevice*> kernel(uint32_t index);

  /// The binary with the code of all kernels, so that it runs where no compiler is. May take as
  /// long as a build the first time. Where the code cannot be made, the binary as it is.
  /// Thread-safe.
  std::shared_ptr<const ProgramBinary> wholeBinary();

private:
  struct Entry {
    MutexProtected<std::unique_ptr<const KernelOnDevice>> made;
    std::atomic<const KernelOnDevice*> known = nullptr; ///< `made`, once it is there
  };

  Result<std::unique_ptr<const KernelOnDevice>> make(uint32_t index) const;
  /// The program's binary with the code of `kernel` alone, or of all kernels.
  Result<std::shared_ptr<const ProgramBinary>> compile(const std::string& kernel) const;

  Device& device_;
  const std::shared_ptr<const ProgramBinary> binary_;
  LoadedCode whole_; ///< without an executable where kernels are compiled on demand
  std::vector<Entry> entries_;
  MutexProtected<std::shared_ptr<const ProgramBinary>> wholeBinary_;
};

/// Where a kernel can run: a program's code for a device, and the kernel's place there.
struct KernelPlace {
  std::shared_ptr<ProgramCode> code;
  uint32_t index = 0;

  const abi::KernelDescription& description() const { return code->kernels()[index]; }
};

} // namespace quern::runtime
