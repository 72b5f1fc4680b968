#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

#include "device/device.h"
#include "devices/cuda/clock.h"
#include "devices/cuda/gpu.h"
#include "devices/cuda/image.h"
#include "devices/cuda/print_buffer.h"

namespace quern::cuda {

class Completion;

/// What the queues of one GPU share.
struct Engine {
  explicit Engine(std::shared_ptr<Gpu> gpu);
  ~Engine();

  const std::shared_ptr<Gpu> gpu;
  Clock clock;
  PrintBuffers printBuffers;
  Images images;
  std::unique_ptr<Completion> completion;
};

/// A queue of the device: a stream, and the commands on it that have not ended. Kept by the
/// engine's Completion while there are such commands. Thread-safe.
///
/// Whoever submits and whoever looks what has ended must not wait for each other: the lock that
/// both take is held for moments only, never while the driver is called for a command.
class Stream final : public device::Queue {
public:
  /// Fails with CL_OUT_OF_RESOURCES.
  static Result<Ref<device::Queue>> create(Engine& engine, const device::QueueRequest& request);
  Stream(Engine& engine, StreamHandle handle, bool profiling)
      : engine_(engine), handle_(handle), profiling_(profiling) {}
  ~Stream() override;

  bool keepsOrder() const override { return true; }
  void submit(device::Command& command) override;
  /// The end of what is the last command now will be seen without waiting for later ones.
  void flush() override { isAwaited_.store(true, std::memory_order_relaxed); }

  /// Tells the commands that have ended so. True when there were any. One thread at a time does;
  /// the others return at once.
  bool deliver();
  /// For Completion: gives the stream up when it has no commands, and says so.
  bool leaveWhenIdle();

private:
  /// A command on its way through the GPU.
  struct Submitted {
    device::Command* command = nullptr;
    EventHandle start = nullptr;
    EventHandle end = nullptr; ///< null: it has ended when a later command has
    Address printBuffer = 0;
    uint64_t time = 0; ///< of submission
    Error error = Error::Success;
  };
  Error enqueue(const device::Work& work, Submitted& submitted);
  EventHandle takeEvent();
  void markEnd(Submitted& submitted);
  void markLast();
  std::vector<Submitted> takeEnded(Error& ended);
  void finish(Submitted& submitted, Error ended);
  bool isIdle();

  Engine& engine_;
  const StreamHandle handle_;
  const bool profiling_;
  std::atomic<bool> isAwaited_{false};
  std::atomic<bool> isWatched_{false}; ///< the engine's Completion has it
  std::atomic<bool> isDelivering_{false};
  std::mutex submitMutex_;
  uint32_t unmarked_ = 0;           ///< guarded by submitMutex_: commands since the last event
  std::mutex mutex_;                ///< taken after submitMutex_
  std::deque<Submitted> underWay_;  ///< guarded by mutex_
  std::vector<EventHandle> unused_; ///< guarded by mutex_
};

} // namespace quern::cuda
