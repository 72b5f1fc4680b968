#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

#include "base/mutex_protected.h"

namespace quern::cuda {

/// The memory of the host, pinned or managed, that the program was given and that all GPUs reach,
/// too. Thread-safe.
class PinnedRanges {
public:
  void add(const std::byte* begin, uint64_t bytes);
  void remove(const std::byte* begin);
  bool contains(const std::byte* place) const;

private:
  /// Bytes by where they begin.
  mutable MutexProtected<std::map<const std::byte*, uint64_t>> ranges_;
  std::atomic<size_t> count_{0};
};

/// Those of the process. Never destroyed.
PinnedRanges& pinnedRanges();

} // namespace quern::cuda
