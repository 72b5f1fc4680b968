#pragma once

#include <vector>

#include "base/file_descriptor.h"
#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/dependency.h"
#include "runtime/descriptor_watch.h"
#include "runtime/event.h"

namespace quern::runtime {

/// The payload of a semaphore within one context, as part of the graph of commands: the n-th
/// command that waits depends on the n-th signal, whichever came first. So each wait gets the
/// signal that was meant for it, even where signals overtake each other in out-of-order queues.
/// Thread-safe.
class SemaphoreSignals {
public:
  class Gate;

  SemaphoreSignals();
  ~SemaphoreSignals();

  /// `command` signals: at its end, whether that is yet to come or not.
  void add(Event& command);
  /// The end of the work behind `syncFile` signals; without one it has ended. Replaces signals that
  /// no wait is for.
  void import(FileDescriptor syncFile);

  /// What the next command that waits has to depend on. It fails when the signal does, or can never
  /// come because this is gone.
  Ref<Gate> reserve();
  /// `command` is the one that `gate` was reserved for.
  void addWait(const Gate& gate, Event& command);

  /// Waits for the next signal, which must have been added by a command, and consumes it. Fails
  /// with CL_INVALID_OPERATION when there is none.
  Status consume();

  /// There is a signal that has come and that no wait has consumed.
  bool isSignaled() const;

private:
  /// A signal and the wait that consumes it. Either may be yet to come.
  struct Pair {
    Ref<Gate> gate;
    Ref<Event> wait;
    bool isAwaited = false; ///< by `wait`, or by a command that is about to be enqueued
  };

  static void settle(std::vector<Pair>& pairs);
  static Ref<Gate> nextGate(std::vector<Pair>& pairs);

  mutable MutexProtected<std::vector<Pair>> pairs_; ///< that may still matter, oldest first
};

/// Opens with a signal that may be yet to come: the wait depends on the gate, the gate on the
/// signal.
class SemaphoreSignals::Gate final : public RefCounted,
                                     public DependencyNode,
                                     private DescriptorWatch::Watcher {
public:
  ~Gate() override;

  bool hasSignal() const { return signal_ || isImported_; }
  Event* command() const { return signal_.get(); }
  /// CL_COMPLETE once it has come, or negative when it has failed.
  cl_int status() const;

  // One of these, once; then `open`.
  void setSignal(Event& command) { signal_ = Ref<Event>(&command); }
  void setSignal(FileDescriptor syncFile);
  /// Opens when the signal comes. With no lock held.
  void open();

private:
  void ready(bool failed, Path) override;
  void becameReadable() override;

  Ref<Event> signal_;
  FileDescriptor syncFile_;
  bool isImported_ = false;
};

} // namespace quern::runtime
