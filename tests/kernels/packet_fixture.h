#pragma once

#include <string>
#include <vector>

#include "kernels/kernel_fixture.h"

namespace quern::tests {

inline constexpr size_t packetItems = 203; ///< no multiple of any packet

/// Numbers below `limit` that look random.
inline std::vector<cl_int> noise(size_t count, cl_uint limit) {
  return tabulate<cl_int>(
      count, [&](size_t i) { return cl_int((cl_uint(i) * 2654435761u >> 7) % limit); });
}

/// Runs kernel `k(in, out, n)` with groups of several sizes. `expected` gets the input, the
/// work-item and n, and tells what the work-item writes to its element of `out`.
template <typename Function>
void expectItems(const std::string& source, cl_int n, Function&& expected) {
  const std::vector<cl_int> input = noise(4096, 1 << 20);
  const std::vector<cl_int> wanted =
      tabulate<cl_int>(packetItems, [&](size_t item) { return expected(input, int(item), n); });
  Program program = build(source, "-cl-std=CL3.0"); // for groups that do not divide the items
  Buffer<cl_int> in(input);
  for (size_t local : {1, 4, 7, 16, 29, 64, 203}) {
    SCOPED_TRACE(local);
    Buffer<cl_int> out(packetItems, -1);
    run(program, "k", {{packetItems}, {local}}, in, out, n);
    EXPECT_EQ(out.read(), wanted);
  }
}

} // namespace quern::tests
