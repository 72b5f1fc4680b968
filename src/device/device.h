#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "abi/program_image.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/sentence.h"
#include "device/caps.h"
#include "device/command.h"
#include "device/graph.h"
#include "device/graphics.h"
#include "device/image.h"
#include "device/memory.h"
#include "device/semaphore.h"

/// The interface between the runtime and a backend. Everything here is thread-safe unless a comment
/// says otherwise, and validates nothing: the runtime passes only what the specification allows.
namespace quern::device {

/// When a specialisation runs the launches for which there was only the baseline code.
enum class Adoption : uint8_t {
  UnlessSlower, ///< both run by turns until it is known that the baseline code is not faster
  AtOnce,       ///< for tests, and whoever wants the same code in each run
};

/// What a kernel needs on the device that its program was loaded on: the answers of
/// clGetKernelWorkGroupInfo.
struct KernelLimits {
  size_t maxWorkGroupSize = 1;
  size_t preferredWorkGroupMultiple = 1;
  uint64_t localBytes = 0; ///< of the kernel's own local variables
  uint64_t privateBytes = 0;
};

/// A program's machine code, loaded and ready to run, with its program-scope variables.
class Executable : public RefCounted {
public:
  virtual KernelLimits limits(uint32_t kernel) const = 0;

  /// Whether `range` can run with `localArgumentBytes` of local arguments in all; fails with
  /// CL_OUT_OF_RESOURCES when the memory of a work-group would exceed what the device has for one.
  virtual Status checkLaunch(uint32_t kernel, const NdRange& range,
                             uint64_t localArgumentBytes) const = 0;

  /// The local size that suits the kernel best for `range`, whose own `local` is ignored. Divides
  /// the global size unless that would be very slow and the device has non-uniform work-groups and
  /// `mayBeNonUniform`.
  virtual std::array<uint64_t, 3> suggestLocalSize(uint32_t kernel, const NdRange& range,
                                                   bool mayBeNonUniform) const = 0;

  /// What code of this device may rely on of the image that a kernel gets by this handle
  /// (Image::handle), in one number; 0 for nothing.
  virtual int64_t imageFormat(uint64_t) const { return 0; }

  /// Calls `report` once, from any thread and without a lock, when launches have run the code that
  /// this has for `kernel` for so many nanoseconds on all threads together, with a launch that is
  /// running then. Never where code is compiled only once. Replaces what was asked before.
  virtual void setHotnessTrigger(uint32_t, uint64_t, std::function<void(const LaunchKernel&)>) {}

  /// From now on `specialisation`, whose only kernel does the same as `kernel` in launches for
  /// which its facts hold (abi::KernelDescription::facts), runs those: the next ones, and those
  /// that run now from some work-group on. Specialisations that were added later go first. Where
  /// there is one with the same facts, both run by turns until it is known which is faster, and
  /// that one from then on; the first one runs by turns with the baseline code, unless it is
  /// adopted at once. Fails with CL_INVALID_BINARY when it is not code for the same kernel.
  virtual Status addSpecialisation(uint32_t, Ref<Executable>, Adoption) { return {}; }
};

struct QueueRequest {
  bool profiling = false;
  /// A hint: of commands that wait for a thread or an engine, those of urgent queues go first.
  cl_uint priority = CL_QUEUE_PRIORITY_MED_KHR;
};

/// Accepts commands whose dependencies are all met and runs them in any order, several at a time
/// where the device can: all ordering is the runtime's, unless the queue says that it keeps the
/// order. Commands already submitted finish even when the queue is released.
class Queue : public RefCounted {
public:
  /// Whether each command starts only after those submitted before it have ended: then a dependency
  /// on a command of this very queue is met once that has been submitted. Such a queue never calls
  /// Command::finished from `submit` or `append`.
  const bool keepsOrder;
  /// Whether it needs work that was appended to a command until that has ended; otherwise what the
  /// work uses is enough.
  const bool keepsAppended;

  /// Takes `command`, which may start at once or wait: small work waits for `flush`, for `help` or
  /// for more work, so that a program that enqueues and then waits need not wake a thread. Never
  /// blocks on the device. May be called from Command::finished; work that a command of the same
  /// device submits there starts without a flush, so a chain of dependent commands runs through.
  /// Whoever submits from elsewhere on behalf of another (a user event, a command of another
  /// device) flushes.
  virtual void submit(Command& command) = 0;
  /// `command`, which may grow, is to do `work`, too, when it has done what it was given before;
  /// both end together. The caller keeps `work` until then (but see keepsAppended). False, and
  /// nothing done, where `work` is better, or can only be, a command of its own: because the
  /// command has ended or has had enough, for instance. A queue that keeps the order takes more for
  /// the command that was submitted last; others also for one that has not been submitted. One
  /// thread at a time calls this for a command; never calls Command::finished.
  virtual bool append(Command&, const Work&) { return false; }
  /// Everything submitted to this device so far will start without further calls. Costs next to
  /// nothing when all of it has started.
  virtual void flush() = 0;
  /// Called by a thread that has submitted or appended something, without a lock: the occasion to
  /// tell commands that have ended so, or to wake a thread because enough has come together.
  virtual void tend() {}

protected:
  explicit Queue(bool keepsTheOrder, bool keepsWhatIsAppended = true)
      : keepsOrder(keepsTheOrder), keepsAppended(keepsWhatIsAppended) {}
};

enum class PartitionKind { Equally, ByCounts, ByAffinityDomain };

struct PartitionRequest {
  PartitionKind kind = PartitionKind::Equally;
  uint32_t unitsEach = 0;               ///< Equally
  std::vector<uint32_t> counts;         ///< ByCounts
  cl_device_affinity_domain domain = 0; ///< ByAffinityDomain, NEXT_PARTITIONABLE included
};

class Device : public RefCounted {
public:
  const Caps& caps() const { return caps_; }

  /// Sub-devices in the order that clCreateSubDevices returns them. CL_DEVICE_PARTITION_FAILED when
  /// the device cannot be split so; CL_INVALID_DEVICE_PARTITION_COUNT when the counts ask for more
  /// than there is.
  virtual Result<std::vector<Ref<Device>>> partition(const PartitionRequest& request) = 0;

  /// CL_MEM_OBJECT_ALLOCATION_FAILURE when the memory cannot be had.
  virtual Result<Ref<Allocation>> allocate(const AllocationRequest& request) = 0;

  /// Whether kernels of this device may use memory that was allocated for `other`, which is of the
  /// same backend, where it is.
  virtual bool sharesMemoryWith(const Device& other) const { return this == &other; }

  /// Addresses for shared virtual memory of so many bytes: free in this process and wherever
  /// devices with Caps::hasOwnSvm, of which this is one, have theirs. Fails with
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  virtual Result<Ref<AddressLease>> takeAddresses(uint64_t bytes) {
    return Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                         sentence("the device has no addresses for ", bytes, " bytes"));
  }

  /// The first `bytes` of memory that another interface of the same vendor has exported as `file`,
  /// which stays the caller's. CL_INVALID_PROPERTY when the descriptor is of no such memory.
  virtual Result<Ref<Allocation>> importMemory(int file, uint64_t) {
    return Status::error(CL_INVALID_PROPERTY,
                         sentence("file descriptor ", file, " is of no memory of the device"));
  }

  /// Likewise a semaphore.
  virtual Result<Ref<Semaphore>> importSemaphore(int file) {
    return Status::error(CL_INVALID_PROPERTY,
                         sentence("file descriptor ", file, " is of no semaphore of the device"));
  }

  /// Whether queues of this device can copy from `source` to `destination`. Each can within its own
  /// memory, and between that and what the host reaches (Allocation::hostPointer).
  virtual bool canCopy(Allocation& source, Allocation& destination) {
    return source.hostPointer() && destination.hostPointer();
  }

  /// Writes `bytes` where a kernel would write them at `address`, which one has given. Kernels that
  /// start afterwards see them. This is for devices that work in the host's memory.
  virtual void store(uint64_t address, std::span<const std::byte> bytes) {
    std::memcpy(reinterpret_cast<void*>(address), bytes.data(), bytes.size());
  }

  /// An image of elements in memory of this device. Only where Caps::images, and within its limits.
  virtual Result<Ref<Image>> createImage(const ImageRequest& request) = 0;

  /// Whether the OpenGL context that is current on the calling thread draws with this device. What
  /// draws in software is no device of ours.
  virtual bool drawsCurrentOpenGl() { return false; }
  /// The object of the OpenGL context that is current on the calling thread, for copies within the
  /// device; null where there are none, so that the contents go through the host.
  virtual Ref<GraphicsObject> openGraphics(const GraphicsRequest&) { return nullptr; }

  /// CL_INVALID_BINARY when the code is not for this device or refers to symbols that do not exist.
  virtual Result<Ref<Executable>> load(const abi::ProgramImage& image) = 0;

  virtual Result<Ref<Queue>> createQueue(const QueueRequest& request) = 0;

  /// `work` as something that queues of this device run (RunGraph), any number of times and as
  /// often at once as they are given it; neither a graph nor CallHost is part of it. `earlier`, or
  /// null, is a graph of this device with the same `order`, which will be run less from now on: a
  /// device may take over what it has prepared for work that both have. Both may be run still.
  /// Fails with CL_OUT_OF_RESOURCES.
  virtual Result<Ref<Graph>> createGraph(std::vector<Graph::Node> work,
                                         std::shared_ptr<const GraphOrder> order,
                                         [[maybe_unused]] const Graph* earlier) {
    return makeRef<Graph>(std::move(work), std::move(order));
  }

  /// Runs one piece of work that is ready, on the calling thread; false when there is none or the
  /// device has no use for the host's threads: then all work submitted before is running or will
  /// run without further calls. A thread that waits for a command calls this in a loop, without a
  /// flush before, until the command has ended or the answer is false, and only then blocks; a
  /// thread that ends the loop early flushes a queue of the device, because work that became ready
  /// through its help waits for it. Never runs CallHost work, which might need a lock of the
  /// caller's.
  virtual bool help() = 0;

  /// The device's clock in nanoseconds; CLOCK_MONOTONIC for devices that share the host's.
  virtual uint64_t timestamp() const = 0;

protected:
  explicit Device(Caps caps) : caps_(std::move(caps)) {}

private:
  const Caps caps_;
};

/// The root devices of a backend, in order. Called once for each process, on first use; starts no
/// thread and makes no device context.
using Enumerate = std::vector<Ref<Device>> (*)();

} // namespace quern::device
