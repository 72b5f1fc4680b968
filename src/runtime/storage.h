#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/byte_range.h"
#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/memory.h"
#include "device/replicas.h"
#include "runtime/context.h"
#include "runtime/device.h"

namespace quern::runtime {

using device::Access;
using device::AwaitsMemory;

/// The bytes of a buffer or an image, shared by those made of it: a copy for each memory that
/// devices of the context work in. Devices that work in the host's memory share one. Thread-safe.
class Storage final : public RefCounted {
public:
  struct Request {
    uint64_t bytes = 0;
    /// The program's memory to be used (CL_MEM_USE_HOST_PTR), or null.
    std::byte* hostPointer = nullptr;
    /// What `hostPointer` is part of, or null.
    Ref<RefCounted> keep = nullptr;
    /// The only copy, of one device's memory from outside; or null.
    Ref<device::Allocation> onDevice = nullptr;
    /// `hostPointer` points into memory of clSVMAlloc.
    bool usesSvm = false;
    /// What the bytes are at first, or null.
    const void* initial = nullptr;
    /// Only commands will write to it, unless `noteOtherWriters` is called.
    bool isUnwritten = false;
    /// `initial` is only for so many of them, from the first on.
    uint64_t initialBytes = UINT64_MAX;
  };
  /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE. Blocks while the first contents are brought to a
  /// device.
  static Result<Ref<Storage>> create(Context& context, const Request& request);
  /// For shared virtual memory in a context in which devices have their own: a copy in the host's
  /// memory for all that work there, and copies of all others, at the same address where they have
  /// shared virtual memory. Fails likewise.
  static Result<Ref<Storage>> createSvm(const Context& context, uint64_t bytes);

  /// Bytes of a storage, from `begin` on.
  struct Part {
    Ref<Storage> storage;
    uint64_t begin = 0;
  };
  /// Likewise, or part of the shared virtual memory that the request is to use.
  static Result<Part> findOrCreate(Context& context, const Request& request);

  /// What commands on a device of the context use.
  device::Allocation& allocationOn(const Device& device) const {
    return *replicas_->copy(copyOn(device)).allocation;
  }
  /// There is only one copy, so that the bytes are always where they are needed.
  bool isInOnePlace() const { return replicas_->size() == 1; }
  /// The host sees what commands do without further ado.
  bool isUnified() const { return isInOnePlace() && hasHostCopy(); }
  /// One of the copies is in the host's memory: maps point there.
  bool hasHostCopy() const { return replicas_->copy(0).allocation->hostPointer() != nullptr; }

  /// From now on the host, or what is made of its memory beside buffers, may write to it.
  void noteOtherWriters();

  /// The copy there.
  device::Allocation& hostAllocation() const { return *replicas_->copy(0).allocation; }

  /// Where maps of byte 0 point: the same in every call. Fails with
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<std::byte*> hostMemory();

  /// Where a command of `device` needs the bytes; some need them in the host's memory, where there
  /// is a copy.
  uint32_t copyFor(const Device& device, bool isAboutHostCopy) const {
    return isAboutHostCopy && hasHostCopy() ? 0 : copyOn(device);
  }
  /// As device::Replicas does.
  bool bring(uint32_t copy, Access access, ByteRange bytes, AwaitsMemory& waiting) {
    return replicas_->bring(copy, access, bytes, waiting);
  }

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  using Replica = device::Replicas::Replica;
  using Contents = device::Replicas::Contents;

  Storage(std::vector<Replica> copies, const Request& request, Contents contents);
  uint32_t copyOn(const Device& device) const {
    return isInOnePlace() ? 0 : copyAmongSeveral(device);
  }
  uint32_t copyAmongSeveral(const Device& device) const;

  /// The one in the host's memory comes first.
  const Ref<device::Replicas> replicas_;
  std::byte* const hostPointer_;
  const Ref<RefCounted> kept_;
  /// For maps where neither a device's memory nor the program's will do.
  MutexProtected<Ref<device::Allocation>> mapped_;
};

} // namespace quern::runtime
