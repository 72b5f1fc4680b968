#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abi/checked_launch.h"
#include "device/command.h"

/// What kernels with checks call (abi::checkSymbols).
namespace quern::cpu {

/// The address of the function of that name, or 0.
uint64_t checkFunction(std::string_view name);

/// A launch of a kernel with checks (abi::LaunchInfo::checkState).
struct CheckedLaunch {
  explicit CheckedLaunch(const device::LaunchKernel& launch,
                         const abi::KernelDescription& description);

  const device::LaunchKernel& launch;
  const abi::KernelDescription& description;
  const uint32_t serial; ///< no two launches of some time have the same, and none has 0
  std::vector<abi::MemoryExtent> extents; ///< of all arguments, also the local ones
  std::vector<std::byte*> written;        ///< as abi::CheckedLaunchInfo has it

  /// As abi::CheckedLaunchInfo has it.
  uint64_t overlaps() const;
  /// Bit i: argument i has `property`.
  uint64_t argumentsThat(bool abi::MemoryExtent::* property) const;

  /// Tells the program of a fault (abi::CheckedArguments).
  void report(const std::string& sentence) const;

private:
  void readTold();
  void checkAliases() const;

  std::vector<abi::MemoryExtent> told_;
  void (*report_)(void* receiver, std::string_view sentence) = nullptr;
  void* receiver_ = nullptr;
};

/// While it lives, the calling thread runs work-groups of a checked launch with `scratch`, in which
/// private and local memory is.
class CheckedThread {
public:
  explicit CheckedThread(abi::CheckedScratch& scratch);
  ~CheckedThread();
  CheckedThread(const CheckedThread&) = delete;
  CheckedThread& operator=(const CheckedThread&) = delete;
};

} // namespace quern::cpu
