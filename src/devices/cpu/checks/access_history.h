#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "abi/checked_launch.h"

namespace quern::cpu {

/// One access of a work-item to at most 4 bytes of memory.
struct Access {
  const char* site;  ///< text of an abi::CheckSite
  uint32_t group;    ///< number of its work-group
  uint16_t item;     ///< number in the work-group
  uint16_t interval; ///< barriers that it had passed
  uint8_t mask;      ///< of the bytes
  bool isWrite;
  bool isAtomic;
  bool isFenced;  ///< abi::checkedFenced
  uint32_t value; ///< that it writes, where it is a plain store
  bool hasValue;
};

/// The last accesses to 4 bytes of memory, whose address is a multiple of 4. Threads may add to it
/// at the same time.
class AccessHistory {
public:
  static constexpr uint64_t bytes = 4;

  /// Adds `access`, of the launch or work-group that has the number `epoch`; what was done in
  /// others is forgotten. An earlier access that it is not ordered with, while one of the two
  /// writes other bytes than are there and one is not atomic, is returned, without its value. What
  /// a work-item has written twice, differently, counts as other bytes.
  std::optional<Access> add(const Access& access, uint32_t epoch);
  /// The same where no other thread uses this.
  std::optional<Access> addAlone(const Access& access, uint32_t epoch);

  /// What need not be added once `access` has been, as far as it lies in the same interval: the low
  /// bits of an abi::AccessToken.
  std::optional<abi::AccessToken> standsFor(const Access& access) const;

  /// The access that was added last was a read, and others have read the same bytes since.
  void addReaders();

private:
  struct Mark {
    uint64_t siteAndBits; ///< 48 bits of the address, the mask, isAtomic, isOfSeveral
    uint32_t group;
    uint16_t item, interval;
  };
  static_assert(sizeof(Mark) == 2 * sizeof(uint64_t));
  /// Of which other threads may see parts that are older than others.
  class SharedMark {
  public:
    Mark load() const {
      const uint64_t words[] = {words_[0].load(std::memory_order_relaxed),
                                words_[1].load(std::memory_order_relaxed)};
      return std::bit_cast<Mark>(words);
    }
    void store(const Mark& mark) {
      const auto words = std::bit_cast<std::array<uint64_t, 2>>(mark);
      words_[0].store(words[0], std::memory_order_relaxed);
      words_[1].store(words[1], std::memory_order_relaxed);
    }

  private:
    std::atomic<uint64_t> words_[2] = {};
  };
  static Mark pack(const Access& access);
  static Access unpack(const Mark& mark, bool isWrite);
  static bool isOfSeveral(const Mark& mark);
  static bool isUnordered(const Mark& mark, const Access& access);
  static bool isOfInterval(const Mark& mark, const Access& access);
  /// Whether others that read at the same time stand for this access, which nothing conflicts with.
  /// Asked without the lock.
  bool isOneOfSeveral(const Access& access, uint32_t epoch) const;
  std::optional<Access> conflict(const Access& access) const;
  void remember(const Access& access);
  void rememberWrite(const Access& access);
  void rememberExchange(const Access& access);

  std::atomic<uint32_t> lock_{0};
  std::atomic<uint32_t> epoch_{0};
  uint32_t value_ = 0;
  uint32_t hasValue_ = 0;
  SharedMark written_;   ///< not by atomic operations
  SharedMark exchanged_; ///< by atomic operations
  SharedMark read_;
};

} // namespace quern::cpu
