#pragma once

#include "base/result.h"
#include "device/memory.h"
#include "devices/cuda/managed_memory.h"
#include "devices/cuda/memory_pool.h"

namespace quern::cuda {

/// Memory that the driver knows.
class KnownAllocation : public device::Allocation {
protected:
  using Allocation::Allocation;
};

/// All of one GPU's memory. Lives as long as the process.
struct Memory {
  explicit Memory(const Gpu& gpu)
      : device(gpu, MemoryPool::Where::Device), host(gpu, MemoryPool::Where::Host),
        managed(device) {}
  MemoryPool device, host;
  ManagedMemory managed;
};

/// Memory of the GPU, or of the host and pinned where the request asks for memory that both share,
/// or managed where both use it in atomic operations.
/// The GPU is open. CL_MEM_OBJECT_ALLOCATION_FAILURE when there is not enough.
Result<Ref<device::Allocation>> allocate(Memory& memory, const device::AllocationRequest& request);

/// The address that the driver knows `place` by.
Address addressOf(const device::Place& place);

} // namespace quern::cuda
