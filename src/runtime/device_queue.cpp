#include "runtime/device_queue.h"

#include "abi/child_records.h"
#include "base/sentence.h"
#include "runtime/device_enqueue.h"

namespace quern::runtime {

Result<Ref<DeviceQueue>> DeviceQueue::create(Context& context, Device& device, Creation creation) {
  // The default queue is not counted.
  const uint32_t number =
      context.deviceEnqueue().takeNumber(device.caps().enqueueLimits.maxQueues + 1);
  if (number == 0)
    return Status::error(CL_OUT_OF_RESOURCES,
                         sentence("the context has ", device.caps().enqueueLimits.maxQueues,
                                  " queues on devices, as many as are possible"));
  Result<Ref<CommandQueue>> commands =
      CommandQueue::create(context, device, {.properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE});
  if (!commands.ok()) {
    context.deviceEnqueue().giveNumberBack(number);
    return commands.takeStatus();
  }
  auto queue = makeRef<DeviceQueue>(std::move(*commands), std::move(creation), number);
  context.deviceEnqueue().add(number, *queue);
  return queue;
}

DeviceQueue::DeviceQueue(Ref<CommandQueue> commands, Creation creation, uint32_t number)
    : Object(ObjectKind::DeviceQueue), commands_(std::move(commands)),
      creation_(std::move(creation)), bits_(abi::deviceQueueBits(number, creation_.bytes)) {}

DeviceQueue::~DeviceQueue() {
  anchor_->detach();
  context().deviceEnqueue().giveNumberBack(static_cast<uint32_t>(bits_ >> 32));
}

/// Kernels ask for times without a property of the queue.
Result<Ref<CommandQueue>> DeviceQueue::commands(bool withTimes) {
  if (!withTimes)
    return commands_;
  return timedCommands_.with([this](Ref<CommandQueue>& timed) -> Result<Ref<CommandQueue>> {
    if (!timed) {
      QUERN_ASSIGN(timed,
                   CommandQueue::create(context(), device(),
                                        {.properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                       CL_QUEUE_PROFILING_ENABLE}));
    }
    return timed;
  });
}

} // namespace quern::runtime
