#include "api/rect.h"

#include <cstdlib>
#include <limits>

#include "api/invalid.h"
#include "base/sentence.h"

namespace quern::api {

namespace {

uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<uint64_t>::max() : product;
}

uint64_t add(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<uint64_t>::max() : sum;
}

} // namespace

Result<Region> parseRegion(const size_t* region) {
  if (!region)
    return invalidValue("region is NULL");
  for (int i = 0; i < 3; ++i)
    if (region[i] == 0)
      return invalidValue(sentence("region[", i, "] is 0"));
  return Region{region[0], region[1], region[2]};
}

Result<Layout> parseLayout(std::string_view name, const Region& region, const size_t* origin,
                           size_t rowPitch, size_t slicePitch) {
  if (!origin)
    return invalidValue(sentence("the ", name, " origin is NULL"));
  if (rowPitch != 0 && rowPitch < region[0])
    return invalidValue(sentence("the ", name, " row pitch ", rowPitch, " is less than a row of ",
                                 region[0], " bytes"));
  Layout layout;
  layout.rowPitch = rowPitch ? rowPitch : region[0];
  const uint64_t slice = multiply(region[1], layout.rowPitch);
  if (slicePitch != 0 && slicePitch < slice)
    return invalidValue(sentence("the ", name, " slice pitch ", slicePitch,
                                 " is less than a slice of ", slice, " bytes"));
  if (slicePitch % layout.rowPitch != 0)
    return invalidValue(sentence("the ", name, " slice pitch ", slicePitch,
                                 " is not a multiple of the row pitch ", layout.rowPitch));
  layout.slicePitch = slicePitch ? slicePitch : slice;
  layout.offset = add(
      add(multiply(origin[2], layout.slicePitch), multiply(origin[1], layout.rowPitch)), origin[0]);
  const uint64_t lastRow =
      add(multiply(region[2] - 1, layout.slicePitch), multiply(region[1] - 1, layout.rowPitch));
  layout.end = add(add(layout.offset, lastRow), region[0]);
  return layout;
}

bool overlap(const Region& region, const Layout& a, const Layout& b) {
  if (a.end <= b.offset || b.end <= a.offset)
    return false;
  if (a.rowPitch != b.rowPitch || a.slicePitch != b.slicePitch)
    return true;
  // A row of one box and a row of the other meet where their distance, a.offset - b.offset plus
  // some number of rows and slices that both boxes span, is less than a row. A slice is at least as
  // long as all its rows and a row pitch as a row, so only the numbers that bring the distance
  // closest to zero, and their neighbours, can do that. All values fit in int64_t: both boxes are
  // inside one piece of memory.
  const auto distance = static_cast<int64_t>(a.offset - b.offset);
  const auto width = static_cast<int64_t>(region[0]);
  const auto rowPitch = static_cast<int64_t>(a.rowPitch);
  const auto slicePitch = static_cast<int64_t>(a.slicePitch);
  const auto rows = static_cast<int64_t>(region[1]) - 1;
  const auto slices = static_cast<int64_t>(region[2]) - 1;
  const int64_t nearestSlice = -distance / slicePitch;
  for (int64_t slice = nearestSlice - 1; slice <= nearestSlice + 1; ++slice) {
    const int64_t rest = distance + slice * slicePitch;
    const int64_t nearestRow = -rest / rowPitch;
    for (int64_t row = nearestRow - 1; row <= nearestRow + 1; ++row)
      if (std::abs(slice) <= slices && std::abs(row) <= rows &&
          std::abs(rest + row * rowPitch) < width)
        return true;
  }
  return false;
}

} // namespace quern::api
