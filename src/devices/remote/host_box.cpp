#include "devices/remote/host_box.h"

#include <cstring>

namespace quern::remote {

namespace {

template <typename Function> void forEachRow(const HostBox& box, Function function) {
  for (uint64_t slice = 0; slice < box.region[2]; ++slice)
    for (uint64_t row = 0; row < box.region[1]; ++row)
      function(box.first + slice * box.slicePitch + row * box.rowPitch, row, slice);
}

} // namespace

HostBox packedBox(std::byte* first, const std::array<uint64_t, 3>& region) {
  return {first, region[0], region[0] * region[1], region};
}

void copyBox(const HostBox& source, const HostBox& destination) {
  forEachRow(destination, [&](std::byte* to, uint64_t row, uint64_t slice) {
    std::memmove(to, source.first + slice * source.slicePitch + row * source.rowPitch,
                 source.region[0]);
  });
}

void fillBox(const HostBox& destination, std::span<const std::byte> pattern) {
  forEachRow(destination, [&](std::byte* to, uint64_t, uint64_t) {
    for (uint64_t i = 0; i < destination.region[0]; ++i)
      to[i] = pattern[i % pattern.size()];
  });
}

} // namespace quern::remote
