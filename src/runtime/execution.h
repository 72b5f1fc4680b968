#pragma once

#include "base/ref.h"
#include "device/command.h"
#include "runtime/dependency.h"
#include "runtime/recorded_command.h"
#include "runtime/storage.h"

namespace quern::runtime {

class CommandQueue;

/// In nanoseconds of the device's clock.
struct ProfilingTimes {
  uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
};

/// One run of a recorded command by a queue's device: a node of the graph of commands that brings
/// the command's bytes and submits it when its dependencies are met. What it owns itself is small.
/// Thread-safe from `arm` on.
class Execution : public DependencyNode, public device::Command, private AwaitsMemory {
public:
  /// Null for what is no command (a user event).
  CommandQueue* queue() const { return queue_; }
  /// The command; null once the execution has ended.
  const RecordedCommand* recorded() const { return recorded_.get(); }
  /// All but `queued` only once the execution has ended, and where the queue has profiling enabled.
  const ProfilingTimes& times() const { return times_; }
  void setQueuedTime(uint64_t time) { times_.queued = time; }

  // device::Command
  void started(uint64_t time) final;
  void finished(cl_int status, uint64_t time) final;

protected:
  Execution() = default;
  /// `queue` lives as long as the execution.
  Execution(CommandQueue& queue, Recorded recorded);
  ~Execution() = default;

  /// It has come to `status`: CL_SUBMITTED, CL_RUNNING, or the one that it ended with, when it has
  /// given up what it used.
  virtual void reached(cl_int status) = 0;
  /// It is about to end, and nothing may be appended to it any more. Only where it may grow.
  virtual void stopGrowing() = 0;
  /// Between these two, the execution must stay alive whatever happens. The last `release` comes
  /// when it has ended and everybody has been told; it has no `keep`, as the execution is kept from
  /// `arm` on.
  virtual void keep() = 0;
  virtual void release() = 0;

private:
  void ready(bool failed, Path path) final;
  /// False while some are still on their way.
  bool bringMemory();
  void memoryArrived(cl_int status) final;
  void run(Path path);
  void runHostWork();
  void submit(Path path);
  void end(cl_int status);

  CommandQueue* const queue_ = nullptr;
  Recorded recorded_;
  size_t broughtUses_ = 0;
  /// Others may wait for its place in the device's order, which it does not have yet.
  bool awaitsPlace_ = false;
  ProfilingTimes times_;
};

} // namespace quern::runtime
