#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "abi/checked_launch.h"
#include "base/mutex_protected.h"
#include "devices/cpu/checks/access_history.h"

namespace quern::cpu {

/// Where the memory of buffers, images and shared virtual memory is: for kernels with checks that
/// follow a pointer out of memory, and for what is said of faults. Only kept where checks are
/// compiled into kernels, faults are handled (faults.h) or memory is guarded. Thread-safe.
class KnownMemory {
public:
  static KnownMemory& get();

  /// `isUnwritten`: nothing has been written to it, and all that writes tells so (`noteWritten` and
  /// the code of kernels).
  void add(uint64_t address, uint64_t bytes, bool isUnwritten = false);
  void remove(uint64_t address);

  /// What `address` lies in, or just behind.
  std::optional<abi::MemoryExtent> find(uint64_t address) const;
  /// From where on and up to where no known memory is, around `address`, which lies in none.
  std::pair<uint64_t, uint64_t> gapAround(uint64_t address) const;
  /// The latest memory that `address` lay in, where that has been released and nothing is there
  /// now.
  std::optional<abi::MemoryExtent> findReleased(uint64_t address) const;

  /// What lies at `address`, or next to it: "4 bytes past the end of a buffer of 64 bytes".
  std::string describe(uint64_t address) const;

  /// What has been done lately to the memory that begins at `address`, for each 4 bytes; null where
  /// there is no memory for that.
  AccessHistory* historiesOf(uint64_t address);

  /// Which bytes have been written from `address` on, as abi::CheckedLaunchInfo::written says; null
  /// where all have.
  std::byte* writtenAt(uint64_t address);
  bool isAnyUnwritten() const { return unwritten_.load(std::memory_order_relaxed) != 0; }
  void noteWritten(uint64_t address, uint64_t bytes);
  /// The same for what has been copied there, with what had not been written of it.
  void noteCopied(uint64_t to, uint64_t from, uint64_t bytes);

private:
  struct Extent {
    uint64_t bytes = 0;
    AccessHistory* histories = nullptr; ///< made when first asked for
    std::byte* written = nullptr;       ///< of the first byte; null where all has been written
  };
  struct Extents {
    std::multimap<uint64_t, Extent> live;    ///< by address
    std::vector<abi::MemoryExtent> released; ///< a few, the latest last
  };
  /// Of the extent that `address` lies in, if not all of it has been written, from there on.
  static std::span<std::byte> writtenFrom(Extents& extents, uint64_t address);

  mutable MutexProtected<Extents> extents_;
  std::atomic<uint64_t> unwritten_{0}; ///< extents that are not all written
};

} // namespace quern::cpu
