#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/weak_anchor.h"
#include "opengl/share_group.h"
#include "runtime/buffer_addresses.h"
#include "runtime/device.h"
#include "runtime/object.h"
#include "runtime/unified_memory.h"

namespace quern::runtime {

class CommandQueue;
class DeviceEnqueue;

/// Devices that share memory objects, programs and events. Immutable but for its destructor
/// callbacks and its memory that programs know by pointers.
class Context final : public Object {
public:
  using NotifyFunction = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);
  using DestructorFunction = void(CL_CALLBACK*)(cl_context, void*);

  struct Notify {
    NotifyFunction function = nullptr;
    void* userData = nullptr;
  };

  /// `properties` is the program's zero-terminated list or empty when it gave none.
  /// `shareGroup`, which may be null, is that of the OpenGL context that they name.
  Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
          Notify notify, Ref<opengl::ShareGroup> shareGroup = nullptr);

  const Context* owningContext() const override { return this; }
  std::span<const Ref<Device>> devices() const { return devices_; }
  bool hasDevice(const Device& device) const;
  const std::vector<cl_context_properties>& properties() const { return properties_; }

  /// Tells the program about an error through the function it gave to clCreateContext; called by
  /// the entry points with no lock held.
  void notify(const std::string& sentence) const;

  /// Called in reverse order when the context is deleted.
  void addDestructorCallback(DestructorFunction function, void* userData);

  /// Memory as `creation` says; with `atomics` the host and devices may use it in atomic operations
  /// at the same time. Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<Ref<UnifiedAllocation>> allocateUnified(UnifiedAllocation::Creation creation,
                                                 uint64_t bytes, bool atomics) const;
  /// The device that allocates what the host and every device that works in its memory use at one
  /// address, where one of the context has shared virtual memory.
  Device& hostAllocator() const;

  /// A queue of this context says that it exists, and that it soon will not.
  void addQueue(Ref<WeakAnchor<CommandQueue>> queue);
  void removeQueue(const WeakAnchor<CommandQueue>& queue);
  /// Blocks until everything enqueued so far, to any queue of the context, has ended.
  void finishQueues() const;

  /// Of the OpenGL context that memory objects can be shared with; null where there is none.
  const Ref<opengl::ShareGroup>& shareGroup() const { return shareGroup_; }

  DeviceEnqueue& deviceEnqueue() const { return *deviceEnqueue_; }

  UnifiedMemory& unifiedMemory() { return unifiedMemory_; }
  const UnifiedMemory& unifiedMemory() const { return unifiedMemory_; }
  BufferAddresses& bufferAddresses() { return bufferAddresses_; }
  const BufferAddresses& bufferAddresses() const { return bufferAddresses_; }
  /// Whether one of the devices has all of `capabilities` (CL_DEVICE_SVM_xxx).
  bool hasSvm(cl_device_svm_capabilities capabilities) const;

private:
  ~Context() override;

  struct DestructorCallback {
    DestructorFunction function;
    void* userData;
  };
  const std::vector<Ref<Device>> devices_;
  const std::vector<cl_context_properties> properties_;
  const Notify notify_;
  const Ref<opengl::ShareGroup> shareGroup_;
  UnifiedMemory unifiedMemory_;
  BufferAddresses bufferAddresses_;
  const std::unique_ptr<DeviceEnqueue> deviceEnqueue_;
  mutable MutexProtected<std::vector<Ref<WeakAnchor<CommandQueue>>>> queues_;
  MutexProtected<std::vector<DestructorCallback>> destructorCallbacks_;
};

} // namespace quern::runtime
