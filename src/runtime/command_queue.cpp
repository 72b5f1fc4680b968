#include "runtime/command_queue.h"

namespace quern::runtime {

Result<Ref<CommandQueue>> CommandQueue::create(Context& context, Device& device,
                                               Creation creation) {
  const device::QueueRequest request = {.profiling =
                                            (creation.properties & CL_QUEUE_PROFILING_ENABLE) != 0,
                                        .priority = creation.priority};
  QUERN_ASSIGN(Ref<device::Queue> deviceQueue, device.backend().createQueue(request));
  return makeRef<CommandQueue>(Ref<Context>(&context), Ref<Device>(&device), std::move(deviceQueue),
                               std::move(creation));
}

CommandQueue::CommandQueue(Ref<Context> context, Ref<Device> device, Ref<device::Queue> deviceQueue,
                           Creation creation)
    : Object(ObjectKind::CommandQueue), context_(std::move(context)), device_(std::move(device)),
      deviceQueue_(std::move(deviceQueue)), creation_(std::move(creation)) {}

CommandQueue::~CommandQueue() {
  delete spareRow_.load(std::memory_order_acquire);
}

Ref<Event> CommandQueue::newCommand(cl_command_type type) {
  return makeRef<Event>(Ref<CommandQueue>(this), type);
}

void CommandQueue::enqueue(Event& command, const WaitList& waitList, Order order) {
  deviceQueue_->collect();
  // What the host does waits for the end of the event before it, which stands for all before.
  if (command.hostWork.function && hasUnobserved())
    enqueue(*newCommand(CL_COMMAND_MARKER), {});
  // The program should have flushed the queues of other devices; a command that waits forever
  // because it did not would be hard to find.
  for (Event* event : waitList)
    if (event->queue() && event->queue()->device_ != device_)
      event->flush();
  if (hasProfiling())
    command.times_.queued = device_->backend().timestamp();
  if (deviceQueue_->keepsOrder())
    unsubmitted_.fetch_add(1, std::memory_order_relaxed);
  // The command's own, dropped when it has ended.
  command.addRef();
  if (isOutOfOrder())
    linkOutOfOrder(command, waitList, order);
  else
    linkInOrder(command, waitList);
  command.arm();
}

/// On a device queue that keeps the order, a command need not wait for the end of those before it.
void CommandQueue::waitFor(Event& command, Event& other, DependencyNode::Carries carries) {
  const bool orderedByDevice =
      deviceQueue_->keepsOrder() && other.queue() == this && !command.hostWork.function;
  command.dependOn(other, carries,
                   orderedByDevice ? DependencyNode::Until::Submitted
                                   : DependencyNode::Until::Ended);
}

void CommandQueue::linkInOrder(Event& command, const WaitList& waitList) {
  command.reserveDependencies(waitList.size() + 1);
  for (Event* event : waitList)
    waitFor(command, *event, DependencyNode::Carries::Failure);
  command.addRef();
  if (Event* previous = last_.exchange(&command, std::memory_order_acq_rel)) {
    waitFor(command, *previous, DependencyNode::Carries::OrderOnly);
    previous->dropRef();
  }
}

void CommandQueue::linkOutOfOrder(Event& command, const WaitList& waitList, Order order) {
  unordered_.with([&](Unordered& unordered) {
    const bool afterAll =
        order == Order::AfterAllBefore || order == Order::AfterAllBeforeAndBlocking;
    command.reserveDependencies(waitList.size() + 1 + (afterAll ? unordered.count : 0));
    for (Event* event : waitList)
      waitFor(command, *event, DependencyNode::Carries::Failure);
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

/// Under the lock of `batch_`, which holds up the batch's end.
void CommandQueue::begin(Batch& batch) {
  batch.work = std::move(batch.next);
  batch.addRef();
  deviceQueue_->submit(batch);
  countUnobserved(batch);
}

void CommandQueue::batchEnded(Batch& batch) {
  auto growing = batch_.lock();
  if (growing->get() == &batch)
    growing->reset();
  ended_.store(ended_.load(std::memory_order_relaxed) + batch.commands(),
               std::memory_order_release);
}

void CommandQueue::enqueueUnobservedLaunch(Event& command) {
  // Memory that cannot be brought ends the command without its work, which is no reason to drop
  // those after it.
  if (!isOutOfOrder() && !hasProfiling() && command.needs_.empty() &&
      deviceQueue_->timeInRow(std::get<device::LaunchKernel>(command.work)))
    giveRow(command);
  enqueue(command, {});
}

void CommandQueue::giveRow(Event& command) {
  command.row_.reset(spareRow_.exchange(nullptr, std::memory_order_acq_rel));
  if (!command.row_)
    command.row_ = std::make_unique<LaunchRow>();
  *growing_.lock() = {.command = &command};
}

void CommandQueue::endRow(Event& command) {
  growing_.with([&](Growing& growing) {
    if (growing.command == &command)
      growing.command = nullptr;
  });
  command.row_->clear();
  delete spareRow_.exchange(command.row_.release(), std::memory_order_acq_rel);
}

bool CommandQueue::isIdle() {
  if (!isOutOfOrder())
    return !last_.load(std::memory_order_acquire) && !hasUnobserved();
  return unordered_.with([](Unordered& unordered) { return !unordered.first; });
}

void CommandQueue::finish() {
  if (isIdle())
    return;
  const Ref<Event> marker = newCommand(CL_COMMAND_MARKER);
  enqueue(*marker, {}, Order::AfterAllBefore);
  marker->wait();
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
