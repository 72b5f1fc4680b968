#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "base/mutex_protected.h"
#include "device/memory.h"

namespace quern::united {

/// What a command does with an allocation, as far as others must wait for it.
struct OrderedUse {
  const device::Allocation* allocation = nullptr;
  bool writes = false;
};

/// A command that starts when no earlier one is left that uses the same memory in another way.
class Ordered {
public:
  /// Called once, without a lock, by the thread that adds it or that removes what it waited for.
  virtual void mayStart() = 0;

protected:
  ~Ordered() = default;

private:
  friend class Order;
  std::vector<OrderedUse> uses_;
  size_t awaited_ = 0;
};

/// Keeps apart commands that a program may run at the same time because they write different bytes
/// of one allocation: it is not always known exactly which bytes they write. Thread-safe.
class Order {
public:
  /// `uses` names each allocation once.
  void add(Ordered& command, std::vector<OrderedUse> uses);
  /// It has ended: it may be deleted. Those that have waited for it alone start.
  void remove(Ordered& command);

private:
  struct Place {
    Ordered* command;
    bool writes;
  };
  /// For each allocation those that use it, in their order.
  using Lines = std::unordered_map<const device::Allocation*, std::deque<Place>>;

  MutexProtected<Lines> lines_;
};

} // namespace quern::united
