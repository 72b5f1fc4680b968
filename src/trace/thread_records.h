#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "trace/block_pool.h"
#include "trace/records.h"

namespace quern::trace {

/// What one thread has recorded and is not in the file yet: a ring of blocks, to which the thread
/// adds and from which the writer takes at the same time, neither of them under a lock. Blocks are
/// used again, and only the thread itself adds some, as long as there are any.
class ThreadRecords {
public:
  /// Of the calling thread. `pool` lives as long.
  explicit ThreadRecords(BlockPool& pool);
  ~ThreadRecords();
  ThreadRecords(const ThreadRecords&) = delete;
  ThreadRecords& operator=(const ThreadRecords&) = delete;

  int thread() const { return thread_; }
  /// What it is called now, or was when it recorded first.
  std::string threadName() const;

  /// The thread adds nothing any more.
  void end() { hasEnded_.store(true, std::memory_order_release); }
  bool hasEnded() const { return hasEnded_.load(std::memory_order_acquire); }

  /// Only for the thread itself. False where there is no room until something is taken.
  template <typename Record> bool add(const Record& record) {
    static_assert(std::is_trivially_copyable_v<Record> && alignof(Record) == sizeof(uint64_t));
    return add(Record::kind, &record, sizeof(Record));
  }

  /// Passes what was recorded, but at most one block of it, to `receive(kind, bytes)`, the oldest
  /// first. False when there is nothing more. Only for one thread at a time.
  template <typename Receive> bool take(Receive&& receive) {
    Block& block = *reading_;
    // In this order: once it is closed, nothing is added any more.
    const Block::State state = block.state.load(std::memory_order_acquire);
    const uint32_t used = block.used.load(std::memory_order_acquire);
    if (state == Block::State::Empty)
      return false;
    while (taken_ < used) {
      Header header;
      std::memcpy(&header, block.bytes + taken_, sizeof(header));
      receive(header.kind, static_cast<const std::byte*>(block.bytes + taken_ + sizeof(header)));
      taken_ += static_cast<uint32_t>(sizeof(header)) + header.bytes;
    }
    if (state == Block::State::Open)
      return false;
    reading_ = block.next;
    taken_ = 0;
    block.state.store(Block::State::Empty, std::memory_order_release);
    return true;
  }

private:
  struct Header {
    Kind kind;
    uint32_t bytes; ///< of the record that follows
  };
  bool add(Kind kind, const void* record, uint32_t bytes) {
    const uint32_t end = used_ + static_cast<uint32_t>(sizeof(Header)) + bytes;
    if (end > sizeof(Block::bytes)) [[unlikely]]
      return beginBlock() && add(kind, record, bytes);
    const Header header = {kind, bytes};
    std::memcpy(writing_->bytes + used_, &header, sizeof(header));
    std::memcpy(writing_->bytes + used_ + sizeof(header), record, bytes);
    used_ = end;
    writing_->used.store(end, std::memory_order_release);
    return true;
  }
  bool beginBlock();

  BlockPool& pool_;
  // The thread's.
  Block* writing_;
  uint32_t used_ = 0;
  // The writer's.
  alignas(64) Block* reading_;
  uint32_t taken_ = 0;

  std::atomic<bool> hasEnded_{false};
  const int thread_;
  std::string firstName_;
};

} // namespace quern::trace
