#include "runtime/context.h"

#include <algorithm>
#include <cassert>
#include <ranges>

#include "runtime/callback_thread.h"
#include "runtime/command_queue.h"
#include "runtime/device_enqueue.h"
#include "runtime/process.h"
#include "runtime/storage.h"

namespace quern::runtime {

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                 Notify notify, Ref<opengl::ShareGroup> shareGroup)
    : Object(ObjectKind::Context), devices_(std::move(devices)), properties_(std::move(properties)),
      notify_(notify), shareGroup_(std::move(shareGroup)),
      deviceEnqueue_(std::make_unique<DeviceEnqueue>()) {
  Process::current().compilers().prepare(devices_.front()->caps().target);
}

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

Result<Ref<UnifiedAllocation>> Context::allocateUnified(UnifiedAllocation::Creation creation,
                                                        uint64_t bytes, bool atomics) const {
  const bool isCoarse =
      creation.kind == UnifiedAllocation::Kind::Svm && !creation.isFineGrain && !atomics;
  const auto hasOwnSvm = [](const Ref<Device>& device) { return device->caps().hasOwnSvm(); };
  if (isCoarse && std::ranges::any_of(devices_, hasOwnSvm)) {
    QUERN_ASSIGN(Ref<Storage> storage, Storage::createSvm(*this, bytes));
    return makeRef<UnifiedAllocation>(std::move(creation), std::move(storage));
  }
  const bool isShared = creation.kind != UnifiedAllocation::Kind::Device;
  const Device& device = isShared ? hostAllocator() : *creation.device;
  QUERN_ASSIGN(Ref<device::Allocation> memory,
               device.backend().allocate({.bytes = bytes, .shared = isShared, .atomics = atomics}));
  return makeRef<UnifiedAllocation>(std::move(creation), std::move(memory));
}

Device& Context::hostAllocator() const {
  const auto find = [this](auto isMeant) {
    return std::ranges::find_if(devices_,
                                [&](const Ref<Device>& device) { return isMeant(device->caps()); });
  };
  // A device with memory of its own must know the host's memory that it is to use.
  auto found = find([](const device::Caps& caps) {
    return caps.svm != 0 && !caps.hasOwnSvm() && !caps.hostUnifiedMemory;
  });
  if (found == devices_.end())
    found = find([](const device::Caps& caps) { return caps.svm != 0 && caps.hostUnifiedMemory; });
  if (found == devices_.end())
    found = find([](const device::Caps& caps) { return caps.svm != 0; });
  assert(found != devices_.end() && "a device has shared virtual memory");
  return **found;
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
