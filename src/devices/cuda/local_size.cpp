#include "devices/cuda/local_size.h"

#include <algorithm>

namespace quern::cuda {

namespace {

/// Enough to fill a multiprocessor with several work-groups, so that one can start while another
/// ends.
constexpr uint64_t wantedItems = 256;
/// Of a work-group in the third dimension.
constexpr uint64_t maxDepth = 64;

/// The largest divisor of `size` up to `limit` that is a multiple of `multiple`; 0 when there is
/// none.
uint64_t largestDivisor(uint64_t size, uint64_t limit, uint64_t multiple) {
  for (uint64_t divisor = std::min(limit, size) / multiple * multiple; divisor > 0;
       divisor -= multiple)
    if (size % divisor == 0)
      return divisor;
  return 0;
}

bool fits(const device::NdRange& range, const std::array<uint64_t, 3>& hint, uint64_t maxItems) {
  if (hint[0] == 0 || hint[2] > maxDepth)
    return false;
  uint64_t items = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (hint[i] == 0 || hint[i] > maxItems || range.global[i] % hint[i] != 0)
      return false;
    items *= hint[i];
  }
  return items <= maxItems;
}

} // namespace

std::array<uint64_t, 3> chooseLocalSize(const device::NdRange& range,
                                        const std::array<uint64_t, 3>& hint, uint64_t maxItems,
                                        bool mayBeNonUniform) {
  if (fits(range, hint, maxItems))
    return hint;
  const uint64_t target = std::min(wantedItems, maxItems);
  std::array<uint64_t, 3> local = {1, 1, 1};
  local[0] = largestDivisor(range.global[0], target, warpItems);
  if (local[0] == 0)
    local[0] = largestDivisor(range.global[0], target, 1);
  if (local[0] < warpItems && local[0] < range.global[0] && mayBeNonUniform)
    local[0] = range.workDim == 1 ? target : uint64_t{warpItems};
  if (range.workDim == 1 && local[0] < warpItems)
    local[0] = largestDivisor(range.global[0], maxItems, 1);
  uint64_t items = local[0];
  for (size_t i = 1; i < range.workDim; ++i) {
    const uint64_t limit = std::min(target / items, i == 2 ? maxDepth : target);
    if (limit > 1)
      local[i] = largestDivisor(range.global[i], limit, 1);
    items *= local[i];
  }
  return local;
}

} // namespace quern::cuda
