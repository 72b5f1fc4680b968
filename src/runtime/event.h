#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/command.h"
#include "runtime/dependency.h"
#include "runtime/launch_row.h"
#include "runtime/object.h"
#include "runtime/storage.h"
#include "runtime/uses.h"

namespace quern::runtime {

class CommandQueue;
class Context;
class Event;
class MemoryObject;

/// Events that a command or a call waits for. Valid as long as the program's handles are.
using WaitList = std::vector<Event*>;

/// In nanoseconds of the device's clock.
struct ProfilingTimes {
  uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
};

/// What the runtime itself does in place of a device when the command's turn has come.
struct HostWork {
  std::function<void()> function;
  /// The function runs the program's code and therefore belongs on the callback thread.
  bool callsProgram = false;
};

/// A command and the event that stands for it, in one object; or a user event, which has no
/// command. A command is filled by the thread that made it (CommandQueue::newCommand: `work`
/// or `hostWork`, `use`), then given to CommandQueue::enqueue; from then on everything here is
/// thread-safe. It keeps itself alive until it has ended.
class Event final : public Object,
                    public device::Command,
                    private DependencyNode,
                    private AwaitsMemory {
public:
  using CallbackFunction = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  static Ref<Event> createUserEvent(Context& context);

  /// Null for a user event.
  CommandQueue* queue() const { return queue_.get(); }
  const Context* owningContext() const override { return context_; }
  Context& context() const { return *context_; }
  cl_command_type type() const { return type_; }
  bool isUserEvent() const { return !queue_; }

  /// Keeps `object` until the command has ended. Only before the command is enqueued.
  void use(RefCounted& object) { uses_.add(Ref<RefCounted>(&object)); }
  /// Also lets it run only when the bytes of `memory` are where the device of its queue works.
  void use(MemoryObject& memory, Access access = Access::ReadWrite);

  /// Only before the command is enqueued, and only without `work`.
  HostWork hostWork;

  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error code.
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  bool hasEnded() const { return status() <= CL_COMPLETE; }

  /// Blocks until the event has ended and returns its final status. Flushes the queue and lets the
  /// calling thread work for the device meanwhile.
  cl_int wait();
  /// Asks the device to start what it has not started yet; harmless at any time.
  void flush();

  /// Calls `function` once on the callback thread when the status reaches `trigger` (CL_SUBMITTED,
  /// CL_RUNNING or CL_COMPLETE) or the event ends with an error. The event lives until then.
  void addCallback(cl_int trigger, CallbackFunction function, void* userData);

  /// Ends a user event with CL_COMPLETE or a negative code; false when that was done before.
  bool setUserStatus(cl_int status);

  /// Only valid once the event has ended and its queue has profiling enabled.
  const ProfilingTimes& times() const { return times_; }

  /// From a pool: programs make and drop events by the thousand.
  static void* operator new(size_t bytes);
  static void operator delete(void* memory);
  /// Leaves the pool behind in the child of fork(): another thread may have held its lock.
  static void abandonPool();

  // device::Command
  const device::LaunchKernel* nextLaunch() override { return row_ ? row_->next() : nullptr; }
  void started(uint64_t time) override;
  void finished(cl_int status, uint64_t time) override;

private:
  friend CommandQueue;
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);

  Event(Ref<CommandQueue> queue, cl_command_type type);
  explicit Event(Ref<Context> context);
  ~Event() override;

  struct Callback {
    cl_int trigger;
    CallbackFunction function;
    void* userData;
  };

  /// Bytes that the command needs in one of several places.
  struct Need {
    Storage* storage;
    size_t copy;
    Access access;
  };

  void ready(bool failed, Path path) override;
  /// False while some are still on their way.
  bool bringMemory();
  void memoryArrived(cl_int status) override;
  void run(Path path);
  void runHostWork();
  void reach(cl_int status);
  void wakeWaiting();
  void postCallbacks();
  void postCallback(const Callback& callback, cl_int status);
  void end(cl_int status);

  const Ref<CommandQueue> queue_;
  Context* const context_;
  const Ref<Context> userContext_;
  const cl_command_type type_;
  std::atomic<cl_int> status_;
  std::atomic<bool> hasCallbacks_{false};
  std::atomic<bool> isAwaited_{false};
  /// Others may wait for the submission, and have not been released: that happens at the end.
  bool followersWait_ = false;
  ProfilingTimes times_;
  Uses uses_;
  /// The launches that are a part of this one; null where there can be none.
  std::unique_ptr<LaunchRow> row_;
  std::vector<Need> needs_; ///< only of memory objects that can be in several places
  size_t broughtNeeds_ = 0;
  MutexProtected<std::vector<Callback>> callbacks_;
  // Links of the list of unfinished commands of an out-of-order queue, guarded by its lock.
  Event* previousInQueue_ = nullptr;
  Event* nextInQueue_ = nullptr;
  bool inQueue_ = false;
};

} // namespace quern::runtime
