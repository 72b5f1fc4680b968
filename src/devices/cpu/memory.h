#pragma once

#include <atomic>
#include <cstdint>

#include "base/pages.h"
#include "base/result.h"
#include "device/memory.h"

namespace quern::cpu {

/// Alignment of every allocation: enough for the largest OpenCL type, long16, and for any vector
/// register.
inline constexpr uint64_t allocationAlignment = 128;

/// Memory on either side of a mapping that may be read: programs look at the element beside a
/// buffer, or an array in local memory, before they test whether it is theirs, which other devices
/// let them do. It takes no memory while nobody does.
inline constexpr uint64_t margin = pageBytes;

/// What is left of the memory that all devices of the process share. Thread-safe. Linux grants
/// memory that it does not have, so asking is not enough to know that a request is too large.
class Ledger {
public:
  explicit Ledger(uint64_t limit) : limit_(limit) {}

  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  /// Books `bytes`; false when they would go beyond the limit.
  bool take(uint64_t bytes);
  void giveBack(uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

private:
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0};
};

/// Memory for `request`: the program's own where it gave some, otherwise new memory, zeroed by the
/// system or not at all. CL_MEM_OBJECT_ALLOCATION_FAILURE when the ledger or the system refuses.
/// `ledger` must outlive the allocation.
Result<Ref<device::Allocation>> allocate(const device::AllocationRequest& request, Ledger& ledger);

/// The bytes that `place` stands for, on a device whose memory is the host's.
std::byte* hostAddress(const device::Place& place);

} // namespace quern::cpu
