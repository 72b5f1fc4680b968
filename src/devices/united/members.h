#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "device/device.h"
#include "devices/united/order.h"
#include "devices/united/pace.h"
#include "devices/united/report.h"
#include "devices/united/shares.h"

namespace quern::united {

class UnitedAllocation;

/// The addresses by which kernels of a united device know its memory. No kernel sees them: each
/// member's kernels are given addresses of the member's memory. Thread-safe.
class AddressSpace {
public:
  uint64_t newAddress(uint64_t bytes);
  void add(UnitedAllocation& allocation);
  void remove(uint64_t address);
  /// The allocation with the byte at `address`; null where there is none. Whoever runs a command
  /// keeps what it uses.
  UnitedAllocation* find(uint64_t address) const;

private:
  struct State {
    /// No address of a program or of a device is as high.
    uint64_t next = uint64_t{1} << 56;
    std::map<uint64_t, UnitedAllocation*> allocations;
  };
  mutable MutexProtected<State> state_;
};

/// The devices that a united device stands for, and what they share. Each has a memory of its own,
/// in which there is a copy of every allocation. Lives as long as anything of the united device.
class Members final : public RefCounted {
public:
  explicit Members(std::vector<Ref<device::Device>> devices);

  uint32_t count() const { return static_cast<uint32_t>(devices_.size()); }
  device::Device& operator[](uint32_t member) const { return *devices_[member]; }
  std::span<const Ref<device::Device>> devices() const { return devices_; }

  /// The queue of a member that brings bytes to or from its memory; made when first asked for.
  Result<Ref<device::Queue>> mover(uint32_t member);

  AddressSpace addresses;
  Order order;
  Report report;
  /// What kernels that have not run are split by.
  MutexProtected<Shares> shares;
  Pace pace;

private:
  const std::vector<Ref<device::Device>> devices_;
  MutexProtected<std::vector<Ref<device::Queue>>> movers_;
};

} // namespace quern::united
