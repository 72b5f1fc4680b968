#pragma once

#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/kernel_fixture.h"

namespace quern::tests {

inline constexpr size_t packetItems = 203; ///< no multiple of any packet

/// Numbers below `limit` that look random.
inline std::vector<cl_int> noise(size_t count, cl_uint limit) {
  return tabulate<cl_int>(
      count, [&](size_t i) { return cl_int((cl_uint(i) * 2654435761u >> 7) % limit); });
}

/// Whether kernels get other code for what their launches have in common.
inline bool specialises() {
  const char* variants = std::getenv("QUERN_VARIANTS");
  return !variants || std::string_view(variants) != "off";
}

/// Runs kernel `k(in, out, n)` for each of `numbers` with groups of several sizes. `expected` gets
/// the input, the work-item and n, and tells what the work-item writes to its element of `out`.
template <typename Function>
void expectItems(const std::string& source, std::initializer_list<cl_int> numbers,
                 Function&& expected) {
  const std::vector<cl_int> input = noise(4096, 1 << 20);
  // For groups that do not divide the items.
  const auto make = [&] { return build(source, openClC3); };
  std::optional<Program> program;
  for (const cl_int n : numbers) {
    // Specialisations are few: those for one number are to leave some for the next.
    if (!program || specialises())
      program = make();
    SCOPED_TRACE("n = " + std::to_string(n));
    const std::vector<cl_int> wanted =
        tabulate<cl_int>(packetItems, [&](size_t item) { return expected(input, int(item), n); });
    Buffer<cl_int> in(input);
    for (size_t local : {1, 4, 7, 16, 29, 64, 203}) {
      SCOPED_TRACE(local);
      Buffer<cl_int> out(packetItems, -1);
      run(*program, "k", {{packetItems}, {local}}, in, out, n);
      EXPECT_EQ(out.read(), wanted);
    }
  }
}

template <typename Function>
void expectItems(const std::string& source, cl_int n, Function&& expected) {
  expectItems(source, {n}, std::forward<Function>(expected));
}

} // namespace quern::tests
