#pragma once

#include <cstdint>
#include <memory>

#include "abi/checked_launch.h"

namespace quern::cpu {

/// A thread's memory for the work-groups that it runs: local memory and context. Grows to the
/// largest size asked for and is kept from one launch to the next; never on the thread's stack.
class Scratch {
public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { release(); }

  /// The calling thread's.
  static Scratch& ofThread();

  /// Makes room for `localBytes` and `contextBytes`. The result is valid until the next call that
  /// finds memory. Null when there is none; what was prepared before can still be used then. For
  /// kernels with checks it is the first part of `checked`.
  const abi::GroupScratch* prepare(uint64_t localBytes, uint64_t contextBytes, bool isChecked);
  abi::CheckedScratch& checked();

private:
  void release();
  bool remap(uint64_t bytes);
  void findStack();

  std::byte* memory_ = nullptr;
  uint64_t capacity_ = 0;
  uint32_t smallUses_ = 0; ///< in a row, of a capacity that is large
  const std::byte* threadStackLow_ = nullptr;
  const std::byte* threadStackHigh_ = nullptr;
  abi::GroupScratch group_ = {};
  /// Not among the thread's own variables, of which a library that is loaded late has few.
  std::unique_ptr<abi::CheckedScratch> checked_;
};

} // namespace quern::cpu
