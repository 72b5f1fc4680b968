// Binaries that a program gives to clCreateProgramWithBinary. What follows the header is mutated;
// the header is made to fit, or no mutation would come past the checksum.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/hash.h"
#include "runtime/program_binary.h"

using namespace quern;

namespace {

const runtime::BinaryOrigin origin = {
    .compiler = "compiler", .target = "target", .language = "language"};
/// Magic number and format version, length, checksum.
constexpr size_t lengthAt = 16, checksumAt = 24, headerBytes = 32;

Bytes smallestBinary() {
  return runtime::encode({.kind = runtime::ProgramBinary::Kind::Library}, origin);
}

} // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned) {
  if (maxSize <= headerBytes)
    return LLVMFuzzerMutate(data, size, maxSize);
  if (size < headerBytes) {
    const Bytes binary = smallestBinary();
    size = std::min(binary.size(), maxSize);
    std::memcpy(data, binary.data(), size);
  }
  const uint64_t content =
      LLVMFuzzerMutate(data + headerBytes, size - headerBytes, maxSize - headerBytes);
  const uint64_t checksum = contentHash(std::as_bytes(std::span(data + headerBytes, content)));
  std::memcpy(data + lengthAt, &content, sizeof(content));
  std::memcpy(data + checksumAt, &checksum, sizeof(checksum));
  return headerBytes + content;
}

/// What is read is written again as it was read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Result<runtime::ProgramBinary> binary =
      runtime::decodeProgramBinary(std::as_bytes(std::span(data, size)), origin);
  if (!binary.ok()) {
    if (binary.status().code() != CL_INVALID_BINARY || binary.status().sentence().empty())
      std::abort();
    return 0;
  }
  const Bytes written = runtime::encode(*binary, origin);
  Result<runtime::ProgramBinary> again = runtime::decodeProgramBinary(written, origin);
  if (!again.ok() || runtime::encode(*again, origin) != written)
    std::abort();
  return 0;
}
