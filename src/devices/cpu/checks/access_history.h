#pragma once

#include <atomic>
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
  /// writes other bytes than are there and one is not atomic, is returned, without its value.
  std::optional<Access> add(const Access& access, uint32_t epoch);

private:
  struct Mark {
    uint64_t siteAndBits; ///< 48 bits of the address, the mask, isAtomic, isOfSeveral
    uint32_t group;
    uint16_t item, interval;
  };
  static Mark pack(const Access& access);
  static Access unpack(const Mark& mark, bool isWrite);
  static bool isOfSeveral(const Mark& mark);
  static bool isUnordered(const Mark& mark, const Access& access);
  std::optional<Access> conflict(const Access& access) const;
  void remember(const Access& access);

  std::atomic<uint32_t> lock_{0};
  uint32_t epoch_ = 0;
  uint32_t value_ = 0;
  uint32_t hasValue_ = 0;
  Mark written_ = {}, read_ = {};
};

} // namespace quern::cpu
