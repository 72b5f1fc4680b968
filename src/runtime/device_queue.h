#pragma once

#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/weak_anchor.h"
#include "runtime/command_queue.h"
#include "runtime/object.h"

namespace quern::runtime {

/// A queue on a device, to which only kernels enqueue. What they have enqueued becomes commands of
/// out-of-order queues of the runtime's own when they have ended (child_launches.h).
class DeviceQueue final : public Object {
public:
  struct Creation {
    cl_command_queue_properties properties = 0;
    /// The program's zero-terminated list.
    std::vector<cl_queue_properties> propertyList;
    cl_uint bytes = 0;
  };

  /// Fails with CL_OUT_OF_RESOURCES when the context has as many as the device allows.
  static Result<Ref<DeviceQueue>> create(Context& context, Device& device, Creation creation);

  const Context* owningContext() const override { return &commands_->context(); }
  Context& context() const { return commands_->context(); }
  Device& device() const { return commands_->device(); }
  cl_command_queue_properties properties() const { return creation_.properties; }
  const std::vector<cl_queue_properties>& propertyList() const { return creation_.propertyList; }
  cl_uint bytes() const { return creation_.bytes; }
  /// What kernels know it by (abi::deviceQueueBits).
  uint64_t bits() const { return bits_; }
  /// Where what kernels have enqueued goes. Each is a queue of its own, the one `withTimes` made
  /// when it is first asked for: taking times makes a GPU's commands slower.
  Result<Ref<CommandQueue>> commands(bool withTimes);
  const Ref<WeakAnchor<DeviceQueue>>& anchor() const { return anchor_; }

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  DeviceQueue(Ref<CommandQueue> commands, Creation creation, uint32_t number);
  ~DeviceQueue() override;

  const Ref<CommandQueue> commands_;
  MutexProtected<Ref<CommandQueue>> timedCommands_;
  const Creation creation_;
  const uint64_t bits_;
  const Ref<WeakAnchor<DeviceQueue>> anchor_ = makeRef<WeakAnchor<DeviceQueue>>(*this);
};

} // namespace quern::runtime
