#include "kernels/gpu_search.h"

#include <dlfcn.h>

namespace quern::tests {
namespace {

constexpr const char* library = "libcuda.so.1";
/// CUresult CUDA_ERROR_NO_DEVICE.
constexpr int noDevice = 100;

using Init = int (*)(unsigned flags);
using GetCount = int (*)(int* count);

} // namespace

GpuSearch findGpus() {
  void* driver = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!driver)
    return {.reason = std::string("NVIDIA's driver is not installed: ") + dlerror()};
  const auto init = reinterpret_cast<Init>(dlsym(driver, "cuInit"));
  const auto getCount = reinterpret_cast<GetCount>(dlsym(driver, "cuDeviceGetCount"));
  if (!init || !getCount)
    return {.reason = std::string(library) + " lacks functions", .hasFailed = true};
  GpuSearch found;
  const int code = init(0);
  if (code != 0 && code != noDevice)
    return {.reason = "cuInit returned " + std::to_string(code), .hasFailed = true};
  if (code == noDevice || getCount(&found.count) != 0 || found.count == 0)
    return {.reason = "NVIDIA's driver finds none"};
  return found;
}

} // namespace quern::tests
