#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

/// Boxes of rows and slices inside linear memory, for the rect commands.
namespace quern::api {

/// region[0] bytes x region[1] rows x region[2] slices.
using Region = std::array<uint64_t, 3>;

/// Where a box lies in a piece of memory. In bytes; arithmetic saturates, so a box that no memory
/// can hold is out of the bounds of any.
struct Layout {
  uint64_t offset = 0; ///< of the first byte
  uint64_t rowPitch = 0;
  uint64_t slicePitch = 0;
  uint64_t end = 0; ///< offset behind the last byte
};

/// CL_INVALID_VALUE when `region` is NULL or has an element that is zero.
Result<Region> parseRegion(const size_t* region);

/// CL_INVALID_VALUE when `origin` is NULL or a pitch is neither zero nor large enough, or the slice
/// pitch is not a multiple of the row pitch. `name` is the side that errors speak of: "source",
/// "host", ...
Result<Layout> parseLayout(std::string_view name, const Region& region, const size_t* origin,
                           size_t rowPitch, size_t slicePitch);

/// Whether the boxes `a` and `b` of `region` bytes, in the same memory, have a byte in common.
/// Exact where the pitches are the same; otherwise the gaps between rows count as part of the
/// boxes.
bool overlap(const Region& region, const Layout& a, const Layout& b);

} // namespace quern::api
