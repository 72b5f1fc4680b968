#pragma once

#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "runtime/command_queue.h"
#include "runtime/context.h"
#include "runtime/event.h"
#include "runtime/object.h"

namespace quern::runtime {

/// A binary semaphore (cl_khr_semaphore). Its payload is in the graph of commands: the n-th command
/// that waits depends on the n-th that signals, whichever was enqueued first. So each wait gets the
/// signal that was meant for it, even where signals overtake each other in out-of-order queues.
/// Thread-safe.
class Semaphore final : public Object {
public:
  struct Creation {
    /// With which it may be used: one, or all of the context.
    std::vector<Ref<Device>> devices;
    /// The program's zero-terminated list.
    std::vector<cl_semaphore_properties_khr> properties;
  };

  Semaphore(Ref<Context> context, Creation creation);

  const Context* owningContext() const override { return context_.get(); }
  Context& context() const { return *context_; }
  const Creation& creation() const { return creation_; }
  bool isFor(const Device& device) const;

  /// A signal has been executed that no wait has consumed.
  bool isSignaled() const;

private:
  friend Ref<Event> enqueueSignal(CommandQueue&, const std::vector<Semaphore*>&, const WaitList&);
  friend Ref<Event> enqueueWait(CommandQueue&, const std::vector<Semaphore*>&, const WaitList&);

  class Gate;
  /// One signal and the wait that consumes it. Either may be yet to come.
  struct Pair {
    Ref<Gate> gate;
    Ref<Event> signal;
    Ref<Event> wait;
    bool isAwaited = false; ///< by `wait`, or by a command that is about to be enqueued
  };

  ~Semaphore() override;

  Ref<Gate> addSignal(Event& command);
  Ref<Gate> reserveWait();
  void addWait(const Gate& gate, Event& command);
  static void settle(std::vector<Pair>& pairs);

  const Ref<Context> context_;
  const Creation creation_;
  mutable MutexProtected<std::vector<Pair>> pairs_; ///< that may still matter, oldest first
};

/// Enqueues a command that signals `semaphores`, or one that waits for all of them. A wait whose
/// signal has failed, or can never come because the semaphore is gone, fails, too.
Ref<Event> enqueueSignal(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                         const WaitList& waitList);
Ref<Event> enqueueWait(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                       const WaitList& waitList);

} // namespace quern::runtime
