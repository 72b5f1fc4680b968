#include "devices/cuda/external.h"

#include <fcntl.h>
#include <vector>

#include "base/file_descriptor.h"
#include "base/sentence.h"
#include "devices/cuda/memory.h"

namespace quern::cuda {

namespace {

class ImportedAllocation final : public KnownAllocation {
public:
  ImportedAllocation(const Gpu& gpu, ExternalMemoryHandle memory, Address address, uint64_t bytes)
      : KnownAllocation(address, nullptr, bytes), gpu_(gpu), memory_(memory) {}
  ~ImportedAllocation() override {
    const CurrentContext current(gpu_);
    gpu_.api.memFree(address());
    gpu_.api.destroyExternalMemory(memory_);
  }

private:
  const Gpu& gpu_;
  const ExternalMemoryHandle memory_;
};

class Semaphore final : public device::Semaphore {
public:
  Semaphore(const Gpu& gpu, ExternalSemaphoreHandle handle) : handle(handle), gpu_(gpu) {}
  ~Semaphore() override {
    const CurrentContext current(gpu_);
    gpu_.api.destroyExternalSemaphore(handle);
  }

  const ExternalSemaphoreHandle handle;

private:
  const Gpu& gpu_;
};

Status unknown(int file, const char* what) {
  return Status::error(CL_INVALID_PROPERTY, sentence("file descriptor ", file, " is of no ", what,
                                                     " that NVIDIA's driver knows"));
}

/// Another one of `file`: the driver takes over what it imports.
FileDescriptor another(int file) {
  return FileDescriptor(fcntl(file, F_DUPFD_CLOEXEC, 0));
}

} // namespace

Result<Ref<device::Allocation>> importMemory(const Gpu& gpu, int file, uint64_t bytes) {
  FileDescriptor own = another(file);
  const CurrentContext current(gpu);
  const ExternalMemoryDescription description = {.type = ExternalType::OpaqueDescriptor,
                                                 .file = own.get(),
                                                 .handleRest = {},
                                                 .bytes = bytes,
                                                 .flags = 0,
                                                 .reserved = {}};
  ExternalMemoryHandle memory = nullptr;
  if (!gpu.api.hasExternal() ||
      gpu.api.importExternalMemory(&memory, &description) != Error::Success)
    return unknown(file, "memory");
  own.release();
  const ExternalBufferDescription whole = {.offset = 0, .bytes = bytes, .flags = 0, .reserved = {}};
  Address address = 0;
  if (const Error error = gpu.api.externalMemoryGetMappedBuffer(&address, memory, &whole);
      error != Error::Success) {
    gpu.api.destroyExternalMemory(memory);
    return gpu.check(error, sentence("imported memory of ", bytes, " bytes cannot be mapped"),
                     CL_OUT_OF_RESOURCES);
  }
  return Ref<device::Allocation>(makeRef<ImportedAllocation>(gpu, memory, address, bytes));
}

Result<Ref<device::Semaphore>> importSemaphore(const Gpu& gpu, int file) {
  FileDescriptor own = another(file);
  const CurrentContext current(gpu);
  const ExternalSemaphoreDescription description = {.type = ExternalType::OpaqueDescriptor,
                                                    .file = own.get(),
                                                    .handleRest = {},
                                                    .flags = 0,
                                                    .reserved = {}};
  ExternalSemaphoreHandle handle = nullptr;
  if (!gpu.api.hasExternal() ||
      gpu.api.importExternalSemaphore(&handle, &description) != Error::Success)
    return unknown(file, "semaphore");
  own.release();
  return Ref<device::Semaphore>(makeRef<Semaphore>(gpu, handle));
}

Error enqueue(const Gpu& gpu, StreamHandle stream, const device::UseSemaphores& work) {
  std::vector<ExternalSemaphoreHandle> handles;
  for (const Ref<device::Semaphore>& semaphore : work.semaphores)
    handles.push_back(static_cast<const Semaphore&>(*semaphore).handle);
  // A binary semaphore has no value.
  const std::vector<ExternalSemaphoreUse> uses(handles.size());
  const auto count = static_cast<unsigned>(handles.size());
  return work.use == device::UseSemaphores::Use::Signal
             ? gpu.api.signalExternalSemaphoresAsync(handles.data(), uses.data(), count, stream)
             : gpu.api.waitExternalSemaphoresAsync(handles.data(), uses.data(), count, stream);
}

} // namespace quern::cuda
