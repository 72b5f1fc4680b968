#pragma once

#include <cstdint>
#include <map>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/weak_anchor.h"

namespace quern::runtime {

class MemoryObject;

/// The buffers of one context whose addresses on devices the program knows
/// (cl_ext_buffer_device_address). Keeps none of them alive. Thread-safe.
class BufferAddresses {
public:
  /// `buffer` has an address of its own on each device of its context, or shares one.
  void add(MemoryObject& buffer);
  /// To be called in the destructor of what was added.
  void remove(const MemoryObject& buffer);

  /// The buffer that has a byte at `address` on some device, or null.
  Ref<MemoryObject> find(uint64_t address) const;

private:
  struct Entry {
    uint64_t bytes;
    Ref<WeakAnchor<MemoryObject>> buffer;
  };
  /// By the address of the first byte.
  mutable MutexProtected<std::map<uint64_t, Entry>> entries_;
};

} // namespace quern::runtime
