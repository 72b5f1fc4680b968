// Calls of the C library and of the system that fail when a test says so: loaded before the driver,
// in whose place it answers. Only calls that the driver makes count, and only those of the thread
// that has asked for it, except for functions of NVIDIA's driver, which others call for it.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "behaviour/failing_calls.h"
#include "devices/cuda/driver_api.h"

using quern::tests::FailingCall;
namespace cuda = quern::cuda;

namespace {

/// The next call of this kind but `left` fails; none where it is negative.
thread_local int wanted = -1;
thread_local long left = -1;
thread_local bool hasFailed = false;

struct Range {
  uintptr_t begin = 0, end = 0;
};

/// Where the driver's code is; empty as long as it is not loaded.
Range findDriver() {
  Range range;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* found) {
        if (!std::strstr(info->dlpi_name, "libquern.so"))
          return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
            *static_cast<Range*>(found) = {info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                                           info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
                                               info->dlpi_phdr[i].p_memsz};
        return 1;
      },
      &range);
  return range;
}
Range driver;

bool fails(FailingCall call, const void* caller) {
  if (wanted != static_cast<int>(call))
    return false;
  const auto address = reinterpret_cast<uintptr_t>(caller);
  if (address < driver.begin || address >= driver.end || left-- != 0)
    return false;
  hasFailed = true;
  return true;
}

std::atomic<long> gpuLeft = -1;
std::atomic<bool> hasGpuFailed = false;

/// A function of NVIDIA's driver. `Name` tells it from others with the same parameters.
template <typename Name, typename Function> struct GpuFunction;
template <typename Name, typename... Parameters>
struct GpuFunction<Name, cuda::Error (*)(Parameters...)> {
  static inline cuda::Error (*real)(Parameters...) = nullptr;

  static cuda::Error call(Parameters... arguments) {
    if (gpuLeft.load() < 0 || gpuLeft.fetch_sub(1) != 0)
      return real(arguments...);
    hasGpuFailed = true;
    return cuda::Error::OutOfMemory;
  }
};

/// What the driver gets in the place of `found`, which is what it has asked for by `name`.
void* inPlaceOf(void* found, const char* name) {
#define QUERN_FAILING(function, symbol, parameters)                                                \
  if (found && std::strcmp(name, symbol) == 0) {                                                   \
    struct Name;                                                                                   \
    using Own = GpuFunction<Name, decltype(cuda::DriverApi::function)>;                            \
    Own::real = reinterpret_cast<decltype(cuda::DriverApi::function)>(found);                      \
    return reinterpret_cast<void*>(&Own::call);                                                    \
  }
  QUERN_CUDA_FUNCTIONS(QUERN_FAILING)
  QUERN_CUDA_NEWER_FUNCTIONS(QUERN_FAILING)
#undef QUERN_FAILING
  return found;
}

template <typename Function> Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void quernFailCall(int call, long after) {
  if (driver.end == 0)
    driver = findDriver();
  const bool isGpu = call == static_cast<int>(FailingCall::Gpu);
  hasFailed = hasGpuFailed = false;
  left = after;
  wanted = call;
  gpuLeft = isGpu ? after : -1;
}
bool quernHasFailed() {
  wanted = -1;
  gpuLeft = -1;
  return hasFailed || hasGpuFailed;
}

void* dlsym(void* library, const char* name) noexcept {
  // The one version that x86-64 has of it.
  static auto* const real =
      reinterpret_cast<void* (*)(void*, const char*)>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
  // The caller is what RTLD_NEXT and RTLD_DEFAULT go by.
  if (library == RTLD_NEXT || library == RTLD_DEFAULT || std::strncmp(name, "cu", 2) != 0)
    return real(library, name);
  return inPlaceOf(real(library, name), name);
}

void* malloc(size_t bytes) {
  extern void* __libc_malloc(size_t);
  if (fails(FailingCall::Malloc, __builtin_return_address(0))) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_malloc(bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  extern void* __libc_memalign(size_t, size_t);
  if (fails(FailingCall::Malloc, __builtin_return_address(0))) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_memalign(alignment, bytes);
}

void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  static auto* const real = next<void*(void*, size_t, int, int, int, off_t)>("mmap");
  if (fails(FailingCall::Mmap, __builtin_return_address(0))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(address, bytes, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  static auto* const real =
      next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (fails(FailingCall::Thread, __builtin_return_address(0)))
    return EAGAIN;
  return real(thread, attributes, start, argument);
}

ssize_t write(int file, const void* data, size_t bytes) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  if (fails(FailingCall::Write, __builtin_return_address(0))) {
    errno = ENOSPC;
    return -1;
  }
  return real(file, data, bytes);
}
}
#pragma GCC visibility pop
