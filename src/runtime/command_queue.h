#pragma once

#include <atomic>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/device.h"
#include "runtime/batch.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/event.h"
#include "runtime/object.h"

namespace quern::runtime {

/// Orders commands. A command of an in-order queue waits for the one before it; in an out-of-order
/// queue only barriers and markers with an empty wait list wait for the commands before them. Order
/// alone does not carry failure: only a wait list does.
class CommandQueue final : public Object {
public:
  struct Creation {
    cl_command_queue_properties properties = 0;
    /// The program's zero-terminated list, empty when it gave none.
    std::vector<cl_queue_properties> propertyList;
    cl_uint priority = CL_QUEUE_PRIORITY_MED_KHR;
  };

  static Result<Ref<CommandQueue>> create(Context& context, Device& device, Creation creation);

  const Context* owningContext() const override { return context_.get(); }
  Context& context() const { return *context_; }
  Device& device() const { return *device_; }
  cl_command_queue_properties properties() const { return creation_.properties; }
  const std::vector<cl_queue_properties>& propertyList() const { return creation_.propertyList; }
  bool isOutOfOrder() const { return properties() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE; }
  bool hasProfiling() const { return properties() & CL_QUEUE_PROFILING_ENABLE; }

  /// An empty command of `type` for this queue: fill `work` and `use`, then `enqueue` it, or drop
  /// it.
  Ref<Event> newCommand(cl_command_type type);

  /// How a command relates to the commands enqueued before and after it; the first is the rule of
  /// the queue.
  enum class Order {
    Normal,
    AfterAllBefore,            ///< marker without a wait list
    AfterAllBeforeAndBlocking, ///< barrier without a wait list
    Blocking,                  ///< barrier with a wait list
  };

  /// Puts `command` into the queue. It runs as soon as the queue's order and `waitList` allow.
  /// Never blocks.
  void enqueue(Event& command, const WaitList& waitList, Order order = Order::Normal);

  /// Puts a command without an event into the queue, where one can do without: `make(batch)` lets
  /// the batch keep what the command uses and puts the command into `batch.next`, or returns false,
  /// perhaps more than once. False, and nothing done, where the command must be an Event: it is to
  /// wait for its turn, or `make` returned false. Fails as `make` does.
  template <typename Make> Result<bool> enqueueUnobserved(Make&& make);

  /// Like `enqueue`, for a launch without a wait list for which the program wants no event: others
  /// may become a part of it (`addToRow`).
  void enqueueUnobservedLaunch(Event& command);
  /// Makes a launch a part of the command that was enqueued last, where that is a launch for which
  /// the program wants no event, too, and has not ended. `version` is that of the kernel's
  /// arguments; `make(launch)` fills in a launch that differs from the latest ones, or returns
  /// false where it must be a command of its own. False, and nothing done, where it was not added.
  template <typename Make>
  bool addToRow(uint64_t version, const device::NdRange& range, Make&& make);

  /// Everything enqueued so far will be issued to the device without further calls.
  void flush() { deviceQueue_->flush(); }
  /// Blocks until everything enqueued so far has ended.
  void finish();

private:
  friend Event;
  friend Batch;
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);

  /// Commands of an out-of-order queue that have not ended and that no later marker or barrier
  /// stands for.
  struct Unordered {
    void add(Event& command);
    void remove(Event& command);

    Event* first = nullptr;
    size_t count = 0;
    /// The last barrier, if it has not ended.
    Event* barrier = nullptr;
  };

  /// What beginning a launch of a row costs, and what should not wait for a flush any longer.
  static constexpr uint64_t nanosecondsToBegin = 50, nanosecondsWorthSaying = 10'000;

  struct Growing {
    Event* command = nullptr; ///< the last one with a row, unless that has ended
    uint64_t nanoseconds = 0; ///< what was added since the device heard of it
  };

  CommandQueue(Ref<Context> context, Ref<Device> device, Ref<device::Queue> deviceQueue,
               Creation creation);
  ~CommandQueue() override;

  void waitFor(Event& command, Event& other, DependencyNode::Carries carries);
  template <typename Make>
  bool addToRow(Growing& growing, uint64_t version, const device::NdRange& range, Make&& make,
                bool& isWorthSaying);
  void giveRow(Event& command);
  void linkInOrder(Event& command, const WaitList& waitList);
  void linkOutOfOrder(Event& command, const WaitList& waitList, Order order);
  void commandEnded(Event& command);
  void commandSubmitted() { unsubmitted_.fetch_sub(1, std::memory_order_release); }
  void begin(Batch& batch);
  /// The device has one more command of `batch`.
  void countUnobserved(Batch& batch) {
    batch.countCommand();
    unobserved_.store(unobserved_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void batchEnded(Batch& batch);
  /// Nothing will be added to the row of `command`, which gives up what it keeps.
  void endRow(Event& command);
  bool hasUnobserved() const {
    return unobserved_.load(std::memory_order_acquire) != ended_.load(std::memory_order_acquire);
  }
  bool isIdle();

  const Ref<Context> context_;
  const Ref<Device> device_;
  const Ref<device::Queue> deviceQueue_;
  const Creation creation_;
  /// The last command of an in-order queue, with a reference, or null once it has ended.
  std::atomic<Event*> last_{nullptr};
  MutexProtected<Unordered> unordered_;
  /// Commands that have not been given to a device that keeps the order.
  std::atomic<uint64_t> unsubmitted_{0};
  MutexProtected<Growing> growing_;
  /// A row that is not in use, or null.
  std::atomic<LaunchRow*> spareRow_{nullptr};
  /// The batch that grows, or null. Guards all batches of the queue.
  MutexProtected<Ref<Batch>> batch_;
  /// Commands without an event: how many the device was given, and how many of them have ended.
  /// Changed under the lock of `batch_`.
  std::atomic<uint64_t> unobserved_{0}, ended_{0};
};

template <typename Make> Result<bool> CommandQueue::enqueueUnobserved(Make&& make) {
  if (isOutOfOrder() || hasProfiling() || !deviceQueue_->keepsOrder() ||
      unsubmitted_.load(std::memory_order_acquire) != 0)
    return false;
  deviceQueue_->collect();
  auto batch = batch_.lock();
  if (*batch && !(*batch)->isFull()) {
    QUERN_ASSIGN(const bool isMade, make(**batch));
    if (!isMade)
      return false;
    if (deviceQueue_->extend(**batch, (*batch)->next)) {
      countUnobserved(**batch);
      return true;
    }
  }
  Ref<Batch> fresh = makeRef<Batch>(Ref<CommandQueue>(this));
  QUERN_ASSIGN(const bool isMade, make(*fresh));
  if (!isMade)
    return false;
  *batch = fresh;
  begin(*fresh);
  return true;
}

template <typename Make>
bool CommandQueue::addToRow(uint64_t version, const device::NdRange& range, Make&& make) {
  bool isWorthSaying = false;
  if (!growing_.with(
          [&](Growing& growing) { return addToRow(growing, version, range, make, isWorthSaying); }))
    return false;
  if (isWorthSaying)
    deviceQueue_->grew();
  return true;
}

template <typename Make>
bool CommandQueue::addToRow(Growing& growing, uint64_t version, const device::NdRange& range,
                            Make&& make, bool& isWorthSaying) {
  Event* const command = growing.command;
  if (!command || last_.load(std::memory_order_acquire) != command)
    return false;
  LaunchRow& row = *command->row_;
  const LaunchRow::Launch* launch = row.find(version, range);
  if (!launch) {
    LaunchRow::Launch* const fresh = row.fresh();
    if (!fresh || !make(*fresh))
      return false;
    const std::optional<uint64_t> time = deviceQueue_->timeInRow(fresh->work);
    if (!time)
      return false;
    fresh->nanoseconds = *time;
    launch = fresh;
  }
  if (!row.add(*launch))
    return false;
  growing.nanoseconds += launch->nanoseconds + nanosecondsToBegin;
  isWorthSaying = growing.nanoseconds >= nanosecondsWorthSaying;
  if (isWorthSaying)
    growing.nanoseconds = 0;
  return true;
}

} // namespace quern::runtime
