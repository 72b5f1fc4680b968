#pragma once

#include <cstdint>
#include <xmmintrin.h>

namespace quern::cpu {

/// Gives kernels the floating-point environment that OpenCL asks for (round to nearest even,
/// denormals kept, no traps) and the calling thread its own one back, sticky flags included. A
/// change takes as long as a small kernel, so that a thread makes it once for all that it runs.
class FloatEnvironment {
public:
  FloatEnvironment() : saved_(_mm_getcsr()) { restore(); }
  ~FloatEnvironment() { _mm_setcsr(saved_); }
  /// After code that may have left another one behind.
  static void restore() {
    if ((_mm_getcsr() & ~stickyFlags) != kernelState)
      _mm_setcsr(kernelState);
  }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
  /// All exceptions masked, round to nearest.
  static constexpr uint32_t kernelState = 0x1f80;
  static constexpr uint32_t stickyFlags = 0x3f;
  const uint32_t saved_;
};

} // namespace quern::cpu
