#include "runtime/coalescer.h"

#include <algorithm>

#include "runtime/event.h"
#include "runtime/kernel_launch.h"
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
  growing_.lock()->event = &event;
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

template <typename Wanted>
const RecordedCommand* Coalescer::findLatest(const Event& event, Wanted&& isWanted) {
  if (const RecordedCommand& own = *event.recorded(); isWanted(own))
    return &own;
  return event.coalesced_ ? event.coalesced_->findLatest(isWanted) : nullptr;
}

const device::Work* Coalescer::withOtherArguments(Growing& growing, const KernelLaunch& launch,
                                                  const device::NdRange& range) {
  const KernelOnDevice& place = launch.place();
  const auto isAlike = [&](const RecordedCommand& command) {
    const auto* other = std::get_if<device::LaunchKernel>(&command.work);
    return other && other->executable == place.executable && other->kernel == place.index &&
           other->range == range;
  };
  const RecordedCommand* const known = findLatest(*growing.event, isAlike);
  if (!known)
    return nullptr;
  auto* work = std::get_if<device::LaunchKernel>(&growing.work);
  if (!work)
    work = &growing.work.emplace<device::LaunchKernel>();
  if (work->executable != place.executable)
    work->executable = place.executable;
  work->kernel = place.index;
  work->range = range;
  return launch.takeArguments(*work, known->uses()) ? &growing.work : nullptr;
}

bool Coalescer::repeat(const KernelLaunch& launch, const device::NdRange& range,
                       const Event* last) {
  const uint64_t version = launch.kernel().version();
  if (!last || (queue_.keepsAppended && !mayRepeat(version)))
    return false;
  auto growing = growing_.lock();
  Event* const event = growing->event;
  if (!event || event != last)
    return false;
  const auto isSame = [&](const RecordedCommand& command) {
    return isLaunch(command, version, range);
  };
  const device::Work* work = nullptr;
  if (const RecordedCommand* const same = findLatest(*event, isSame))
    work = &same->work;
  else if (!queue_.keepsAppended)
    work = withOtherArguments(*growing, launch, range);
  if (!work || !queue_.append(*event, *work))
    return false;
  noteGrowth(*event);
  return true;
}

bool Coalescer::append(Recorded& command, const Event* last) {
  if (!last)
    return false;
  auto growing = growing_.lock();
  Event* const event = growing->event;
  if (!event || event != last)
    return false;
  std::unique_ptr<CoalescedCommands>& kept = event->coalesced_;
  const bool isFirst = !kept;
  if (isFirst)
    kept = takeSpare();
  // The event cannot end before the lock is gone.
  if (kept->isFull() || !queue_.append(*event, command->work)) {
    if (isFirst)
      keepSpare(std::move(kept));
    return false;
  }
  noteGrowth(*event);
  note(command->argumentsVersion);
  kept->add(std::move(command));
  return true;
}

void Coalescer::end(Event& event) {
  Ref<device::Executable> unused;
  growing_.with([&](Growing& growing) {
    if (growing.event != &event)
      return;
    growing.event = nullptr;
    if (auto* launch = std::get_if<device::LaunchKernel>(&growing.work))
      unused = std::move(launch->executable);
  });
  if (!event.coalesced_)
    return;
  event.coalesced_->clear();
  keepSpare(std::move(event.coalesced_));
}

std::unique_ptr<CoalescedCommands> Coalescer::takeSpare() {
  std::unique_ptr<CoalescedCommands> spare(spare_.exchange(nullptr, std::memory_order_acq_rel));
  return spare ? std::move(spare) : std::make_unique<CoalescedCommands>();
}

void Coalescer::keepSpare(std::unique_ptr<CoalescedCommands> empty) {
  delete spare_.exchange(empty.release(), std::memory_order_acq_rel);
}

} // namespace quern::runtime
