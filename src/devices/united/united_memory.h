#pragma once

#include <vector>

#include "device/replicas.h"
#include "devices/united/members.h"

namespace quern::united {

/// Memory of a united device: a copy in the memory of each member.
class UnitedAllocation final : public device::Allocation {
public:
  UnitedAllocation(Ref<Members> members, uint64_t address, uint64_t bytes,
                   std::vector<device::Replicas::Replica> copies);
  ~UnitedAllocation() override;

  static Result<Ref<device::Allocation>> create(Members& members,
                                                const device::AllocationRequest& request);
  /// The allocation of a united device that `place` is in; null where it is one of the host.
  static UnitedAllocation* of(const device::Place& place);

  device::Replicas& replicas() const { return *replicas_; }
  device::Allocation& on(uint32_t member) const { return *replicas_->copy(member).allocation; }

private:
  const Ref<Members> members_;
  const Ref<device::Replicas> replicas_;
};

/// Whether commands of a united device can read and write there: in its memory, or the host's.
bool isReached(const device::Place& place);

/// An image in memory of a united device: one of each member.
class UnitedImage final : public device::Image {
public:
  UnitedImage(Ref<UnitedAllocation> allocation, std::vector<Ref<device::Image>> images);

  static Result<Ref<device::Image>> create(const Members& members,
                                           const device::ImageRequest& request);
  /// The image that kernels of the united device know by `handle`; null where that is 0.
  static const UnitedImage* of(uint64_t handle) {
    return reinterpret_cast<const UnitedImage*>(handle);
  }

  UnitedAllocation& allocation() const { return *allocation_; }
  uint64_t handleOn(uint32_t member) const { return images_[member]->handle(); }

private:
  const Ref<UnitedAllocation> allocation_;
  const std::vector<Ref<device::Image>> images_;
};

} // namespace quern::united
