#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
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

  void add(uint64_t address, uint64_t bytes);
  void remove(uint64_t address);

  /// What `address` lies in, or just behind.
  std::optional<abi::MemoryExtent> find(uint64_t address) const;
  /// The latest memory that `address` lay in, where that has been released and nothing is there
  /// now.
  std::optional<abi::MemoryExtent> findReleased(uint64_t address) const;

  /// What lies at `address`, or next to it: "4 bytes past the end of a buffer of 64 bytes".
  std::string describe(uint64_t address) const;

  /// What has been done lately to the memory that begins at `address`, for each 4 bytes; null where
  /// there is no memory for that.
  AccessHistory* historiesOf(uint64_t address);

private:
  struct Extent {
    uint64_t bytes = 0;
    AccessHistory* histories = nullptr; ///< made when first asked for
  };
  struct Extents {
    std::multimap<uint64_t, Extent> live;    ///< by address
    std::vector<abi::MemoryExtent> released; ///< a few, the latest last
  };
  mutable MutexProtected<Extents> extents_;
};

} // namespace quern::cpu
