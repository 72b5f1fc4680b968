#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <new>

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h> // of the sanitizers' own package, which an ordinary build does without
#endif

namespace quern::runtime {

/// Base of a class `T` whose objects programs make and drop by the thousand, often on two threads:
/// their memory is used again instead of going back to the heap. About `kept` free blocks are kept.
/// A thread takes all that others have given back at once, so that the two hardly meet.
/// AddressSanitizer reports accesses to free blocks. Lock-free, and so whole in the child of
/// fork().
template <typename T, size_t kept> class Pooled {
public:
  static void* operator new([[maybe_unused]] size_t bytes) {
    assert(bytes == sizeof(T));
    Own& own = Pooled::own();
    if (!own.first && !own.isGone) {
      own.first = free().exchange(nullptr, std::memory_order_acquire);
      count().store(0, std::memory_order_relaxed);
    }
    Block* const block = own.first;
    if (!block)
      return ::operator new(sizeof(T), std::align_val_t(alignof(T)));
    own.first = block->next;
    if (own.first)
      fetchToWrite(own.first);
    allowAccess(block);
    return block;
  }

  static void operator delete(void* memory) {
    if (count().load(std::memory_order_relaxed) >= kept) {
      ::operator delete(memory, std::align_val_t(alignof(T)));
      return;
    }
    Block* const block = new (memory) Block{free().load(std::memory_order_relaxed)};
    forbidAccess(block);
    // Nobody takes a single block from the list, so that its first one is still what it was.
    while (!free().compare_exchange_weak(block->next, block, std::memory_order_release,
                                         std::memory_order_relaxed)) {
    }
    // Two threads at once may count one.
    count().store(count().load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

private:
  friend T;
  Pooled() = default;

  struct Block {
    Block* next;
  };

  /// The thread that gave the block back has it in its cache: by the time that it is needed here,
  /// it shall have come over.
  static void fetchToWrite(const Block* block) {
    constexpr size_t lineBytes = 64;
    for (size_t offset = 0; offset < sizeof(T); offset += lineBytes)
      __builtin_prefetch(reinterpret_cast<const std::byte*>(block) + offset, /*to write=*/1);
  }

  /// What the calling thread took.
  struct Own {
    ~Own() {
      while (Block* const block = first) {
        first = block->next;
        allowAccess(block);
        ::operator delete(block, std::align_val_t(alignof(T)));
      }
      isGone = true; // objects may still be made while static destructors run
    }
    Block* first = nullptr;
    bool isGone = false;
  };
  static Own& own() {
    static constinit thread_local Own blocks;
    return blocks;
  }
  static std::atomic<Block*>& free() {
    static constinit std::atomic<Block*> first{nullptr};
    return first;
  }
  /// In the list of free blocks, about.
  static std::atomic<size_t>& count() {
    static constinit std::atomic<size_t> blocks{0};
    return blocks;
  }

#if __has_feature(address_sanitizer)
  static void forbidAccess(Block* block) {
    __asan_poison_memory_region(block + 1, sizeof(T) - sizeof(Block));
  }
  static void allowAccess(Block* block) { __asan_unpoison_memory_region(block, sizeof(T)); }
#else
  static void forbidAccess(Block*) {}
  static void allowAccess(Block*) {}
#endif
};

} // namespace quern::runtime
