// SPIR-V modules as the driver reads them, before the compiler's process does.
#include <cstdint>
#include <cstdlib>

#include "spirv/specialization.h"

using namespace quern;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<spirv::Module> module = spirv::Module::parse(std::as_bytes(std::span(data, size)));
  if (!module.ok()) {
    if (module.status().code() != CL_INVALID_VALUE || module.status().sentence().empty())
      std::abort();
    return 0;
  }
  for (const spirv::SpecializationConstant& constant :
       spirv::specializationConstants(module.value()))
    if (constant.id == 0 || constant.id >= module.value().bound())
      std::abort();
  return 0;
}
