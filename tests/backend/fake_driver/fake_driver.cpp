// A stand-in for NVIDIA's driver, libcuda.so.1, so that the CUDA backend can be tested where there
// is no GPU: one device, whose memory is the host's and whose streams do everything at once but
// kernels, which do nothing, except for a kernel called "enqueue_child" and its block, and for one
// called "fault": it makes an access that is not allowed, after which every call that has to do
// with the GPU's work fails, as with the real driver. With QUERN_FAKE_FILL_MS, a fill takes so many
// milliseconds after the call, and what comes after it in its stream waits for it. It knows every
// function that the backend looks for, but for newer ones where QUERN_OLDER_DRIVER is defined.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <fcntl.h>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "abi/child_records.h"
#include "devices/cuda/driver_api.h"

namespace quern::cuda {

struct ContextObject {};
struct ModuleObject {};
struct FunctionObject {
  int privateBytes = 0;
  std::atomic<int> dynamicBytes = 48 << 10;
  void (*run)(const void* parameters) = nullptr;
};
/// What it does when it is launched, and the nodes that it depends on.
struct GraphNodeObject {
  std::function<Error()> run;
  std::vector<GraphNodeHandle> dependencies;
};
struct GraphObject {
  std::vector<std::unique_ptr<GraphNodeObject>> nodes;
};
struct GraphExecObject {
  std::vector<GraphNodeObject> nodes; ///< in an order in which they can run
  std::map<GraphNodeHandle, size_t> numbers;
};
/// Does what it is given in order, each a while after the one before. Thread-safe.
class LateWork {
public:
  LateWork() : thread_([this] { run(); }) {}
  ~LateWork() {
    change([&] { isOver_ = true; });
    thread_.join();
  }
  void add(std::chrono::milliseconds duration, std::function<void()> function) {
    change([&] { queue_.emplace_back(duration, std::move(function)); });
  }
  bool isDone() {
    std::lock_guard lock(mutex_);
    return queue_.empty();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.empty(); });
  }

private:
  template <typename Change> void change(Change&& change) {
    {
      std::lock_guard lock(mutex_);
      change();
    }
    changed_.notify_all();
  }
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return isOver_ || !queue_.empty(); });
      if (queue_.empty())
        return;
      const auto [duration, function] = queue_.front();
      lock.unlock();
      std::this_thread::sleep_for(duration);
      function();
      lock.lock();
      queue_.pop_front();
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::chrono::milliseconds, std::function<void()>>> queue_;
  bool isOver_ = false;
  std::thread thread_; ///< last: it uses the others
};
struct StreamObject {
  GraphHandle captured = nullptr; ///< what is issued becomes its nodes
  std::vector<GraphNodeHandle> dependencies;
  std::unique_ptr<LateWork> late; ///< where fills take time
};
/// Keeps what is given back until it is trimmed, and never gives it out again. Gives out nothing
/// before it is said who may use it, so that no pool is left to one GPU alone.
struct PoolObject {
  std::atomic<size_t>* used;
  bool isShared = false;
  std::mutex mutex;
  std::vector<void*> unused;
};
struct ExternalMemoryObject {
  void* data;
  size_t bytes;
};
struct ExternalSemaphoreObject {
  int file;
};
struct EventObject {
  double milliseconds = 0;
};

namespace {

constexpr size_t memoryBytes = size_t{1} << 30;
std::atomic<size_t> usedBytes{0}, usedHostBytes{0};
ContextObject onlyContext;
ModuleObject onlyModule;
FunctionObject ordinaryFunction, largeFunction = {1 << 20, 48 << 10};
std::atomic<TextureHandle> textures{0};

constexpr auto illegalAddress = static_cast<Error>(700);
/// The process has lost what its context was.
std::atomic<bool> hasFaulted{false};
Error state() {
  return hasFaulted ? illegalAddress : Error::Success;
}

constexpr const char *parentName = "enqueue_child",
                     *childName = "__enqueue_child_block_invoke_kernel";
/// Of `kernel void enqueue_child(queue_t queue, global ulong* out)`, and of a block that has
/// captured `out`.
struct ParentParameters {
  uint64_t queue;
  uint64_t* out;
  abi::ChildRecords* children;
};
struct ChildParameters {
  uint32_t bytes = sizeof(ChildParameters), alignment = 8;
  uint64_t function = 0;
  uint64_t* out = nullptr;
};

/// Adds 1 to out[0], enqueues the block and asks for its times to be at out[2] and out[3].
void runParent(const void* parameters) {
  const auto& own = *static_cast<const ParentParameters*>(parameters);
  abi::ChildRecords& children = *own.children;
  const uint64_t event = children.launch.firstEvent;
  const auto append = [&](const auto& record) {
    auto* first = reinterpret_cast<std::byte*>(&children + 1) +
                  children.launch.blockCount * sizeof(abi::BlockLimits);
    std::memcpy(first + children.used, &record, sizeof(record));
    children.used += sizeof(record);
  };
  struct {
    abi::ChildCommand command;
    ChildParameters literal;
  } const child = {{.record = {sizeof(child), abi::ChildRecordKind::Kernel, event, 0},
                    .queue = own.queue,
                    .block = abi::blockId(childName),
                    .waitCount = 0,
                    .localCount = 0,
                    .literalBytes = sizeof(ChildParameters),
                    .workDim = 1,
                    .offset = {},
                    .global = {1, 1, 1},
                    .local = {}},
                   {.out = own.out}};
  const auto note = [&](abi::ChildRecordKind kind, uint64_t value) {
    append(abi::ChildRecord{sizeof(abi::ChildRecord), kind, event, value});
  };
  ++own.out[0];
  append(child);
  note(abi::ChildRecordKind::CaptureTimes, reinterpret_cast<uint64_t>(own.out + 2));
  note(abi::ChildRecordKind::Release, 0);
}
void runChild(const void* parameters) {
  uint64_t* const out = static_cast<const ChildParameters*>(parameters)->out;
  out[1] = out[0] + 1;
}
void runFaulty(const void*) {
  hasFaulted = true;
}
/// Of `kernel void store_sum(global uint* to, uint index, uint value, global const uint* from)`,
/// whose sum is of `value` and the first number of `from`.
void runStoreSum(const void* parameters) {
  struct Parameters {
    uint32_t* to;
    uint32_t index, value;
    const uint32_t* from;
  } own;
  std::memcpy(&own, parameters, sizeof(own));
  own.to[own.index] = own.from[0] + own.value;
}

FunctionObject faultyFunction = {0, 48 << 10, runFaulty};
FunctionObject storeSumFunction = {0, 48 << 10, runStoreSum};
FunctionObject parentFunction = {0, 48 << 10, runParent}, childFunction = {0, 48 << 10, runChild};
thread_local ContextHandle currentContext = nullptr;

struct Staged {
  Address to;
  std::vector<std::byte> data;
};
// Never destroyed: threads of the driver may still use them while the program ends.
std::mutex stagedMutex;
std::vector<Staged>& staged = *new std::vector<Staged>;

std::mutex hostPoolMutex;
std::map<Address, size_t>& hostPoolMemory =
    *new std::map<Address, size_t>; ///< guarded by hostPoolMutex

std::mutex externalMutex;
std::set<Address>& externalBuffers = *new std::set<Address>; ///< guarded by externalMutex

struct Header {
  void* block;
  size_t bytes;
  std::atomic<size_t>* used;
  PoolHandle pool;
};

/// 256-byte aligned, with a header in front. `used` counts what of the same memory is used.
void* take(size_t bytes, std::atomic<size_t>& used) {
  if (bytes > memoryBytes)
    return nullptr;
  if (used.fetch_add(bytes) + bytes > memoryBytes) {
    used -= bytes;
    return nullptr;
  }
  auto* block = static_cast<std::byte*>(std::malloc(bytes + 512));
  std::byte* data = block + 512 - reinterpret_cast<uintptr_t>(block) % 256;
  reinterpret_cast<Header*>(data)[-1] = {block, bytes, &used, nullptr};
  return data;
}

void giveBack(void* data) {
  const Header header = static_cast<Header*>(data)[-1];
  *header.used -= header.bytes;
  std::free(header.block);
}

/// Whether the address is in memory of the host that came from a pool: the driver takes it for the
/// host's alone where it expects an address of the GPU.
bool isHostPools(Address address) {
  std::lock_guard lock(hostPoolMutex);
  const auto next = hostPoolMemory.upper_bound(address);
  return next != hostPoolMemory.begin() &&
         address - std::prev(next)->first < std::prev(next)->second;
}

template <typename T> T* at(Address address) {
  return reinterpret_cast<T*>(address);
}

/// Does what is given to a stream, at once, or lets a graph do it that the stream is captured for.
template <typename Function> Error issue(StreamHandle stream, Function&& function) {
  if (hasFaulted)
    return illegalAddress;
  if (!stream || !stream->captured)
    return function();
  auto node =
      std::make_unique<GraphNodeObject>(std::forward<Function>(function), stream->dependencies);
  stream->dependencies = {node.get()};
  stream->captured->nodes.push_back(std::move(node));
  return Error::Success;
}

std::chrono::milliseconds fillTime() {
  const char* text = std::getenv("QUERN_FAKE_FILL_MS");
  return std::chrono::milliseconds(text ? std::atoi(text) : 0);
}

/// What `function` does comes after all that the stream was given, which this waits for.
template <typename Function> Error issueAfterAll(StreamHandle stream, Function&& function) {
  if (stream && stream->late)
    stream->late->wait();
  return issue(stream, std::forward<Function>(function));
}

template <typename T> Error fill(Address to, T value, size_t count, StreamHandle stream) {
  auto function = [=] {
    for (size_t i = 0; i < count; ++i)
      at<T>(to)[i] = value;
    return Error::Success;
  };
  if (!stream || !stream->late || stream->captured || hasFaulted)
    return issue(stream, function);
  stream->late->add(fillTime(), function);
  return Error::Success;
}

Error describe(Error, const char** text) {
  *text = "the stand-in for the driver said so";
  return Error::Success;
}

int valueOf(DeviceAttribute attribute) {
  switch (attribute) {
  case DeviceAttribute::MaxThreadsPerBlock:
  case DeviceAttribute::MaxBlockDimX:
  case DeviceAttribute::MaxBlockDimY:
    return 1024;
  case DeviceAttribute::MaxBlockDimZ:
    return 64;
  case DeviceAttribute::MultiprocessorCount:
  case DeviceAttribute::ComputeCapabilityMajor:
    return 9;
  case DeviceAttribute::MaxSharedMemoryPerBlock:
    return 48 << 10;
  case DeviceAttribute::MaxSharedMemoryPerBlockOptin:
    return 227 << 10;
  case DeviceAttribute::MaxRegistersPerBlock:
    return 65536;
  case DeviceAttribute::WarpSize:
  case DeviceAttribute::TexturePitchAlignment:
    return 32;
  case DeviceAttribute::TextureAlignment:
    return 512;
  case DeviceAttribute::MaxLinearTextureWidth:
  case DeviceAttribute::MaxLinearTextureHeight:
  case DeviceAttribute::MaxLinearTexturePitch:
    return 65000;
  case DeviceAttribute::GpuOverlap:
  case DeviceAttribute::ConcurrentManagedAccess:
    return 1;
  case DeviceAttribute::AsyncEngineCount:
    return 3;
  case DeviceAttribute::PciBusId:
    return 0x17;
  case DeviceAttribute::PciDeviceId:
    return 4;
  case DeviceAttribute::PciDomainId:
    return 2;
  case DeviceAttribute::ClockRate:
  case DeviceAttribute::L2CacheSize:
    return 1 << 20;
  default:
    return 0;
  }
}

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default"))) Error

EXPORT cuInit(unsigned) {
  return Error::Success;
}
EXPORT cuDriverGetVersion(int* version) {
  return *version = 13000, Error::Success;
}
EXPORT cuGetErrorName(Error error, const char** name) {
  return describe(error, name);
}
EXPORT cuGetErrorString(Error error, const char** text) {
  return describe(error, text);
}
EXPORT cuDeviceGetCount(int* count) {
  const char* gpus = std::getenv("QUERN_FAKE_GPUS");
  return *count = gpus ? std::atoi(gpus) : 1, Error::Success;
}
EXPORT cuDeviceGet(DeviceNumber* device, int ordinal) {
  return *device = ordinal, Error::Success;
}
EXPORT cuDeviceGetName(char* name, int length, DeviceNumber) {
  std::strncpy(name, "Stand-in GPU", static_cast<size_t>(length));
  return Error::Success;
}
EXPORT cuDeviceGetUuid(Uuid* uuid, DeviceNumber) {
  std::memset(uuid, 7, sizeof(*uuid));
  return Error::Success;
}
EXPORT cuDeviceGetAttribute(int* value, DeviceAttribute attribute, DeviceNumber) {
  *value = valueOf(attribute);
  return Error::Success;
}
EXPORT cuDeviceTotalMem_v2(size_t* bytes, DeviceNumber) {
  return *bytes = memoryBytes, Error::Success;
}
EXPORT cuDevicePrimaryCtxRetain(ContextHandle* context, DeviceNumber) {
  *context = &onlyContext;
  return Error::Success;
}
EXPORT cuCtxGetCurrent(ContextHandle* context) {
  return *context = currentContext, Error::Success;
}
EXPORT cuCtxSetCurrent(ContextHandle context) {
  return currentContext = context, Error::Success;
}
EXPORT cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return Error::Success;
}
EXPORT cuMemAlloc_v2(Address* address, size_t bytes) {
  if (hasFaulted)
    return illegalAddress;
  void* data = take(bytes, usedBytes);
  *address = reinterpret_cast<Address>(data);
  return data ? Error::Success : Error::OutOfMemory;
}
/// Of the GPU's memory from the start, which the driver would only take when it is accessed there.
EXPORT cuMemAllocManaged(Address* address, size_t bytes, unsigned flags) {
  return flags == managedForAll ? cuMemAlloc_v2(address, bytes) : Error::InvalidValue;
}
EXPORT cuMemGetInfo_v2(size_t* free, size_t* total) {
  *free = memoryBytes - usedBytes;
  return *total = memoryBytes, Error::Success;
}
EXPORT cuMemFree_v2(Address address) {
  {
    std::lock_guard lock(externalMutex);
    if (externalBuffers.erase(address) != 0)
      return Error::Success;
  }
  return giveBack(at<void>(address)), Error::Success;
}
EXPORT cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
  *pointer = take(bytes, usedHostBytes);
  return *pointer ? Error::Success : Error::OutOfMemory;
}
EXPORT cuMemFreeHost(void* pointer) {
  return giveBack(pointer), Error::Success;
}
EXPORT cuMemHostRegister_v2(void*, size_t, unsigned) {
  return Error::Success;
}
EXPORT cuMemHostUnregister(void*) {
  return Error::Success;
}
/// As the driver may, without a stream: staged at once, copied by when the default stream has
/// ended.
EXPORT cuMemcpyHtoD_v2(Address to, const void* from, size_t bytes) {
  const auto* data = static_cast<const std::byte*>(from);
  std::lock_guard lock(stagedMutex);
  staged.push_back({to, {data, data + bytes}});
  return Error::Success;
}
EXPORT cuMemcpyDtoH_v2(void* to, Address from, size_t bytes) {
  if (isHostPools(from))
    return Error::InvalidValue;
  if (!hasFaulted)
    std::memcpy(to, at<void>(from), bytes);
  return state();
}
EXPORT cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, StreamHandle) {
  if (isHostPools(to))
    return Error::InvalidValue;
  if (!hasFaulted)
    std::memcpy(at<void>(to), from, bytes);
  return state();
}
EXPORT cuMemcpyDtoHAsync_v2(void* to, Address from, size_t bytes, StreamHandle) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
EXPORT cuMemcpyAsync(Address to, Address from, size_t bytes, StreamHandle stream) {
  return issueAfterAll(stream, [=] {
    std::memcpy(at<void>(to), at<void>(from), bytes);
    return Error::Success;
  });
}
EXPORT cuMemcpy3DAsync_v2(const Memcpy3D* given, StreamHandle stream) {
  if (given->dstPitch < given->WidthInBytes || given->srcPitch < given->WidthInBytes)
    return Error::InvalidValue;
  return issueAfterAll(stream, [copy = *given] {
    for (size_t z = 0; z < copy.Depth; ++z)
      for (size_t y = 0; y < copy.Height; ++y)
        std::memmove(at<std::byte>(copy.dstDevice) + (z * copy.dstHeight + y) * copy.dstPitch,
                     at<std::byte>(copy.srcDevice) + (z * copy.srcHeight + y) * copy.srcPitch,
                     copy.WidthInBytes);
    return Error::Success;
  });
}
EXPORT cuMemsetD8Async(Address to, unsigned char value, size_t count, StreamHandle stream) {
  return fill(to, value, count, stream);
}
EXPORT cuMemsetD16Async(Address to, unsigned short value, size_t count, StreamHandle stream) {
  return fill(to, value, count, stream);
}
EXPORT cuMemsetD32Async(Address to, unsigned value, size_t count, StreamHandle stream) {
  return fill(to, value, count, stream);
}
EXPORT cuStreamCreateWithPriority(StreamHandle* stream, unsigned, int) {
  *stream = new StreamObject();
  if (fillTime().count() != 0)
    (*stream)->late = std::make_unique<LateWork>();
  return Error::Success;
}
EXPORT cuStreamDestroy_v2(StreamHandle stream) {
  delete stream;
  return Error::Success;
}
EXPORT cuStreamSynchronize(StreamHandle stream) {
  if (stream && stream->late)
    stream->late->wait();
  std::lock_guard lock(stagedMutex);
  for (const Staged& copy : staged)
    std::memcpy(at<void>(copy.to), copy.data.data(), copy.data.size());
  staged.clear();
  return state();
}
EXPORT cuStreamQuery(StreamHandle stream) {
  return stream && stream->late && !stream->late->isDone() ? Error::NotReady : state();
}
#ifndef QUERN_OLDER_DRIVER
EXPORT cuMemPoolCreate(PoolHandle* pool, const PoolProperties* properties) {
  const bool isHost = properties->location.type == MemoryLocation::Host;
  *pool = new PoolObject{.used = isHost ? &usedHostBytes : &usedBytes};
  return properties->allocationType == allocationPinned ? Error::Success : Error::InvalidValue;
}
EXPORT cuMemPoolDestroy(PoolHandle pool) {
  delete pool;
  return Error::Success;
}
EXPORT cuMemPoolSetAttribute(PoolHandle, PoolAttribute, void*) {
  return Error::Success;
}
EXPORT cuMemPoolGetAttribute(PoolHandle pool, PoolAttribute attribute, void* value) {
  std::lock_guard lock(pool->mutex);
  uint64_t unused = 0;
  for (void* data : pool->unused)
    unused += static_cast<Header*>(data)[-1].bytes;
  *static_cast<uint64_t*>(value) =
      attribute == PoolAttribute::ReservedBytes ? pool->used->load() : *pool->used - unused;
  return Error::Success;
}
EXPORT cuMemPoolSetAccess(PoolHandle pool, const MemoryAccess*, size_t count) {
  pool->isShared = count == 1;
  return pool->isShared ? Error::Success : Error::InvalidValue;
}
/// All or nothing.
EXPORT cuMemPoolTrimTo(PoolHandle pool, size_t) {
  std::lock_guard lock(pool->mutex);
  for (void* data : pool->unused)
    giveBack(data);
  pool->unused.clear();
  return Error::Success;
}
EXPORT cuMemAllocFromPoolAsync(Address* address, size_t bytes, PoolHandle pool, StreamHandle) {
  if (!pool->isShared)
    return Error::InvalidValue;
  void* data = take(bytes, *pool->used);
  if (!data)
    return Error::OutOfMemory;
  static_cast<Header*>(data)[-1].pool = pool;
  if (pool->used == &usedHostBytes) {
    std::lock_guard lock(hostPoolMutex);
    hostPoolMemory[reinterpret_cast<Address>(data)] = bytes;
  }
  return *address = reinterpret_cast<Address>(data), Error::Success;
}
EXPORT cuMemFreeAsync(Address address, StreamHandle) {
  {
    std::lock_guard lock(hostPoolMutex);
    hostPoolMemory.erase(address);
  }
  const PoolHandle pool = at<Header>(address)[-1].pool;
  std::lock_guard lock(pool->mutex);
  pool->unused.push_back(at<void>(address));
  return Error::Success;
}
/// What another interface has exported as memory is here a file that can be read, but not written
/// through the descriptor, so that nobody takes it for one to be mapped; as a semaphore, a FIFO.
EXPORT cuImportExternalMemory(ExternalMemoryHandle* memory,
                              const ExternalMemoryDescription* description) {
  const std::string path = "/proc/self/fd/" + std::to_string(description->file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (description->type != ExternalType::OpaqueDescriptor || file < 0)
    return Error::InvalidValue;
  void* const data = mmap(nullptr, description->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (data == MAP_FAILED)
    return Error::InvalidValue;
  close(description->file); // its own
  *memory = new ExternalMemoryObject{data, description->bytes};
  return Error::Success;
}
EXPORT cuExternalMemoryGetMappedBuffer(Address* address, ExternalMemoryHandle memory,
                                       const ExternalBufferDescription* description) {
  if (description->offset + description->bytes > memory->bytes)
    return Error::InvalidValue;
  *address = reinterpret_cast<Address>(memory->data) + description->offset;
  std::lock_guard lock(externalMutex);
  externalBuffers.insert(*address);
  return Error::Success;
}
EXPORT cuDestroyExternalMemory(ExternalMemoryHandle memory) {
  munmap(memory->data, memory->bytes);
  delete memory;
  return Error::Success;
}
EXPORT cuImportExternalSemaphore(ExternalSemaphoreHandle* semaphore,
                                 const ExternalSemaphoreDescription* description) {
  struct stat status = {};
  const bool isFifo = fstat(description->file, &status) == 0 && S_ISFIFO(status.st_mode) &&
                      (fcntl(description->file, F_GETFL) & O_ACCMODE) == O_RDWR;
  if (description->type != ExternalType::OpaqueDescriptor || !isFifo)
    return Error::InvalidValue;
  *semaphore = new ExternalSemaphoreObject{description->file};
  return Error::Success;
}
EXPORT cuSignalExternalSemaphoresAsync(const ExternalSemaphoreHandle* semaphores,
                                       const ExternalSemaphoreUse*, unsigned count, StreamHandle) {
  for (unsigned i = 0; i < count; ++i)
    if (write(semaphores[i]->file, "s", 1) != 1)
      return Error::InvalidValue;
  return Error::Success;
}
EXPORT cuWaitExternalSemaphoresAsync(const ExternalSemaphoreHandle* semaphores,
                                     const ExternalSemaphoreUse*, unsigned count, StreamHandle) {
  char signal = 0;
  for (unsigned i = 0; i < count; ++i)
    if (read(semaphores[i]->file, &signal, 1) != 1)
      return Error::InvalidValue;
  return Error::Success;
}
EXPORT cuDestroyExternalSemaphore(ExternalSemaphoreHandle semaphore) {
  close(semaphore->file);
  delete semaphore;
  return Error::Success;
}
EXPORT cuStreamWriteValue32_v2(StreamHandle stream, Address to, uint32_t value, unsigned) {
  const auto write = [=] { std::atomic_ref(*at<uint32_t>(to)).store(value); };
  if (stream && stream->late)
    stream->late->add({}, write);
  else if (!hasFaulted)
    write();
  return state();
}
#endif
EXPORT cuEventCreate(EventHandle* event, unsigned) {
  return *event = new EventObject(), Error::Success;
}
EXPORT cuEventDestroy_v2(EventHandle event) {
  delete event;
  return Error::Success;
}
EXPORT cuEventRecord(EventHandle event, StreamHandle) {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  event->milliseconds =
      static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  return Error::Success;
}
EXPORT cuEventSynchronize(EventHandle) {
  return state();
}
EXPORT cuEventElapsedTime(float* milliseconds, EventHandle start, EventHandle end) {
  *milliseconds = static_cast<float>(end->milliseconds - start->milliseconds);
  return Error::Success;
}
EXPORT cuModuleLoadDataEx(ModuleHandle* module, const void* image, unsigned, JitOption*, void**) {
  *module = &onlyModule;
  return std::strstr(static_cast<const char*>(image), ".entry") ? Error::Success
                                                                : Error::InvalidValue;
}
/// Nothing reads textures here.
EXPORT cuTexObjectCreate(TextureHandle* texture, const TextureElements*, const TextureSampling*,
                         const void*) {
  *texture = ++textures;
  return Error::Success;
}
EXPORT cuTexObjectDestroy(TextureHandle) {
  --textures;
  return Error::Success;
}
EXPORT cuModuleUnload(ModuleHandle) {
  return Error::Success;
}
/// A kernel called "large" needs a mebibyte of private memory.
EXPORT cuModuleGetFunction(FunctionHandle* function, ModuleHandle, const char* name) {
  const auto isCalled = [name](const char* other) { return std::strcmp(name, other) == 0; };
  *function = isCalled("large")       ? &largeFunction
              : isCalled(parentName)  ? &parentFunction
              : isCalled(childName)   ? &childFunction
              : isCalled("fault")     ? &faultyFunction
              : isCalled("store_sum") ? &storeSumFunction
                                      : &ordinaryFunction;
  return Error::Success;
}
EXPORT cuFuncGetAttribute(int* value, FunctionAttribute attribute, FunctionHandle function) {
  *value = attribute == FunctionAttribute::MaxThreadsPerBlock ? 1024
           : attribute == FunctionAttribute::LocalSizeBytes   ? function->privateBytes
                                                              : 0;
  return Error::Success;
}
EXPORT cuFuncSetAttribute(FunctionHandle function, FunctionAttribute attribute, int value) {
  if (attribute == FunctionAttribute::MaxDynamicSharedSizeBytes)
    function->dynamicBytes = value;
  return value <= 227 << 10 ? Error::Success : Error::InvalidValue;
}
static std::function<Error()> launchOf(FunctionObject& function, void** extra) {
  const auto* const first = static_cast<const std::byte*>(extra[1]);
  return [&function,
          parameters = std::vector<std::byte>(first, first + *static_cast<size_t*>(extra[3]))] {
    if (function.run)
      function.run(parameters.data());
    return Error::Success;
  };
}
static Error launch(FunctionObject& function, unsigned sharedBytes, StreamHandle stream,
                    void** extra) {
  if (static_cast<int>(sharedBytes) > function.dynamicBytes)
    return Error::InvalidValue;
  return issueAfterAll(stream, launchOf(function, extra));
}
EXPORT cuLaunchKernel(FunctionHandle function, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, unsigned sharedBytes, StreamHandle stream, void**, void** extra) {
  return launch(*function, sharedBytes, stream, extra);
}
#ifndef QUERN_OLDER_DRIVER
EXPORT cuLaunchKernelEx(const LaunchConfiguration* configuration, FunctionHandle function, void**,
                        void** extra) {
  return launch(*function, configuration->sharedBytes, configuration->stream, extra);
}
EXPORT cuStreamBeginCapture_v2(StreamHandle stream, int mode) {
  stream->captured = new GraphObject();
  return mode == captureRelaxed ? Error::Success : Error::InvalidValue;
}
EXPORT cuStreamEndCapture(StreamHandle stream, GraphHandle* graph) {
  *graph = std::exchange(stream->captured, nullptr);
  stream->dependencies.clear();
  return Error::Success;
}
EXPORT cuStreamGetCaptureInfo_v2(StreamHandle stream, int* status, uint64_t*, GraphHandle*,
                                 const GraphNodeHandle** dependencies, size_t* count) {
  *status = 1;
  *dependencies = stream->dependencies.data();
  *count = stream->dependencies.size();
  return Error::Success;
}
EXPORT cuStreamUpdateCaptureDependencies(StreamHandle stream, GraphNodeHandle* dependencies,
                                         size_t count, unsigned flags) {
  stream->dependencies.assign(dependencies, dependencies + count);
  return flags == setCaptureDependencies ? Error::Success : Error::InvalidValue;
}
/// The last node of those that could run is the next, so that dependencies that are missing show.
EXPORT cuGraphInstantiateWithFlags(GraphExecHandle* executable, GraphHandle graph,
                                   unsigned long long) {
  *executable = new GraphExecObject();
  std::vector<GraphNodeHandle> left;
  for (const auto& node : graph->nodes)
    left.push_back(node.get());
  const auto isReady = [&](GraphNodeHandle node) {
    return std::ranges::all_of(node->dependencies, [&](GraphNodeHandle before) {
      return (*executable)->numbers.contains(before);
    });
  };
  while (!left.empty()) {
    size_t next = left.size() - 1;
    while (!isReady(left[next]))
      --next;
    (*executable)->numbers[left[next]] = (*executable)->nodes.size();
    (*executable)->nodes.push_back(*left[next]);
    left.erase(left.begin() + static_cast<ptrdiff_t>(next));
  }
  return Error::Success;
}
EXPORT cuGraphExecKernelNodeSetParams(GraphExecHandle executable, GraphNodeHandle node,
                                      const KernelNode* parameters) {
  const auto number = executable->numbers.find(node);
  if (number == executable->numbers.end())
    return Error::InvalidValue;
  executable->nodes[number->second].run = launchOf(*parameters->function, parameters->extra);
  return Error::Success;
}
EXPORT cuGraphLaunch(GraphExecHandle executable, StreamHandle) {
  for (const GraphNodeObject& node : executable->nodes)
    if (const Error error = node.run(); error != Error::Success)
      return error;
  return Error::Success;
}
EXPORT cuGraphDestroy(GraphHandle graph) {
  delete graph;
  return Error::Success;
}
EXPORT cuGraphExecDestroy(GraphExecHandle executable) {
  delete executable;
  return Error::Success;
}
#endif

} // namespace quern::cuda
