#include "runtime/semaphore.h"

#include <algorithm>

#include "runtime/dependency.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

/// Stands for a signal that may be yet to come: the wait depends on the gate, the gate on the
/// signal.
class Semaphore::Gate final : public RefCounted, public DependencyNode {
public:
  ~Gate() override {
    // The signal can never come any more.
    if (!hasSignal_)
      releaseDependents(true);
  }

  void openAfter(Event& signal) {
    hasSignal_ = true;
    addRef(); // dropped by `ready`
    dependOn(signal, Carries::Failure);
    arm();
  }

private:
  void ready(bool failed, Path) override {
    releaseDependents(failed);
    dropRef();
  }

  bool hasSignal_ = false;
};

Semaphore::Semaphore(Ref<Context> context, Creation creation)
    : Object(ObjectKind::Semaphore), context_(std::move(context)), creation_(std::move(creation)) {}

Semaphore::~Semaphore() = default;

bool Semaphore::isFor(const Device& device) const {
  return std::ranges::any_of(creation_.devices,
                             [&](const Ref<Device>& own) { return own.get() == &device; });
}

bool Semaphore::isSignaled() const {
  return pairs_.with([](const std::vector<Pair>& pairs) {
    return std::ranges::any_of(pairs, [](const Pair& pair) {
      return pair.signal && pair.signal->status() == CL_COMPLETE &&
             !(pair.wait && pair.wait->status() == CL_COMPLETE);
    });
  });
}

/// Forgets what is over. A wait that failed for a reason of its own has consumed nothing: its
/// signal is for the next one.
void Semaphore::settle(std::vector<Pair>& pairs) {
  std::erase_if(pairs, [](Pair& pair) {
    if (!pair.wait || !pair.wait->hasEnded())
      return false;
    const bool isOver =
        pair.wait->status() == CL_COMPLETE || (pair.signal && pair.signal->status() < 0);
    if (!isOver) {
      pair.wait.reset();
      pair.isAwaited = false;
    }
    return isOver;
  });
}

Ref<Semaphore::Gate> Semaphore::addSignal(Event& command) {
  return pairs_.with([&command](std::vector<Pair>& pairs) {
    settle(pairs);
    auto pair = std::ranges::find_if(pairs, [](const Pair& pair) { return !pair.signal; });
    if (pair == pairs.end())
      pair = pairs.insert(pair, {.gate = makeRef<Gate>()});
    pair->signal = Ref<Event>(&command);
    return pair->gate;
  });
}

Ref<Semaphore::Gate> Semaphore::reserveWait() {
  return pairs_.with([](std::vector<Pair>& pairs) {
    settle(pairs);
    auto pair = std::ranges::find_if(pairs, [](const Pair& pair) { return !pair.isAwaited; });
    if (pair == pairs.end())
      pair = pairs.insert(pair, {.gate = makeRef<Gate>()});
    pair->isAwaited = true;
    return pair->gate;
  });
}

void Semaphore::addWait(const Gate& gate, Event& command) {
  pairs_.with([&](std::vector<Pair>& pairs) {
    const auto pair =
        std::ranges::find_if(pairs, [&](const Pair& pair) { return pair.gate.get() == &gate; });
    pair->wait = Ref<Event>(&command);
  });
}

Ref<Event> enqueueSignal(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                         const WaitList& waitList) {
  Ref<Event> event = queue.enqueue(
      makeRef<RecordedCommand>(queue.device(), CL_COMMAND_SEMAPHORE_SIGNAL_KHR), waitList);
  for (Semaphore* semaphore : semaphores)
    semaphore->addSignal(*event)->openAfter(*event);
  // Who waits may be of another queue, and does not know of this one.
  queue.flush();
  return event;
}

Ref<Event> enqueueWait(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                       const WaitList& waitList) {
  std::vector<Ref<Semaphore::Gate>> gates;
  std::vector<DependencyNode*> dependencies;
  for (Semaphore* semaphore : semaphores) {
    gates.push_back(semaphore->reserveWait());
    dependencies.push_back(gates.back().get());
  }
  Ref<Event> event =
      queue.enqueue(makeRef<RecordedCommand>(queue.device(), CL_COMMAND_SEMAPHORE_WAIT_KHR),
                    waitList, CommandQueue::Order::Normal, dependencies);
  for (size_t i = 0; i < semaphores.size(); ++i)
    semaphores[i]->addWait(*gates[i], *event);
  return event;
}

} // namespace quern::runtime
