#include "runtime/coalescer.h"

#include <algorithm>

#include "runtime/event.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

/// Under the lock that the event's end takes, too.
void noteGrowth(Event& event) {
  if (trace::isOn())
    event.noteGrowth();
}

} // namespace

Coalescer::~Coalescer() {
  delete spare_.load(std::memory_order_acquire);
}

void Coalescer::begin(Event& event) {
  event.mayGrow = true;
  note(event.recorded()->argumentsVersion);
  *growing_.lock() = &event;
}

void Coalescer::note(uint64_t argumentsVersion) {
  const uint32_t index = noted_.load(std::memory_order_relaxed);
  latest_[index % versions].store(argumentsVersion, std::memory_order_relaxed);
  noted_.store(index + 1, std::memory_order_relaxed);
}

bool Coalescer::mayRepeat(uint64_t argumentsVersion) const {
  return std::ranges::any_of(latest_, [=](const std::atomic<uint64_t>& version) {
    return version.load(std::memory_order_relaxed) == argumentsVersion;
  });
}

bool Coalescer::repeat(uint64_t argumentsVersion, const device::NdRange& range, const Event* last) {
  if (!last || !mayRepeat(argumentsVersion))
    return false;
  auto event = growing_.lock();
  if (!*event || *event != last)
    return false;
  const RecordedCommand* const own = (*event)->recorded();
  const RecordedCommand* known = isLaunch(*own, argumentsVersion, range) ? own : nullptr;
  if (const CoalescedCommands* others = (*event)->coalesced_.get(); others && !known)
    known = others->find(argumentsVersion, range);
  if (!known || !queue_.append(**event, known->work))
    return false;
  noteGrowth(**event);
  return true;
}

bool Coalescer::append(Recorded& command, const Event* last) {
  if (!last)
    return false;
  auto event = growing_.lock();
  if (!*event || *event != last)
    return false;
  std::unique_ptr<CoalescedCommands>& kept = (*event)->coalesced_;
  if (!kept)
    kept.reset(spare_.exchange(nullptr, std::memory_order_acq_rel));
  if (!kept)
    kept = std::make_unique<CoalescedCommands>();
  // The event cannot end before the lock is gone.
  if (kept->isFull() || !queue_.append(**event, command->work))
    return false;
  noteGrowth(**event);
  note(command->argumentsVersion);
  kept->add(std::move(command));
  return true;
}

void Coalescer::end(Event& event) {
  growing_.with([&](Event*& growing) {
    if (growing == &event)
      growing = nullptr;
  });
  if (!event.coalesced_)
    return;
  event.coalesced_->clear();
  delete spare_.exchange(event.coalesced_.release(), std::memory_order_acq_rel);
}

} // namespace quern::runtime
