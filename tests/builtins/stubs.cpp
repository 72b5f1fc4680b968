// What the library expects from the compiler, for a group of one work-item.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "stubs.h"

namespace quern::builtins {
std::size_t localId = 0;
int barrierCount = 0;
const void* localMemory = nullptr;
const void* privateMemory = nullptr;
} // namespace quern::builtins

using namespace quern::builtins;

namespace {

/// As imprecise as the GPU's instruction may be: off by one unit in the last place, in a direction
/// that depends on the number, and without subnormal numbers.
float imprecise(double exact) {
  const auto nearest = static_cast<float>(exact);
  if (!(std::abs(nearest) >= std::numeric_limits<float>::min()))
    return std::isnan(nearest) ? nearest : std::copysign(0.0f, nearest);
  // Powers of two are exact.
  if (std::isinf(nearest) || (std::bit_cast<std::uint32_t>(nearest) & 0x7fffff) == 0)
    return nearest;
  return std::nextafter(nearest, std::bit_cast<std::uint32_t>(nearest) % 3 == 0 ? HUGE_VALF : 0);
}

} // namespace

extern "C" {
std::size_t _Z12get_local_idj(unsigned dimension) {
  return dimension == 0 ? localId : 0;
}
void _Z7barrierj(unsigned) {
  ++barrierCount;
}
int __quern_address_space_of(const void* p) {
  return p == localMemory ? 3 : p == privateMemory ? 0 : 1;
}
float __quern_nvptx_exp2(float x) {
  return imprecise(std::exp2(static_cast<double>(x)));
}
float __quern_nvptx_reciprocal(float x) {
  return imprecise(1 / static_cast<double>(x));
}
double __quern_nvptx_wide_reciprocal(double x) {
  return 1 / x * (std::bit_cast<std::uint64_t>(x) % 3 == 0 ? 1 - 0x1p-20 : 1 + 0x1p-20);
}
float __quern_nvptx_saturate(float x) {
  return x > 0 ? std::fmin(x, 1.0f) : 0;
}
}
