#pragma once

#include <memory>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/device.h"
#include "runtime/program_binary.h"

namespace quern::runtime {

/// A program's code for NDRanges beyond the limit of its kernels (KernelDescription::rangeLimit),
/// compiled and loaded when the first of them is launched. Its kernels have the same numbers.
class AnyRangeCode {
public:
  /// `binary` is an executable for `device`, which outlives this.
  AnyRangeCode(device::Device& device, std::shared_ptr<const ProgramBinary> binary)
      : device_(device), binary_(std::move(binary)) {}

  /// May take as long as a build. Fails with CL_OUT_OF_RESOURCES when the compiler is not available
  /// or cannot do it. Thread-safe.
  Result<Ref<device::Executable>> executable();

private:
  Result<Ref<device::Executable>> make() const;

  device::Device& device_;
  const std::shared_ptr<const ProgramBinary> binary_;
  MutexProtected<Ref<device::Executable>> executable_;
};

} // namespace quern::runtime
