#pragma once

#include <memory>

#include "base/ref.h"
#include "device/command.h"
#include "runtime/dependency.h"
#include "runtime/recorded_command.h"
#include "runtime/storage.h"

namespace quern::runtime {

class ChildLaunches;
class CommandQueue;

/// In nanoseconds of the device's clock.
struct ProfilingTimes {
  uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
  uint64_t completed = 0; ///< what a kernel enqueued has ended, too
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

  /// Whether the command ends later than the device says, because its kernel enqueues others.
  bool mayHaveChildren() const { return mayHaveChildren_; }
  /// Whether kernels know its event, and are told its times when it has ended.
  bool tellsTimes() const { return tellsTimes_; }
  /// The command's number in the timeline; 0 where there is none. Set before `arm`.
  uint64_t traceNumber() const { return traceNumber_; }
  void setTraceNumber(uint64_t number) { traceNumber_ = number; }
  /// Other commands have become part of it.
  void noteGrowth() { isGrown_ = true; }
  /// Whether anybody asks for `times`.
  bool isTimed() const;

  /// All that its kernel enqueued has ended, or could not be, as `status` says.
  void childrenEnded(cl_int status);

  // device::Command
  void started(uint64_t time) final;
  void finished(cl_int status, uint64_t time) final;

protected:
  Execution();
  /// `queue` lives as long as the execution.
  Execution(CommandQueue& queue, Recorded recorded);
  ~Execution() override;

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
  /// False while some are still on their way, or when it has failed.
  bool bringMemory();
  bool bringBytes();
  bool bringRecords();
  void memoryArrived(cl_int status) final;
  void run(Path path);
  void runHostWork();
  void beginHostWork();
  void submit(Path path);
  void end(cl_int status);

  CommandQueue* const queue_ = nullptr;
  Recorded recorded_;
  size_t broughtUses_ = 0;
  /// Others may wait for its place in the device's order, which it does not have yet.
  bool awaitsPlace_ = false;
  bool isGrown_ = false; ///< for the timeline
  const bool mayHaveChildren_ = false, tellsTimes_ = false;
  std::unique_ptr<ChildLaunches> children_;
  uint64_t traceNumber_ = 0;
  ProfilingTimes times_;
};

} // namespace quern::runtime
