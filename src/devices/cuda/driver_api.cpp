#include "devices/cuda/driver_api.h"

#include <dlfcn.h>
#include <optional>
#include <string>

#include "base/log.h"

namespace quern::cuda {

namespace {

constexpr const char* driverLibrary = "libcuda.so.1";

std::optional<DriverApi> openDriver() {
  void* const library = dlopen(driverLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    log::debug(std::string("no NVIDIA driver: ") + dlerror());
    return std::nullopt;
  }
  DriverApi api;
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* symbol) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    return function != nullptr;
  };
#define QUERN_CUDA_FIND(name, symbol, parameters)                                                  \
  if (!find(api.name, symbol))                                                                     \
    missing = symbol;
  QUERN_CUDA_FUNCTIONS(QUERN_CUDA_FIND)
#undef QUERN_CUDA_FIND
#define QUERN_CUDA_FIND(name, symbol, parameters) find(api.name, symbol);
  QUERN_CUDA_NEWER_FUNCTIONS(QUERN_CUDA_FIND)
  QUERN_CUDA_OPENGL_FUNCTIONS(QUERN_CUDA_FIND)
#undef QUERN_CUDA_FIND
  if (!missing)
    return api;
  log::warning(std::string("the NVIDIA driver is not used: it has no function ") + missing);
  dlclose(library);
  return std::nullopt;
}

} // namespace

const DriverApi* DriverApi::load() {
  static const std::optional<DriverApi> api = openDriver();
  return api ? &*api : nullptr;
}

} // namespace quern::cuda
