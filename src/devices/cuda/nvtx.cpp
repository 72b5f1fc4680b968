#include "devices/cuda/nvtx.h"

#include <cstdlib>
#include <optional>

#include <dlfcn.h>

#include "base/log.h"
#include "base/sentence.h"

namespace quern::cuda {

namespace {

constexpr const char* nvtxLibrary = "libnvToolsExt.so.1";

/// NVIDIA Tools Extension Library, of any CUDA toolkit.
struct Nvtx {
  int (*push)(const char* name);
  int (*pop)();
};

std::optional<Nvtx> openNvtx() {
  if (!secure_getenv("NVTX_INJECTION64_PATH"))
    return std::nullopt;
  void* const library = dlopen(nvtxLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    log::warning(sentence("a tool asks for ranges, which need NVTX: ", dlerror()));
    return std::nullopt;
  }
  const Nvtx nvtx = {reinterpret_cast<int (*)(const char*)>(dlsym(library, "nvtxRangePushA")),
                     reinterpret_cast<int (*)()>(dlsym(library, "nvtxRangePop"))};
  return nvtx.push && nvtx.pop ? std::optional(nvtx) : std::nullopt;
}

const std::optional<Nvtx>& nvtx() {
  static const std::optional<Nvtx> instance = openNvtx();
  return instance;
}

} // namespace

bool nvtxIsOn() {
  return nvtx().has_value();
}

NvtxRange::NvtxRange(const char* name) : isOpen_(name && nvtxIsOn()) {
  if (isOpen_)
    nvtx()->push(name);
}

NvtxRange::~NvtxRange() {
  if (isOpen_)
    nvtx()->pop();
}

} // namespace quern::cuda
