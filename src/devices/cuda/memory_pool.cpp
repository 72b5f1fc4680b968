#include "devices/cuda/memory_pool.h"

#include <vector>

namespace quern::cuda {

namespace {

/// Of the GPU's memory, what one process may hold without using it.
constexpr uint64_t unusedShare = 8;
constexpr uint64_t mostUnusedOfHost = uint64_t{1} << 30;

/// All GPUs of the machine may use what is in the pool: without that, not even a copy from one to
/// the other is possible. Fails where one cannot reach the memory.
Error shareWithAll(const DriverApi& api, PoolHandle pool) {
  int count = 0;
  if (const Error error = api.deviceGetCount(&count); error != Error::Success)
    return error;
  std::vector<MemoryAccess> accesses;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    DeviceNumber number = 0;
    if (const Error error = api.deviceGet(&number, ordinal); error != Error::Success)
      return error;
    accesses.push_back({{MemoryLocation::Device, number}, memoryAccessReadWrite});
  }
  return api.memPoolSetAccess(pool, accesses.data(), accesses.size());
}

} // namespace

/// Leaves `pool_` null where anything fails.
void MemoryPool::open() {
  const DriverApi& api = gpu_.api;
  if (!api.hasPools())
    return;
  const bool isHost = where_ == Where::Host;
  PoolProperties properties = {};
  properties.allocationType = allocationPinned;
  properties.location =
      isHost ? Location{MemoryLocation::Host, 0} : Location{MemoryLocation::Device, gpu_.number};
  PoolHandle pool = nullptr;
  if (api.memPoolCreate(&pool, &properties) != Error::Success)
    return;
  // What is given back stays in the pool, however much it is, until `returnToSystem`.
  uint64_t threshold = ~uint64_t{0};
  if (api.memPoolSetAttribute(pool, PoolAttribute::ReleaseThreshold, &threshold) ==
          Error::Success &&
      shareWithAll(api, pool) == Error::Success &&
      api.streamCreateWithPriority(&stream_, streamNonBlocking, 0) == Error::Success) {
    pool_ = pool;
    size_t total = 0;
    api.deviceTotalMem(&total, gpu_.number);
    mostUnused_ = isHost ? mostUnusedOfHost : total / unusedShare;
  } else {
    api.memPoolDestroy(pool);
  }
}

Error MemoryPool::take(Address& address, uint64_t bytes) {
  std::call_once(opened_, [this] { open(); });
  if (!pool_)
    return takeFromDriver(address, bytes);
  const auto attempt = [&] {
    const Error error = gpu_.api.memAllocFromPoolAsync(&address, bytes, pool_, stream_);
    // Other queues may use the memory only when the stream has come to it.
    return error == Error::Success ? gpu_.api.streamSynchronize(stream_) : error;
  };
  const Error error = attempt();
  if (error != Error::OutOfMemory)
    return error;
  returnToSystem(0);
  return attempt();
}

Error MemoryPool::takeFromDriver(Address& address, uint64_t bytes) const {
  if (where_ == Where::Device)
    return gpu_.api.memAlloc(&address, bytes);
  void* data = nullptr;
  const Error error = gpu_.api.memHostAlloc(&data, bytes, hostAllocPortable | hostAllocDeviceMap);
  address = reinterpret_cast<Address>(data);
  return error;
}

void MemoryPool::giveBack(Address address, uint64_t bytes) {
  if (!pool_) {
    if (where_ == Where::Device)
      gpu_.api.memFree(address);
    else
      gpu_.api.memFreeHost(reinterpret_cast<void*>(address));
    return;
  }
  gpu_.api.memFreeAsync(address, stream_);
  if (givenBack_.fetch_add(bytes) + bytes <= mostUnused_)
    return;
  givenBack_ = 0;
  const uint64_t used = askPool(PoolAttribute::UsedBytes);
  if (askPool(PoolAttribute::ReservedBytes) > used + mostUnused_)
    returnToSystem(used + mostUnused_);
}

void MemoryPool::returnUnused() {
  std::call_once(opened_, [this] { open(); });
  if (pool_)
    returnToSystem(0);
}

void MemoryPool::returnToSystem(uint64_t keptBytes) {
  // What was given back last is not the pool's before the stream has come there.
  gpu_.api.streamSynchronize(stream_);
  gpu_.api.memPoolTrimTo(pool_, keptBytes);
}

uint64_t MemoryPool::askPool(PoolAttribute attribute) const {
  uint64_t value = 0;
  return gpu_.api.memPoolGetAttribute(pool_, attribute, &value) == Error::Success ? value : 0;
}

} // namespace quern::cuda
