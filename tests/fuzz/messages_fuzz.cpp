// What the driver and the process that compiles for it say to each other: the process may have been
// overwritten by what it compiled.
#include <cstdint>
#include <cstdlib>

#include "compiler/interface/messages.h"

using namespace quern;

/// What is read is written again as it was read.
template <typename Decode> static void check(std::span<const std::byte> bytes, Decode decode) {
  auto message = decode(bytes);
  if (!message.ok()) {
    if (message.status().code() != CL_INVALID_VALUE)
      std::abort();
    return;
  }
  const Bytes written = compiler::encode(*message);
  auto again = decode(written);
  if (!again.ok() || compiler::encode(*again) != written)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check(bytes, compiler::decodeRequest);
  check(bytes, compiler::decodeAnswer);
  return 0;
}
