#include "devices/cpu/local_size.h"

#include <algorithm>

namespace quern::cpu {

namespace {

/// Beyond this many work-items the cost of starting a work-group is spread thin enough.
constexpr uint64_t enoughItems = 256;
/// Work-groups for each compute unit, so that uneven ones balance.
constexpr uint64_t groupsForEachUnit = 8;

uint64_t saturatingProduct(const std::array<uint64_t, 3>& sizes) {
  uint64_t product = 1;
  for (uint64_t size : sizes)
    if (__builtin_mul_overflow(product, size, &product))
      return UINT64_MAX;
  return product;
}

/// The largest divisor of `size` that is at most `limit` and a multiple of `multiple`; 0 when there
/// is none.
uint64_t largestDivisor(uint64_t size, uint64_t limit, uint64_t multiple) {
  if (size % multiple != 0)
    return 0;
  for (uint64_t divisor = std::min(limit, size) / multiple * multiple; divisor > 0;
       divisor -= multiple)
    if (size % divisor == 0)
      return divisor;
  return 0;
}

/// The smallest divisor of `size` from `low` to `high`; 0 when there is none.
uint64_t smallestDivisor(uint64_t size, uint64_t low, uint64_t high) {
  for (uint64_t divisor = low; divisor <= std::min(high, size); ++divisor)
    if (size % divisor == 0)
      return divisor;
  return 0;
}

/// Size of the first dimension, `target` work-items at best.
uint64_t chooseFirst(const LocalSizeRequest& request, uint64_t target) {
  const uint64_t size = request.range.global[0];
  const uint64_t width = request.packetWidth;
  if (const uint64_t divisor = largestDivisor(size, target, width); divisor > 0)
    return divisor;
  const uint64_t divisor = largestDivisor(size, target, 1);
  const uint64_t tooSmall = std::min({std::max<uint64_t>(width, 8), size, target});
  if (divisor >= tooSmall)
    return divisor;
  if (request.mayBeNonUniform)
    return std::min(size, std::max(target / width * width, width));
  const uint64_t larger = smallestDivisor(size, target, request.maxItems);
  return larger > 0 ? larger : divisor;
}

bool isUsableHint(const LocalSizeRequest& request) {
  if (request.hint[0] == 0 || saturatingProduct(request.hint) > request.maxItems)
    return false;
  for (size_t i = 0; i < 3; ++i)
    if (request.hint[i] == 0 || request.range.global[i] % request.hint[i] != 0)
      return false;
  return true;
}

} // namespace

std::array<uint64_t, 3> chooseLocalSize(const LocalSizeRequest& request) {
  if (isUsableHint(request))
    return request.hint;
  const uint64_t share =
      saturatingProduct(request.range.global) / (request.computeUnits * groupsForEachUnit);
  const uint64_t atLeast = std::max<uint64_t>(request.packetWidth, 1);
  const uint64_t target =
      std::min(std::clamp(share, atLeast, std::max(enoughItems, atLeast)), request.maxItems);

  std::array<uint64_t, 3> local = {1, 1, 1};
  local[0] = chooseFirst(request, std::max<uint64_t>(target, 1));
  uint64_t items = local[0];
  for (size_t i = 1; i < request.range.workDim; ++i) {
    if (items >= target)
      break;
    local[i] = largestDivisor(request.range.global[i], target / items, 1);
    items *= local[i];
  }
  return local;
}

} // namespace quern::cpu
