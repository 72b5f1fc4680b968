#pragma once

#include <cstdint>

#include "base/mutex_protected.h"

#include "devices/cuda/memory_pool.h"

namespace quern::cuda {

/// Managed memory, whose pages the driver moves to who accesses them, so that atomic operations of
/// the host and of GPUs are atomic to each other. Lives as long as the process. Thread-safe; the
/// GPU is open and its context current.
///
/// All of it together with all other memory in use fits into the GPU's memory: a GPU that must give
/// pages up to get others may hang.
class ManagedMemory {
public:
  /// `own` is the pool of the GPU's own memory, which holds some for later.
  explicit ManagedMemory(MemoryPool& own) : own_(own) {}

  /// Error::OutOfMemory when the GPU has less than that free.
  Error take(Address& address, uint64_t bytes);
  /// No command uses the memory any more.
  void giveBack(Address address, uint64_t bytes);

  /// Whether the GPU has `bytes` for something else.
  bool leaves(uint64_t bytes);

private:
  bool isFree(uint64_t used, uint64_t bytes) const;

  MemoryPool& own_;
  MutexProtected<uint64_t> used_{uint64_t{0}}; ///< bytes
};

} // namespace quern::cuda
