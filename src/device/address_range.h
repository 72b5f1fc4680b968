#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "base/byte_range.h"
#include "base/mutex_protected.h"
#include "base/ref.h"

namespace quern::device {

class AddressRange;

/// Pages of an AddressRange for memory of one allocation, and a page behind them that is never
/// accessible. They go back with the last reference, and so does the memory.
class AddressLease final : public RefCounted {
public:
  std::byte* data() const { return reinterpret_cast<std::byte*>(pages_.begin); }
  uint64_t address() const { return pages_.begin; }

  /// Puts memory there, all zero. False where the system has none. Called once, by whoever lets
  /// the host use it.
  bool map();

private:
  friend AddressRange;
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  AddressLease(AddressRange& range, ByteRange pages) : range_(range), pages_(pages) {}
  ~AddressLease() override;

  AddressRange& range_;
  const ByteRange pages_;
  bool isMapped_ = false;
};

/// Addresses that this process keeps free for shared virtual memory, because other processes keep
/// the same ones free: what is allocated there has one address in all of them. Outlives its leases.
/// Thread-safe.
class AddressRange {
public:
  /// Null where the process uses some of them, or may not have so many. They are whole pages.
  static std::unique_ptr<AddressRange> reserve(ByteRange addresses);
  ~AddressRange();

  ByteRange addresses() const { return addresses_; }
  /// For so many bytes, which are not those of a lease that has just ended; null where there are
  /// not so many in a row.
  Ref<AddressLease> take(uint64_t bytes);
  /// Where another process has taken them. Null where they are not free, or are none of these.
  Ref<AddressLease> takeAt(uint64_t address, uint64_t bytes);

private:
  friend AddressLease;
  struct Leases {
    std::map<uint64_t, uint64_t> ends; ///< of each lease and the page behind it, by its begin
    uint64_t next = 0;
  };

  explicit AddressRange(ByteRange addresses);
  uint64_t findFree(const Leases& leases, uint64_t from, uint64_t bytes) const;
  Ref<AddressLease> add(Leases& leases, uint64_t address, uint64_t bytes);
  void giveBack(ByteRange pages, bool isMapped);

  const ByteRange addresses_;
  MutexProtected<Leases> leases_;
};

} // namespace quern::device
