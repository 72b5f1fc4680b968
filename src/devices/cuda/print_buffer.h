#pragma once

#include <memory>
#include <vector>

#include "base/mutex_protected.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// Bytes of records that one launch can print.
inline constexpr uint32_t printCapacity = 1 << 22;

/// The buffers that kernels print into (abi::NvptxPrintBuffer), one for each launch that is under
/// way. Thread-safe. The GPU's context is current in every call.
class PrintBuffers {
public:
  explicit PrintBuffers(const Gpu& gpu) : gpu_(gpu) {}

  /// An empty buffer for a launch that follows on `stream`, or 0 when there is no memory.
  Address take(StreamHandle stream);
  /// Writes what a launch, which has ended, has printed to standard output, and keeps the buffer
  /// for another one.
  void print(Address buffer);

private:
  const Gpu& gpu_;
  MutexProtected<std::vector<Address>> free_;
};

} // namespace quern::cuda
