#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/weak_anchor.h"
#include "device/device.h"
#include "runtime/coalescer.h"
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

  /// How a command relates to the commands enqueued before and after it; the first is the rule of
  /// the queue.
  enum class Order {
    Normal,
    AfterAllBefore,            ///< marker without a wait list
    AfterAllBeforeAndBlocking, ///< barrier without a wait list
    Blocking,                  ///< barrier with a wait list
  };

  /// Runs `command`, which was recorded for the queue's device, once: as soon as the queue's order
  /// and `waitList` allow. Never blocks. It also waits for the end of `others`.
  Ref<Event> enqueue(Recorded command, const WaitList& waitList, Order order = Order::Normal,
                     std::span<const Dependency> others = {});

  /// Likewise, for a command that waits for no event and for which the program wants none: it may
  /// become a part of the command before it.
  void enqueueEventless(Recorded command);
  /// Likewise `launch` on `range` with its arguments as they are now. False, and nothing done,
  /// where it has to be recorded first.
  bool repeat(const KernelLaunch& launch, const device::NdRange& range);

  /// Everything enqueued so far will be issued to the device without further calls.
  void flush() { deviceQueue_->flush(); }
  /// Blocks until everything enqueued so far has ended.
  void finish();

  device::Queue& deviceQueue() const { return *deviceQueue_; }

private:
  friend Event;
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);

  /// Commands of an out-of-order queue that have not ended and that no later marker or barrier
  /// stands for.
  struct Unordered {
    void add(Event& event);
    void remove(Event& event);

    Event* first = nullptr;
    size_t count = 0;
    /// The last barrier, if it has not ended.
    Event* barrier = nullptr;
  };

  CommandQueue(Ref<Context> context, Ref<Device> device, Ref<device::Queue> deviceQueue,
               Creation creation);
  ~CommandQueue() override;

  /// What the program, or the runtime, says that a command waits for, whatever the queue's order.
  struct Named {
    const WaitList& events;
    std::span<const Dependency> others;

    size_t size() const { return events.size() + others.size(); }
  };

  static void noteWait(Event& event, const Event& other);
  void waitFor(Event& event, Event& other, DependencyNode::Carries carries);
  void waitFor(Event& event, const Named& named);
  void put(Event& event, const Named& named, Order order);
  void linkInOrder(Event& event, const Named& named);
  void linkOutOfOrder(Event& event, const Named& named, Order order);
  void commandEnded(Event& event);
  bool isIdle();

  const Ref<WeakAnchor<CommandQueue>> anchor_ = makeRef<WeakAnchor<CommandQueue>>(*this);
  const Ref<Context> context_;
  const Ref<Device> device_;
  const Ref<device::Queue> deviceQueue_;
  const Creation creation_;
  const trace::Track track_;
  /// The last command of an in-order queue, with a reference, or null once it has ended.
  std::atomic<Event*> last_{nullptr};
  MutexProtected<Unordered> unordered_;
  Coalescer coalescer_;
};

} // namespace quern::runtime
