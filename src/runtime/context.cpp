#include "runtime/context.h"

#include <algorithm>
#include <ranges>

#include "runtime/callback_thread.h"
#include "runtime/command_queue.h"
#include "runtime/device_enqueue.h"
#include "runtime/process.h"

namespace quern::runtime {

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                 Notify notify, Ref<opengl::ShareGroup> shareGroup)
    : Object(ObjectKind::Context), devices_(std::move(devices)), properties_(std::move(properties)),
      notify_(notify), shareGroup_(std::move(shareGroup)),
      deviceEnqueue_(std::make_unique<DeviceEnqueue>()) {}

Context::~Context() {
  auto callbacks = std::move(*destructorCallbacks_.lock());
  if (callbacks.empty())
    return;
  const auto handle = reinterpret_cast<cl_context>(header());
  Process::current().callbacks().runOrPost([callbacks = std::move(callbacks), handle] {
    for (const DestructorCallback& callback : callbacks | std::views::reverse)
      callback.function(handle, callback.userData);
  });
}

bool Context::hasDevice(const Device& device) const {
  return std::ranges::any_of(devices_,
                             [&](const Ref<Device>& own) { return own.get() == &device; });
}

void Context::notify(const std::string& sentence) const {
  if (notify_.function)
    notify_.function(sentence.c_str(), nullptr, 0, notify_.userData);
}

void Context::addDestructorCallback(DestructorFunction function, void* userData) {
  destructorCallbacks_.lock()->push_back({function, userData});
}

Result<Ref<device::Allocation>> Context::allocateShared(uint64_t bytes, bool atomics) const {
  // A device with memory of its own must know the host's memory that it is to use.
  const auto needsToKnow = [](const Ref<Device>& device) {
    return device->caps().svm != 0 && !device->caps().hostUnifiedMemory;
  };
  const auto found = std::ranges::find_if(devices_, needsToKnow);
  const Ref<Device>& device = found == devices_.end() ? devices_.front() : *found;
  return device->backend().allocate({.bytes = bytes, .shared = true, .atomics = atomics});
}

void Context::addQueue(Ref<WeakAnchor<CommandQueue>> queue) {
  queues_.lock()->push_back(std::move(queue));
}

void Context::removeQueue(const WeakAnchor<CommandQueue>& queue) {
  // Not here but behind the lock: the last reference may be dropped.
  Ref<WeakAnchor<CommandQueue>> removed;
  auto queues = queues_.lock();
  const auto found = std::ranges::find(*queues, &queue, &Ref<WeakAnchor<CommandQueue>>::get);
  removed = std::exchange(*found, std::move(queues->back()));
  queues->pop_back();
}

void Context::finishQueues() const {
  std::vector<Ref<WeakAnchor<CommandQueue>>> queues = *queues_.lock();
  for (const Ref<WeakAnchor<CommandQueue>>& anchor : queues)
    if (const Ref<CommandQueue> queue = anchor->lock())
      queue->finish();
}

bool Context::hasSvm(cl_device_svm_capabilities capabilities) const {
  return std::ranges::any_of(devices_, [capabilities](const Ref<Device>& device) {
    return (device->caps().svm & capabilities) == capabilities;
  });
}

} // namespace quern::runtime
