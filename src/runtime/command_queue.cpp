#include "runtime/command_queue.h"

#include "base/sentence.h"
#include "runtime/command_trace.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

trace::Track addTrack(const Device& device) {
  static std::atomic<uint32_t> queues{0};
  if (!trace::isOn())
    return 0;
  return trace::addTrack(device.caps().name, sentence("queue ", queues.fetch_add(1) + 1));
}

} // namespace

Result<Ref<CommandQueue>> CommandQueue::create(Context& context, Device& device,
                                               Creation creation) {
  // A timeline needs times whether the program does or not.
  const device::QueueRequest request = {
      .profiling = (creation.properties & CL_QUEUE_PROFILING_ENABLE) != 0 || trace::isOn(),
      .priority = creation.priority};
  QUERN_ASSIGN(Ref<device::Queue> deviceQueue, device.backend().createQueue(request));
  return makeRef<CommandQueue>(Ref<Context>(&context), Ref<Device>(&device), std::move(deviceQueue),
                               std::move(creation));
}

CommandQueue::CommandQueue(Ref<Context> context, Ref<Device> device, Ref<device::Queue> deviceQueue,
                           Creation creation)
    : Object(ObjectKind::CommandQueue), context_(std::move(context)), device_(std::move(device)),
      deviceQueue_(std::move(deviceQueue)), creation_(std::move(creation)),
      track_(addTrack(*device_)), coalescer_(*deviceQueue_) {
  context_->addQueue(anchor_);
}

CommandQueue::~CommandQueue() {
  anchor_->detach();
  context_->removeQueue(*anchor_);
}

Ref<Event> CommandQueue::enqueue(Recorded command, const WaitList& waitList, Order order,
                                 std::span<const Dependency> others) {
  Ref<Event> event = makeRef<Event>(Ref<CommandQueue>(this), std::move(command));
  put(*event, {waitList, others}, order);
  return event;
}

void CommandQueue::put(Event& event, const Named& named, Order order) {
  // The program should have flushed the queues of other devices; a command that waits forever
  // because it did not would be hard to find.
  for (Event* other : named.events)
    if (other->queue() && other->queue()->device_ != device_)
      other->flush();
  if (trace::isOn())
    event.setTraceNumber(trace::nextCommand());
  if (event.isTimed())
    event.setQueuedTime(device_->backend().timestamp());
  // The command's own, dropped when it has ended.
  event.addRef();
  if (isOutOfOrder())
    linkOutOfOrder(event, named, order);
  else
    linkInOrder(event, named);
  if (const uint64_t number = event.traceNumber(); number != 0)
    traceQueued(number, track_, *event.recorded(), event.times().queued);
  event.arm();
  deviceQueue_->tend();
}

void CommandQueue::enqueueEventless(Recorded command) {
  // Bytes that cannot be brought end a command without its work, which is no reason to drop those
  // after it.
  const bool mayGrow = !isOutOfOrder() && !hasProfiling() && !command->mayNeedBytes() &&
                       !command->enqueuer &&
                       !std::holds_alternative<device::Nothing>(command->work);
  if (mayGrow && coalescer_.append(command, last_.load(std::memory_order_acquire)))
    return deviceQueue_->tend();
  const Ref<Event> event = makeRef<Event>(Ref<CommandQueue>(this), std::move(command));
  if (mayGrow)
    coalescer_.begin(*event);
  put(*event, {.events = {}, .others = {}}, Order::Normal);
}

bool CommandQueue::repeat(const KernelLaunch& launch, const device::NdRange& range) {
  if (!coalescer_.repeat(launch, range, last_.load(std::memory_order_acquire)))
    return false;
  deviceQueue_->tend();
  return true;
}

void CommandQueue::noteWait(Event& command, const Event& other) {
  if (command.traceNumber() != 0 && other.traceNumber() != 0)
    trace::record(
        trace::Dependency{.earlier = other.traceNumber(), .later = command.traceNumber()});
}

/// On a device queue that keeps the order, a command need not wait for the end of those before it;
/// but what is done for it elsewhere must: the runtime's own work, and bringing bytes that those
/// before may be writing. So must a kernel of a program that asks for times: it finds them in
/// memory.
void CommandQueue::waitFor(Event& command, Event& other, DependencyNode::Carries carries) {
  noteWait(command, other);
  const bool orderedByDevice = deviceQueue_->keepsOrder && other.queue() == this &&
                               !other.mayHaveChildren() && !command.recorded()->hostWork &&
                               !other.tellsTimes() && !command.recorded()->needsBytesInHost();
  command.dependOn(other, carries,
                   orderedByDevice ? DependencyNode::Until::Submitted
                                   : DependencyNode::Until::Ended);
}

void CommandQueue::waitFor(Event& command, const Named& named) {
  for (Event* event : named.events)
    waitFor(command, *event, DependencyNode::Carries::Failure);
  for (const Dependency& other : named.others)
    command.dependOn(other.node, other.carries);
}

void CommandQueue::linkInOrder(Event& command, const Named& named) {
  command.reserveDependencies(named.size() + 1);
  waitFor(command, named);
  command.addRef();
  if (Event* previous = last_.exchange(&command, std::memory_order_acq_rel)) {
    waitFor(command, *previous, DependencyNode::Carries::OrderOnly);
    previous->dropRef();
  }
}

void CommandQueue::linkOutOfOrder(Event& command, const Named& named, Order order) {
  unordered_.with([&](Unordered& unordered) {
    const bool afterAll =
        order == Order::AfterAllBefore || order == Order::AfterAllBeforeAndBlocking;
    command.reserveDependencies(named.size() + 1 + (afterAll ? unordered.count : 0));
    waitFor(command, named);
    if (unordered.barrier)
      waitFor(command, *unordered.barrier, DependencyNode::Carries::OrderOnly);
    if (afterAll) {
      // From now on this command stands for all of them.
      while (Event* event = unordered.first) {
        waitFor(command, *event, DependencyNode::Carries::OrderOnly);
        unordered.remove(*event);
      }
    }
    unordered.add(command);
    if (order == Order::Blocking || order == Order::AfterAllBeforeAndBlocking)
      unordered.barrier = &command;
  });
}

void CommandQueue::commandEnded(Event& command) {
  if (!isOutOfOrder()) {
    Event* expected = &command;
    // A later command may have taken the place, and the reference with it.
    if (last_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel))
      command.dropRef();
    return;
  }
  unordered_.with([&](Unordered& unordered) {
    if (command.inQueue_)
      unordered.remove(command);
    if (unordered.barrier == &command)
      unordered.barrier = nullptr;
  });
}

bool CommandQueue::isIdle() {
  if (!isOutOfOrder())
    return !last_.load(std::memory_order_acquire);
  return unordered_.with([](Unordered& unordered) { return !unordered.first; });
}

void CommandQueue::finish() {
  if (isIdle())
    return;
  enqueue(makeRef<RecordedCommand>(*device_, CL_COMMAND_MARKER), {}, Order::AfterAllBefore)->wait();
}

void CommandQueue::Unordered::add(Event& command) {
  command.inQueue_ = true;
  command.previousInQueue_ = nullptr;
  command.nextInQueue_ = first;
  if (first)
    first->previousInQueue_ = &command;
  first = &command;
  ++count;
}

void CommandQueue::Unordered::remove(Event& command) {
  if (command.previousInQueue_)
    command.previousInQueue_->nextInQueue_ = command.nextInQueue_;
  else
    first = command.nextInQueue_;
  if (command.nextInQueue_)
    command.nextInQueue_->previousInQueue_ = command.previousInQueue_;
  command.inQueue_ = false;
  --count;
}

} // namespace quern::runtime
