#pragma once

#include <vector>

#include "device/device.h"
#include "devices/united/members.h"

namespace quern::united {

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t now();

/// Commands that are submitted to it run as soon as they may, in any order; their parts go to a
/// queue of each member.
class UnitedQueue final : public device::Queue {
public:
  static Result<Ref<device::Queue>> create(Members& members, const device::QueueRequest& request);
  UnitedQueue(Members& members, std::vector<Ref<device::Queue>> queues, bool profiling);

  Members& members() const { return *members_; }
  device::Queue& on(uint32_t member) const { return *queues_[member]; }
  /// `time` of a member's clock, in that of the united device.
  uint64_t commonTime(uint32_t member, uint64_t time) const;

  void submit(device::Command& command) override;
  void flush() override;
  void tend() override;

private:
  const Ref<Members> members_;
  const std::vector<Ref<device::Queue>> queues_;
  const bool profiling_;
};

} // namespace quern::united
