#pragma once

#include <cstdint>
#include <xmmintrin.h>

namespace quern::cpu {

/// Gives kernels the floating-point environment that OpenCL asks for (round to nearest even,
/// denormals kept, no traps) and the calling thread its own one back, sticky flags included.
class FloatEnvironment {
public:
  FloatEnvironment() : saved_(_mm_getcsr()) {
    if (saved_ != kernelState)
      _mm_setcsr(kernelState);
  }
  ~FloatEnvironment() { _mm_setcsr(saved_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
  /// All exceptions masked, no flag set, round to nearest.
  static constexpr uint32_t kernelState = 0x1f80;
  const uint32_t saved_;
};

} // namespace quern::cpu
