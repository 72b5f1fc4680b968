#include "devices/cuda/managed_memory.h"

namespace quern::cuda {

Error ManagedMemory::take(Address& address, uint64_t bytes) {
  auto used = used_.lock();
  if (!isFree(*used, bytes))
    return Error::OutOfMemory;
  const Error error = own_.gpu().api.memAllocManaged(&address, bytes, managedForAll);
  if (error == Error::Success)
    *used += bytes;
  return error;
}

void ManagedMemory::giveBack(Address address, uint64_t bytes) {
  own_.gpu().api.memFree(address);
  *used_.lock() -= bytes;
}

bool ManagedMemory::leaves(uint64_t bytes) {
  auto used = used_.lock();
  return *used == 0 || isFree(*used, bytes);
}

/// Counts pages that are in the GPU's memory already twice.
bool ManagedMemory::isFree(uint64_t used, uint64_t bytes) const {
  const auto fits = [&] {
    size_t free = 0, total = 0;
    return own_.gpu().api.memGetInfo(&free, &total) == Error::Success && bytes <= free &&
           used <= free - bytes;
  };
  if (fits())
    return true;
  own_.returnUnused();
  return fits();
}

} // namespace quern::cuda
