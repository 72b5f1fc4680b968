#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/weak_anchor.h"

namespace quern::runtime {

class Device;
class MemoryObject;

/// The buffers of one context whose addresses on devices the program knows
/// (cl_ext_buffer_device_address). Keeps none of them alive. Thread-safe.
class BufferAddresses {
public:
  /// `buffer` has an address of its own on each device of its context, or shares one.
  void add(MemoryObject& buffer);
  /// To be called in the destructor of what was added.
  void remove(const MemoryObject& buffer);

  /// The buffer that has a byte at `address` on `device`, a device of the context, or null. Devices
  /// of other machines may have any addresses.
  Ref<MemoryObject> find(const Device& device, uint64_t address) const;

private:
  struct Entry {
    uint64_t bytes;
    Ref<WeakAnchor<MemoryObject>> buffer;
  };
  using Place = std::pair<const Device*, uint64_t>; ///< of the first byte
  mutable MutexProtected<std::map<Place, Entry>> entries_;
};

} // namespace quern::runtime
