#include "runtime/semaphore_signals.h"

#include <algorithm>

#include "base/sentence.h"
#include "runtime/process.h"
#include "runtime/sync_file.h"

namespace quern::runtime {

using Gate = SemaphoreSignals::Gate;

Gate::~Gate() {
  // The signal can never come any more.
  if (!hasSignal())
    releaseDependents(true);
}

cl_int Gate::status() const {
  if (signal_)
    return signal_->status();
  if (!isImported_)
    return CL_QUEUED;
  return syncFile_ ? statusOfSyncFile(syncFile_.get()) : CL_COMPLETE;
}

void Gate::setSignal(FileDescriptor syncFile) {
  isImported_ = true;
  syncFile_ = std::move(syncFile);
}

void Gate::open() {
  addRef(); // dropped when it is open
  if (signal_) {
    dependOn(*signal_, Carries::Failure);
    return arm();
  }
  const bool isWatched =
      syncFile_ && Process::current().descriptors().watch(syncFile_.get(), *this).ok();
  if (!isWatched)
    becameReadable();
}

void Gate::ready(bool failed, Path) {
  releaseDependents(failed);
  dropRef();
}

void Gate::becameReadable() {
  ready(status() != CL_COMPLETE, Path::Completion);
}

SemaphoreSignals::SemaphoreSignals() = default;
SemaphoreSignals::~SemaphoreSignals() = default;

/// Forgets what is over. A wait that failed for a reason of its own has consumed nothing: its
/// signal is for the next one.
void SemaphoreSignals::settle(std::vector<Pair>& pairs) {
  std::erase_if(pairs, [](Pair& pair) {
    if (!pair.wait || !pair.wait->hasEnded())
      return false;
    const bool isOver = pair.wait->status() == CL_COMPLETE || pair.gate->status() < 0;
    if (!isOver) {
      pair.wait.reset();
      pair.isAwaited = false;
    }
    return isOver;
  });
}

/// Of the oldest pair that has no signal.
Ref<Gate> SemaphoreSignals::nextGate(std::vector<Pair>& pairs) {
  auto pair = std::ranges::find_if(pairs, [](const Pair& pair) { return !pair.gate->hasSignal(); });
  if (pair == pairs.end())
    pair = pairs.insert(pair, {.gate = makeRef<Gate>()});
  return pair->gate;
}

void SemaphoreSignals::add(Event& command) {
  const Ref<Gate> gate = pairs_.with([&command](std::vector<Pair>& pairs) {
    settle(pairs);
    Ref<Gate> next = nextGate(pairs);
    next->setSignal(command);
    return next;
  });
  gate->open();
}

void SemaphoreSignals::import(FileDescriptor syncFile) {
  std::vector<Pair> replaced;
  const Ref<Gate> gate = pairs_.with([&](std::vector<Pair>& pairs) {
    settle(pairs);
    std::erase_if(pairs, [&replaced](Pair& pair) {
      if (pair.isAwaited)
        return false;
      replaced.push_back(std::move(pair)); // and dropped with no lock held
      return true;
    });
    Ref<Gate> next = nextGate(pairs);
    next->setSignal(std::move(syncFile));
    return next;
  });
  gate->open();
}

Ref<Gate> SemaphoreSignals::reserve() {
  return pairs_.with([](std::vector<Pair>& pairs) {
    settle(pairs);
    auto pair = std::ranges::find_if(pairs, [](const Pair& pair) { return !pair.isAwaited; });
    if (pair == pairs.end())
      pair = pairs.insert(pair, {.gate = makeRef<Gate>()});
    pair->isAwaited = true;
    return pair->gate;
  });
}

void SemaphoreSignals::addWait(const Gate& gate, Event& command) {
  pairs_.with([&](std::vector<Pair>& pairs) {
    const auto pair =
        std::ranges::find_if(pairs, [&](const Pair& pair) { return pair.gate.get() == &gate; });
    pair->wait = Ref<Event>(&command);
  });
}

Status SemaphoreSignals::consume() {
  const Ref<Event> signal = pairs_.with([](std::vector<Pair>& pairs) {
    settle(pairs);
    const auto pair = std::ranges::find_if(
        pairs, [](const Pair& pair) { return !pair.isAwaited && pair.gate->command(); });
    if (pair == pairs.end())
      return Ref<Event>();
    const Ref<Event> command(pair->gate->command());
    pairs.erase(pair);
    return command;
  });
  if (!signal)
    return Status::error(CL_INVALID_OPERATION,
                         "no signal of the semaphore has been enqueued that could be exported");
  if (const cl_int status = signal->wait(); status < 0)
    return Status::error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                         sentence("the signal of the semaphore ended with status ", status));
  return {};
}

bool SemaphoreSignals::isSignaled() const {
  return pairs_.with([](const std::vector<Pair>& pairs) {
    return std::ranges::any_of(pairs, [](const Pair& pair) {
      return pair.gate->status() == CL_COMPLETE &&
             !(pair.wait && pair.wait->status() == CL_COMPLETE);
    });
  });
}

} // namespace quern::runtime
