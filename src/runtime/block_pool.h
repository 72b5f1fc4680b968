#pragma once

#include <cstddef>
#include <new>

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h> // of the sanitizers' own package, which an ordinary build does without
#endif

#include "base/mutex_protected.h"

namespace quern::runtime {

/// Memory blocks of one size that are used again instead of going back to the heap, which would
/// return the memory of a finished batch of commands to the system and fetch it anew for the next
/// batch. Keeps at most `kept` free blocks. AddressSanitizer reports accesses to them. Thread-safe.
template <size_t bytes, size_t kept> class BlockPool {
public:
  void* take() {
    {
      auto free = free_.lock();
      if (Block* const block = free->first) {
        free->first = block->next;
        --free->count;
        allowAccess(block, bytes);
        return block;
      }
    }
    return ::operator new(bytes);
  }

  void giveBack(void* memory) {
    {
      auto free = free_.lock();
      if (free->count < kept) {
        free->first = new (memory) Block{free->first};
        ++free->count;
        forbidAccess(free->first + 1, bytes - sizeof(Block));
        return;
      }
    }
    ::operator delete(memory);
  }

private:
  struct Block {
    Block* next;
  };

#if __has_feature(address_sanitizer)
  static void forbidAccess(void* from, size_t size) {
    __asan_poison_memory_region(from, size);
  }
  static void allowAccess(void* from, size_t size) {
    __asan_unpoison_memory_region(from, size);
  }
#else
  static void forbidAccess(void*, size_t) {}
  static void allowAccess(void*, size_t) {}
#endif

  struct Free {
    Block* first = nullptr;
    size_t count = 0;
  };
  static_assert(bytes >= sizeof(Block));
  MutexProtected<Free> free_;
};

} // namespace quern::runtime
