#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/mutex_protected.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// How many of its commands a stream has ended: a number in the host's memory that the GPU writes,
/// so that to look at it costs no call of the driver.
using Progress = std::atomic<uint32_t>;

/// The numbers of a GPU's streams. Thread-safe. The GPU's context is current in every call.
class ProgressNumbers {
public:
  explicit ProgressNumbers(const Gpu& gpu) : gpu_(gpu) {}

  /// A number that is 0 and that no other stream has, or null when there is no memory.
  Progress* take();
  /// The GPU writes to `progress` no more.
  void giveBack(Progress* progress);

private:
  const Gpu& gpu_;
  MutexProtected<std::vector<Progress*>> free_;
};

} // namespace quern::cuda
