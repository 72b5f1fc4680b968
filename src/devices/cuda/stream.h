#pragma once

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
class Stream final : public device::Queue {
public:
  /// Fails with CL_OUT_OF_RESOURCES.
  static Result<Ref<device::Queue>> create(Engine& engine, const device::QueueRequest& request);
  Stream(Engine& engine, StreamHandle handle, bool profiling)
      : engine_(engine), handle_(handle), profiling_(profiling) {}
  ~Stream() override;

  bool keepsOrder() const override { return true; }
  void submit(device::Command& command) override;
  void flush() override;

  /// Tells the commands that have ended so. True when there were any.
  bool deliver();
  bool isIdle();

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
  std::vector<Submitted> takeEnded(Error& ended);
  void finish(Submitted& submitted, Error ended);

  Engine& engine_;
  const StreamHandle handle_;
  const bool profiling_;
  std::mutex mutex_;
  std::deque<Submitted> underWay_;  ///< guarded by mutex_
  std::vector<EventHandle> unused_; ///< guarded by mutex_
  uint32_t unmarked_ = 0;           ///< guarded by mutex_: commands since the last event
  bool delivering_ = false; ///< guarded by mutex_: a thread tells commands that they have ended
};

} // namespace quern::cuda
