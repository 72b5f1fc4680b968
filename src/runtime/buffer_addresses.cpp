#include "runtime/buffer_addresses.h"

#include "runtime/memory.h"

namespace quern::runtime {

void BufferAddresses::add(MemoryObject& buffer) {
  auto entries = entries_.lock();
  // A buffer in the program's memory may have an address that another one has.
  for (const Ref<Device>& device : buffer.context().devices())
    entries->insert_or_assign(Place{device.get(), buffer.addressOn(*device)},
                              Entry{buffer.bytes(), buffer.anchor()});
}

void BufferAddresses::remove(const MemoryObject& buffer) {
  auto entries = entries_.lock();
  for (const Ref<Device>& device : buffer.context().devices())
    if (const auto found = entries->find({device.get(), buffer.addressOn(*device)});
        found != entries->end() && found->second.buffer == buffer.anchor())
      entries->erase(found);
}

Ref<MemoryObject> BufferAddresses::find(const Device& device, uint64_t address) const {
  auto entries = entries_.lock();
  auto next = entries->upper_bound({&device, address});
  if (next == entries->begin())
    return nullptr;
  const auto& [begin, entry] = *--next;
  return begin.first == &device && address - begin.second < entry.bytes ? entry.buffer->lock()
                                                                        : nullptr;
}

} // namespace quern::runtime
