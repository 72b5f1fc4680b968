#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/byte_range.h"
#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/weak_anchor.h"
#include "device/command.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/external_memory.h"
#include "runtime/graphics_object.h"
#include "runtime/object.h"
#include "runtime/storage.h"

namespace quern::runtime {

/// Base of buffers, images and pipes. What the program passed at creation is immutable; map
/// records and destructor callbacks are locked.
class MemoryObject : public Object {
public:
  using DestructorFunction = void(CL_CALLBACK*)(cl_mem, void*);

  struct Creation {
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    /// With the defaults and, for a sub-buffer, the inherited flags filled in.
    cl_mem_flags flags = CL_MEM_READ_WRITE;
    uint64_t bytes = 0;
    /// Of a sub-buffer: where it begins in its parent.
    uint64_t origin = 0;
    /// CL_MEM_HOST_PTR: the program's pointer for CL_MEM_USE_HOST_PTR, otherwise null.
    std::byte* hostPointer = nullptr;
    /// `hostPointer` points into memory of clSVMAlloc.
    bool usesSvm = false;
    /// The program knows the addresses that devices use for it
    /// (CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT).
    bool hasKnownAddress = false;
    /// The program's zero-terminated list or empty.
    std::vector<cl_mem_properties> properties;
    /// What it is made from, or null.
    Ref<GraphicsObject> graphics = nullptr;
    Ref<ExternalMemory> external = nullptr;
    /// Memory of the program that it is made of, though CL_MEM_HOST_PTR does not say so; or null.
    std::byte* importedPointer = nullptr;

    /// Its bytes are here, as they are; null when it has memory of its own.
    std::byte* usedMemory() const;
    Ref<device::Allocation> onDevice() const;
  };

  const Context* owningContext() const override { return context_.get(); }
  Context& context() const { return *context_; }
  cl_mem_object_type type() const { return creation_.type; }
  cl_mem_flags flags() const { return creation_.flags; }
  uint64_t bytes() const { return creation_.bytes; }
  uint64_t origin() const { return creation_.origin; }
  std::byte* hostPointer() const { return creation_.hostPointer; }
  bool usesSvm() const { return creation_.usesSvm; }
  bool hasKnownAddress() const { return creation_.hasKnownAddress; }
  const std::vector<cl_mem_properties>& properties() const { return creation_.properties; }
  /// The object of a graphics library that it was made from; null where there is none.
  const GraphicsObject* graphics() const { return creation_.graphics.get(); }
  /// The memory from outside that it was made of, or null. Parts of it have none.
  const ExternalMemory* external() const { return creation_.external.get(); }

  /// Whether the host may read / write the contents (CL_MEM_HOST_xxx flags).
  bool hostMayRead() const;
  bool hostMayWrite() const;

  struct Mapping {
    std::byte* begin; ///< what the program got
    /// The box that is mapped: of bytes in a buffer, of elements in an image.
    std::array<uint64_t, 3> origin;
    std::array<uint64_t, 3> region;
    bool writes;
  };
  /// Records a mapping. The same region may be mapped many times, but not for writing more than
  /// once: then nothing is done and the result is false.
  bool addMapping(const Mapping& mapping);
  /// Forgets one mapping that began at `pointer` and returns it; nothing when there is none.
  std::optional<Mapping> removeMapping(const void* pointer);
  cl_uint mapCount() const;

  const Ref<Storage>& storage() const { return storage_; }
  /// Where its bytes are in the storage.
  const ByteRange& extent() const { return extent_; }
  /// The memory that commands on `device` use, `offset` bytes into this object.
  device::Place placeOn(const Device& device, uint64_t offset) const {
    return {&storage_->allocationOn(device), extent_.begin + offset, nullptr};
  }
  /// What a kernel on `device` gets as the argument, but for images: the address of byte 0.
  uint64_t addressOn(const Device& device) const {
    return storage_->allocationOn(device).address() + extent_.begin;
  }
  /// Where a map of this object's first byte points. Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<std::byte*> hostAddress() const;
  /// Whether the program finds the byte at `offset` at `host` without a map: in memory that it
  /// gave.
  bool isAt(const std::byte* host, uint64_t offset) const;

  enum class Direction { ToHost, FromHost };
  /// What `device` has to do so that the host, or the device, sees the box of `mapping`, which
  /// begins at its pointer.
  virtual device::Work moveMapped(const Device& device, const Mapping& mapping,
                                  Direction direction) const = 0;
  /// From the first byte of the box of `mapping` to its last, counted from this object's first.
  virtual ByteRange bytesOf(const Mapping& mapping) const = 0;

  /// Called in reverse order when the object is deleted, before its memory is freed.
  void addDestructorCallback(DestructorFunction function, void* userData);

  /// For those who must not keep the object alive: kernels whose argument it is.
  const Ref<WeakAnchor<MemoryObject>>& anchor() const { return anchor_; }

protected:
  MemoryObject(Ref<Context> context, Creation creation, Ref<Storage> storage, ByteRange extent);
  ~MemoryObject() override { anchor_->detach(); }
  /// To be called first in the destructor of each final class, with what the callbacks may still
  /// look at.
  void runDestructorCallbacks(Ref<RefCounted> keepUntilCalled);

private:
  struct DestructorCallback {
    DestructorFunction function;
    void* userData;
  };
  const Ref<Context> context_;
  const Creation creation_;
  const Ref<Storage> storage_;
  const ByteRange extent_;
  const Ref<WeakAnchor<MemoryObject>> anchor_ = makeRef<WeakAnchor<MemoryObject>>(*this);
  mutable MutexProtected<std::vector<Mapping>> mappings_;
  MutexProtected<std::vector<DestructorCallback>> destructorCallbacks_;
};

/// A buffer or sub-buffer.
class Buffer final : public MemoryObject {
public:
  /// A buffer of `creation.bytes`; copies `creation`'s host pointer contents when the flags say so.
  /// `initial` is the program's host_ptr. Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Ref<Buffer>> create(Context& context, Creation creation, const void* initial);
  /// `parent` is not itself a sub-buffer.
  static Ref<Buffer> createSub(Buffer& parent, Creation creation);

  /// Null unless this is a sub-buffer.
  Buffer* parent() const { return parent_.get(); }

  device::Work moveMapped(const Device& device, const Mapping& mapping,
                          Direction direction) const override;
  ByteRange bytesOf(const Mapping& mapping) const override {
    return {mapping.origin[0], mapping.origin[0] + mapping.region[0]};
  }

private:
  friend class Image; // which can be made of a buffer
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  Buffer(Ref<Context> context, Creation creation, Ref<Storage> storage, Ref<Buffer> parent,
         ByteRange extent);
  ~Buffer() override;

  const Ref<Buffer> parent_;
};

} // namespace quern::runtime
