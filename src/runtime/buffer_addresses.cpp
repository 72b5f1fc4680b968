#include "runtime/buffer_addresses.h"

#include "runtime/memory.h"

namespace quern::runtime {

void BufferAddresses::add(MemoryObject& buffer) {
  auto entries = entries_.lock();
  // A buffer in the program's memory may have an address that another one has.
  for (const Ref<Device>& device : buffer.context().devices())
    entries->insert_or_assign(buffer.addressOn(*device), Entry{buffer.bytes(), buffer.anchor()});
}

void BufferAddresses::remove(const MemoryObject& buffer) {
  auto entries = entries_.lock();
  for (const Ref<Device>& device : buffer.context().devices())
    if (const auto found = entries->find(buffer.addressOn(*device));
        found != entries->end() && found->second.buffer == buffer.anchor())
      entries->erase(found);
}

Ref<MemoryObject> BufferAddresses::find(uint64_t address) const {
  auto entries = entries_.lock();
  auto next = entries->upper_bound(address);
  if (next == entries->begin())
    return nullptr;
  const auto& [begin, entry] = *--next;
  return address - begin < entry.bytes ? entry.buffer->lock() : nullptr;
}

} // namespace quern::runtime
