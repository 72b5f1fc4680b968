#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "runtime/coalesced_commands.h"
#include "runtime/execution.h"
#include "runtime/object.h"
#include "runtime/pooled.h"

namespace quern::runtime {

class Coalescer;
class CommandQueue;
class Context;
class Event;

/// Events that a command or a call waits for. Valid as long as the program's handles are.
using WaitList = std::vector<Event*>;

/// An execution that the program can see: what it waits for, asks and gives callbacks. Or a user
/// event or one linked to a graphics library, which has no command. CommandQueue::enqueue makes one
/// for each command; it keeps itself alive until it has ended. Thread-safe.
class Event final : public Execution, public Object, public Pooled<Event, 4096> {
public:
  using CallbackFunction = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  static Ref<Event> createUserEvent(Context& context);
  /// An event that a graphics library completes, whose `type` says which; whoever makes it calls
  /// setUserStatus.
  static Ref<Event> createLinked(Context& context, cl_command_type type);

  const Context* owningContext() const override { return context_; }
  Context& context() const { return *context_; }
  cl_command_type type() const { return type_; }
  /// The command is one of several queues, of which queue() is only one. Set before the program
  /// knows the event.
  bool hasOtherQueues() const { return hasOtherQueues_; }
  void noteOtherQueues() { hasOtherQueues_ = true; }
  bool isUserEvent() const { return type_ == CL_COMMAND_USER; }
  bool isLinked() const { return !queue() && !isUserEvent(); }

  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error code.
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  bool hasEnded() const { return status() <= CL_COMPLETE; }

  /// Blocks until the event has ended and returns its final status. Flushes the queue and lets the
  /// calling thread work for the device meanwhile.
  cl_int wait();
  /// Asks the device to start what it has not started yet; harmless at any time.
  void flush();
  /// For a program that asks for the status again and again instead of waiting: lets begin what the
  /// event needs, and leaves the CPU to who works on it, who may have no other.
  void poll();

  /// Calls `function` once on the callback thread when the status reaches `trigger` (CL_SUBMITTED,
  /// CL_RUNNING or CL_COMPLETE) or the event ends with an error. The event lives until then.
  void addCallback(cl_int trigger, CallbackFunction function, void* userData);

  /// Ends an event without a command with CL_COMPLETE or a negative code; false when that was done
  /// before.
  bool setUserStatus(cl_int status);

private:
  friend CommandQueue;
  friend Coalescer;
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);

  Event(Ref<CommandQueue> queue, Recorded recorded);
  Event(Ref<Context> context, cl_command_type type);
  ~Event() override;

  struct Callback {
    cl_int trigger;
    CallbackFunction function;
    void* userData;
  };

  // Execution
  void reached(cl_int status) override;
  void stopGrowing() override;
  void keep() override { addRef(); }
  void release() override { dropRef(); }

  void wakeWaiting();
  void postCallbacks();
  void postCallback(const Callback& callback, cl_int status);

  /// The one of these that there is.
  const Ref<CommandQueue> ownQueue_;
  const Ref<Context> userContext_;
  Context* const context_;
  const cl_command_type type_;
  bool hasOtherQueues_ = false;
  std::atomic<cl_int> status_;
  std::atomic<bool> hasCallbacks_{false};
  std::atomic<bool> isAwaited_{false};
  MutexProtected<std::vector<Callback>> callbacks_;
  /// Commands that were appended to this one's. Guarded by the lock of the queue's Coalescer.
  std::unique_ptr<CoalescedCommands> coalesced_;
  // Links of the list of unfinished commands of an out-of-order queue, guarded by its lock.
  Event* previousInQueue_ = nullptr;
  Event* nextInQueue_ = nullptr;
  bool inQueue_ = false;
};

} // namespace quern::runtime
