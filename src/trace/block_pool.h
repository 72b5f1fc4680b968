#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/mutex_protected.h"

namespace quern::trace {

/// A part of what a thread has recorded.
struct Block {
  static constexpr size_t size = 32 << 10; ///< of all of it
  enum class State : uint32_t { Empty, Open, Closed };

  std::atomic<State> state{State::Empty};
  std::atomic<uint32_t> used{0};
  Block* next = nullptr; ///< changes only while the block is open
  std::byte bytes[size - 16];
};

/// The memory of all blocks: 128 MiB of addresses, of which only what was used once is there. In
/// large pages where the system has them, as the first touch of small ones takes longer than to
/// record something there. Thread-safe, and never destroyed.
class BlockPool {
public:
  BlockPool();

  /// Null where none is left.
  Block* take();
  /// More than there should be: for who cannot do without.
  Block* takeAnyway();
  void giveBack(Block* block);

private:
  struct Memory {
    Block* next = nullptr;
    Block* end = nullptr;
    Block* free = nullptr; ///< a list of what was given back
  };
  MutexProtected<Memory> memory_;
};

} // namespace quern::trace
