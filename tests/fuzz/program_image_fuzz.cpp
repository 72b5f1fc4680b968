// The descriptions of kernels and the code that a binary holds, behind its checksum.
#include <cstdint>
#include <cstdlib>

#include "abi/program_image.h"

using namespace quern;

/// What is read is written again as it was read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<abi::ProgramImage> image = abi::decodeProgramImage(std::as_bytes(std::span(data, size)));
  if (!image.ok()) {
    if (image.status().code() != CL_INVALID_BINARY)
      std::abort();
    return 0;
  }
  const Bytes written = abi::encode(*image);
  Result<abi::ProgramImage> again = abi::decodeProgramImage(written);
  if (!again.ok() || abi::encode(*again) != written)
    std::abort();
  return 0;
}
