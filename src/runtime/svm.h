#pragma once

#include <cstdint>
#include <map>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "device/memory.h"

namespace quern::runtime {

/// The shared virtual memory that a program got from clSVMAlloc in one context. Thread-safe.
class SvmAllocations {
public:
  /// Takes over `allocation`, whose host address the program gets.
  void add(Ref<device::Allocation> allocation);

  /// Gives up the allocation that begins at `pointer`; its memory is freed when no command uses it
  /// any more. Nothing happens when there is none.
  void remove(const void* pointer);

  /// The allocation that `pointer` points into, or null.
  Ref<device::Allocation> find(const void* pointer) const;

  /// How many bytes from `pointer` to the end of its allocation; 0 outside of all.
  uint64_t bytesFrom(const void* pointer) const;

private:
  /// By the address of the first byte.
  mutable MutexProtected<std::map<uintptr_t, Ref<device::Allocation>>> allocations_;
};

} // namespace quern::runtime
