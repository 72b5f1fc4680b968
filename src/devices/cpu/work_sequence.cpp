#include "devices/cpu/work_sequence.h"

namespace quern::cpu {

namespace {

/// In the place of the sequence of a command that has ended without one.
device::AppendedWork nothingMore;

} // namespace

const device::Work* WorkSequence::next() {
  if (taken_ == seen_) {
    uint32_t added = added_.load(std::memory_order_acquire);
    if ((added & endedBit) != 0 ||
        (added == taken_ &&
         added_.compare_exchange_strong(added, taken_ | endedBit, std::memory_order_acquire)))
      return nullptr;
    seen_ = added;
  }
  return pieces_[order_[taken_++]].work;
}

void WorkSequence::clear() {
  nanoseconds_ = nanosecondsSinceTold_ = 0;
  different_ = taken_ = seen_ = 0;
  added_.store(0, std::memory_order_relaxed);
}

WorkSequence* sequenceOf(device::Command& command) {
  device::AppendedWork* const known = command.appended.load(std::memory_order_acquire);
  return known == &nothingMore ? nullptr : static_cast<WorkSequence*>(known);
}

bool begin(device::Command& command, WorkSequence& fresh) {
  device::AppendedWork* none = nullptr;
  return command.appended.compare_exchange_strong(none, &fresh, std::memory_order_release,
                                                  std::memory_order_relaxed);
}

WorkSequence* appendedTo(device::Command& command) {
  device::AppendedWork* known = nullptr;
  if (!command.mayGrow ||
      command.appended.compare_exchange_strong(known, &nothingMore, std::memory_order_acquire) ||
      known == &nothingMore)
    return nullptr;
  return static_cast<WorkSequence*>(known);
}

} // namespace quern::cpu
