#pragma once

#include <optional>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/semaphore.h"
#include "runtime/context.h"
#include "runtime/event.h"
#include "runtime/object.h"
#include "runtime/semaphore_signals.h"
#include "runtime/shared_payload.h"

namespace quern::runtime {

/// A binary semaphore (cl_khr_semaphore). Its payload is in the graph of commands, or is shared
/// with other semaphores, also of other processes. Thread-safe.
class Semaphore final : public Object {
public:
  using HandleType = cl_external_semaphore_handle_type_khr;
  /// A descriptor of the program that it is made from.
  struct Imported {
    HandleType type;
    int file;
  };
  struct Creation {
    /// With which it may be used: one, or all of the context.
    std::vector<Ref<Device>> devices;
    /// The program's zero-terminated list.
    std::vector<cl_semaphore_properties_khr> properties;
    /// CL_SEMAPHORE_HANDLE_xxx as which it can be exported.
    std::optional<HandleType> exportable;
    std::optional<Imported> imported;
  };

  /// The imported descriptor is its own from then on. Fails with CL_INVALID_PROPERTY when that is
  /// no semaphore, or with CL_OUT_OF_RESOURCES.
  static Result<Ref<Semaphore>> create(Context& context, Creation creation);

  const Context* owningContext() const override { return context_.get(); }
  Context& context() const { return *context_; }
  const Creation& creation() const { return creation_; }
  bool isFor(const Device& device) const;

  /// A signal has been executed that no wait has consumed.
  /// What others do with one that a device has imported cannot be seen.
  bool isSignaled() const;

  /// A descriptor for the program, of the type as which it can be exported; none (-1) as a sync
  /// file of work that has ended. That consumes the signal, for which it waits. Fails with
  /// CL_OUT_OF_RESOURCES, or as SemaphoreSignals::consume.
  Result<FileDescriptor> exportHandle();
  /// Imports `syncFile`, which is its own from then on, instead of what it has imported before.
  /// Fails with CL_INVALID_VALUE when it is none. Only where a sync file was imported.
  Status importAgain(int syncFile);

  /// The payload is one of these; the graph's where the others are null.
  const Ref<SharedPayload>& shared() const { return shared_; }
  const Ref<device::Semaphore>& onDevice() const { return onDevice_; }
  SemaphoreSignals& signals() { return signals_; }
  bool isInGraph() const { return !shared_ && !onDevice_; }

  /// Of a payload that is not in the graph: the last commands of this process that signal it and
  /// that wait for it. Signals become visible to other processes in the order in which they were
  /// enqueued.
  struct Last {
    Ref<Event> signal, wait;
    bool isSignal = false; ///< the signal was enqueued after the wait
  };
  MutexProtected<Last>& last() { return last_; }

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  Semaphore(Ref<Context> context, Creation creation, Ref<SharedPayload> shared,
            Ref<device::Semaphore> onDevice);
  ~Semaphore() override = default;

  const Ref<Context> context_;
  const Creation creation_;
  const Ref<SharedPayload> shared_;
  const Ref<device::Semaphore> onDevice_;
  SemaphoreSignals signals_;
  mutable MutexProtected<Last> last_;
};

} // namespace quern::runtime
