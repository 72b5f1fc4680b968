#pragma once

#include <atomic>
#include <deque>
#include <memory>

#include "base/mutex_protected.h"
#include "device/device.h"
#include "devices/cuda/clock.h"
#include "devices/cuda/gpu.h"
#include "devices/cuda/image.h"
#include "devices/cuda/large_transfers.h"
#include "devices/cuda/memory.h"
#include "devices/cuda/print_buffer.h"
#include "devices/cuda/progress.h"
#include "devices/cuda/staging.h"

namespace quern::cuda {

class Completion;
class Graph;

/// What the queues of one GPU share.
struct Engine {
  explicit Engine(std::shared_ptr<Gpu> gpu);
  ~Engine();

  const std::shared_ptr<Gpu> gpu;
  Memory memory;
  Clock clock;
  PrintBuffers printBuffers;
  ProgressNumbers progress;
  Images images;
  StagingBlocks stagingBlocks;
  LargeTransfers largeTransfers;
  std::unique_ptr<Completion> completion;
};

/// How a look finds out what has ended.
enum class Look : bool {
  Memory, ///< by what the GPU has written there
  Driver, ///< also by asking the driver, which knows of failures, too
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
  Stream(Engine& engine, StreamHandle handle, Progress* progress, bool profiling)
      : Queue(/*keepsTheOrder=*/true, /*keepsWhatIsAppended=*/false), engine_(engine),
        handle_(handle), progress_(progress), profiling_(profiling),
        canMark_(engine.gpu->api.streamWriteValue32 != nullptr),
        staged_(*engine.gpu, engine.stagingBlocks) {}
  ~Stream() override;

  void submit(device::Command& command) override;
  bool append(device::Command& command, const device::Work& work) override;
  /// The end of what is the last command now will be seen without waiting for later ones.
  void flush() override { isAwaited_.store(true, std::memory_order_relaxed); }
  void tend() override;

  /// Lets the GPU write when the last command so far has ended, for a thread that waits for that.
  /// Returns how to look for it.
  Look await();
  /// Tells the commands that have ended so. True when there were any. One thread at a time does;
  /// the others return at once.
  bool deliver(Look look);
  /// For Completion: gives the stream up when it has no commands, and says so.
  bool leaveWhenIdle();

private:
  /// A command on its way through the GPU.
  struct Submitted {
    device::Command* command = nullptr;
    uint32_t number = 0; ///< has ended when the progress is not behind this
    uint32_t appended = 0;
    EventHandle start = nullptr, end = nullptr; ///< for profiling
    std::vector<Address> printBuffers;          ///< of its launches that print
    uint64_t time = 0;                          ///< of submission, for profiling
    Error error = Error::Success;
  };
  struct Commands {
    std::deque<Submitted> underWay;
    std::vector<EventHandle> unusedEvents;
  };
  /// The right to give the driver commands of this stream: those who have it do so one after the
  /// other, and only they know the number of the next.
  struct Submission {
    uint32_t next(const Stream& stream) const { return stream.last_ + 1; }
  };
  Error enqueue(const device::Work& work, Submitted& submitted);
  Error enqueueGraph(const Graph& graph, Submitted& submitted);
  Error bringWhatIsMissed(const device::Work& work);
  bool canAppend(const device::Work& work) const;
  void markWhatIsAwaited(Submission& submission);
  void markEveryFew(Submission& submission);
  EventHandle takeEvent();
  EventHandle recordEvent();
  void mark(Submission&);
  std::vector<Submitted> takeEnded(Look look, Error& ended);
  void finish(Submitted& submitted, Error ended);
  bool isIdle();

  Engine& engine_;
  const StreamHandle handle_;
  Progress* const progress_;
  const bool profiling_;
  std::atomic<bool> isAwaited_{false};
  std::atomic<bool> isWatched_{false}; ///< the engine's Completion has it
  std::atomic<bool> isDelivering_{false};
  std::atomic<uint32_t> delivered_{0}; ///< the progress of the last look
  std::atomic<bool> canMark_;          ///< the driver lets the GPU write its progress
  StagedTransfers staged_;
  MutexProtected<Submission> submission_;
  std::atomic<uint32_t> last_{0};     ///< number of the last command; changed with a Submission
  std::atomic<uint32_t> marked_{0};   ///< the last number that the GPU will write; likewise
  MutexProtected<Commands> commands_; ///< locked after `submission_`
};

} // namespace quern::cuda
