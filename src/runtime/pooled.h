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
/// A thread keeps a few of those that it gives back, gives many to the others at once, and takes
/// all that these have given at once, so that threads hardly meet. AddressSanitizer reports
/// accesses to free blocks. Lock-free, and so whole in the child of fork().
template <typename T, size_t kept> class Pooled {
public:
  static void* operator new([[maybe_unused]] size_t bytes) {
    assert(bytes == sizeof(T));
    Own& own = Pooled::own();
    Block* block = own.returned.pop();
    if (!block)
      block = take(own);
    if (!block)
      return ::operator new(sizeof(T), std::align_val_t(alignof(T)));
    allowAccess(block);
    return block;
  }

  static void operator delete(void* memory) {
    Own& own = Pooled::own();
    if (own.isGone)
      return giveBack(memory);
    own.returned.push(memory);
    if (own.returned.size < mostReturned)
      return;
    if (count().load(std::memory_order_relaxed) < kept)
      own.returned.moveTo(free(), count());
    else
      own.returned.clear();
  }

private:
  friend T;
  Pooled() = default;

  struct Block {
    Block* next;
  };

  /// What a thread gave back.
  struct Returned {
    void push(void* memory) {
      first = new (memory) Block{first};
      ++size;
      forbidAccess(first);
    }
    Block* pop() {
      Block* const block = first;
      if (block) {
        first = block->next;
        --size;
      }
      return block;
    }
    /// To those that any thread may take.
    void moveTo(std::atomic<Block*>& list, std::atomic<size_t>& count) {
      Block* last = first;
      while (last->next)
        last = last->next;
      // Nobody takes a single block from there, so that its first one is still what it was.
      last->next = list.load(std::memory_order_relaxed);
      while (!list.compare_exchange_weak(last->next, first, std::memory_order_release,
                                         std::memory_order_relaxed)) {
      }
      // Two threads at once may count the blocks of one.
      count.store(count.load(std::memory_order_relaxed) + size, std::memory_order_relaxed);
      *this = {};
    }
    void clear() {
      while (Block* const block = pop())
        giveBack(block);
    }

    Block* first = nullptr;
    size_t size = 0;
  };
  static constexpr size_t mostReturned = 32;

  static void giveBack(void* block) {
    allowAccess(static_cast<Block*>(block));
    ::operator delete(block, std::align_val_t(alignof(T)));
  }

  /// The thread that gave the block back has it in its cache: by the time that it is needed here,
  /// it shall have come over.
  static void fetchToWrite(const Block* block) {
    constexpr size_t lineBytes = 64;
    for (size_t offset = 0; offset < sizeof(T); offset += lineBytes)
      __builtin_prefetch(reinterpret_cast<const std::byte*>(block) + offset, /*to write=*/1);
  }

  /// What the calling thread has.
  struct Own {
    ~Own() {
      while (Block* const block = taken) {
        taken = block->next;
        giveBack(block);
      }
      returned.clear();
      isGone = true; // objects may still be made while static destructors run
    }
    Returned returned;
    Block* taken = nullptr; ///< of those that other threads gave
    bool isGone = false;
  };

  /// One of those that other threads gave, or null.
  static Block* take(Own& own) {
    if (!own.taken && !own.isGone) {
      own.taken = free().exchange(nullptr, std::memory_order_acquire);
      count().store(0, std::memory_order_relaxed);
    }
    Block* const block = own.taken;
    if (block)
      own.taken = block->next;
    if (own.taken)
      fetchToWrite(own.taken);
    return block;
  }

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
