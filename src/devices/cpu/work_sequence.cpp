#include "devices/cpu/work_sequence.h"

#include <algorithm>

namespace quern::cpu {

namespace {

/// In the place of the sequence of a command that has ended without one.
device::AppendedWork nothingMore;

} // namespace

const WorkSequence::Timed* WorkSequence::find(const device::Work& work) const {
  const uint32_t compared = std::min(different_, mostCompared);
  for (uint32_t i = 1; i <= compared; ++i)
    if (const Timed& piece = pieces_[different_ - i]; piece.work == &work)
      return &piece;
  return nullptr;
}

bool WorkSequence::add(const Timed& piece) {
  const uint32_t size = added_.load(std::memory_order_relaxed) & ~endedBit;
  const bool isKnown = &piece >= pieces_.data() && &piece < pieces_.data() + different_;
  if (size == mostPieces || nanoseconds_ > mostNanoseconds ||
      (!isKnown && different_ == mostDifferent))
    return false;
  if (!isKnown)
    pieces_[different_] = piece;
  order_[size] = static_cast<uint8_t>(isKnown ? &piece - pieces_.data() : different_);
  uint32_t expected = size;
  if (!added_.compare_exchange_strong(expected, size + 1, std::memory_order_release,
                                      std::memory_order_relaxed))
    return false;
  different_ += isKnown ? 0 : 1;
  nanoseconds_ += piece.nanoseconds;
  nanosecondsSinceTold_ += piece.nanoseconds + nanosecondsToBegin;
  return true;
}

bool WorkSequence::isWorthAThread() {
  if (nanosecondsSinceTold_ < nanosecondsWorthAThread)
    return false;
  nanosecondsSinceTold_ = 0;
  return true;
}

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
