// Machine code of binaries, as relocatable objects: loaded and never run.
#include <cstdint>
#include <cstdlib>

#include <CL/cl.h>

#include "devices/cpu/object_loader.h"

using namespace quern;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<cpu::LoadedObject> object = cpu::LoadedObject::load(std::as_bytes(std::span(data, size)));
  if (!object.ok() && object.status().sentence().empty())
    std::abort();
  return 0;
}
