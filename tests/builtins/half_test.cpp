// vload_half and vstore_half in all forms: every half is loaded; stores are compared with a search
// among all halves.
#include "half_numbers.h"

#include <cstring>

namespace quern::builtins {
namespace {

// How far apart the vectors of a form lie, in elements.
int strideOf(const Builtin& builtin, int width) {
  return builtin.name.find("a_half") != std::string_view::npos && width == 3 ? 4 : width;
}

TEST(Half, Loads) {
  constexpr int halves = 65536;
  alignas(128) static std::uint16_t memory[halves + 64];
  for (int i = 0; i < halves + 64; ++i)
    memory[i] = static_cast<std::uint16_t>(i);
  int count = 0;
  for (std::size_t i = 0; i < tableSize; ++i) {
    const Builtin& builtin = table[i];
    if (!builtin.name.starts_with("vload_half") && !builtin.name.starts_with("vloada_half"))
      continue;
    ++count;
    const int width = builtin.result.width, stride = strideOf(builtin, width);
    for (std::uint64_t offset = 0; offset < static_cast<std::uint64_t>(halves / stride); ++offset) {
      Slot result;
      void* arguments[] = {&offset, memory};
      builtin.call(&result, arguments);
      for (int lane = 0; lane < width; ++lane) {
        auto bits = static_cast<std::uint16_t>(offset * stride + lane);
        ASSERT_TRUE(same(result.as<float>()[lane], static_cast<float>(valueOfHalf(bits))))
            << describe(builtin) << ", half " << bits;
      }
    }
  }
  // Six widths, unaligned and aligned; constant, global, local, private, generic.
  EXPECT_EQ(count, 6 * 2 * 5);
}

template <typename T> void checkStores() {
  int count = 0;
  std::vector<T> values = edges<T>();
  for (int bits = 0; bits < 0x7c00; bits += 3) {
    T half = static_cast<T>(valueOfHalf(static_cast<std::uint16_t>(bits)));
    T next = static_cast<T>(valueOfHalf(static_cast<std::uint16_t>(bits + 1)));
    T middle = bits + 1 == 0x7c00 ? T{65520} : (half + next) / 2;
    for (T value : {half, middle, std::nextafter(middle, T{0}), std::nextafter(middle, T{1e9}),
                    std::nextafter(half, T{0})})
      values.insert(values.end(), {value, -value});
  }
  while (values.size() % 48)
    values.push_back(T{1});
  for (std::size_t i = 0; i < tableSize; ++i) {
    const Builtin& builtin = table[i];
    bool stores =
        builtin.name.starts_with("vstore_half") || builtin.name.starts_with("vstorea_half");
    if (!stores || builtin.parameters[0].base != baseOf<T>())
      continue;
    ++count;
    Rounding mode = roundingOf(builtin.name, Rounding::NearestEven);
    const int width = builtin.parameters[0].width, stride = strideOf(builtin, width);
    for (std::size_t first = 0; first < values.size(); first += width) {
      Slot data, target;
      constexpr std::uint16_t untouched = 0x1234;
      std::fill_n(target.as<std::uint16_t>().data(), 64, untouched);
      std::copy_n(&values[first], width, data.as<T>().data());
      std::uint64_t offset = 1;
      void* arguments[] = {&data, &offset, &target};
      builtin.call(nullptr, arguments);
      auto stored = target.as<std::uint16_t>();
      for (int at = 0; at < 64; ++at) {
        int lane = at - stride;
        if (lane < 0 || lane >= width) {
          ASSERT_EQ(stored[at], untouched) << describe(builtin) << " wrote element " << at;
        } else if (T value = values[first + lane]; std::isnan(value)) {
          ASSERT_GT(stored[at] & 0x7fff, 0x7c00) << describe(builtin);
        } else {
          ASSERT_EQ(stored[at], toHalf(value, mode))
              << describe(builtin) << ", value " << ::testing::PrintToString(value);
        }
      }
    }
  }
  EXPECT_EQ(count, 6 * 2 * 5 * 4);
}

TEST(Half, StoresOfFloat) {
  checkStores<float>();
}

TEST(Half, StoresOfDouble) {
  checkStores<double>();
}

} // namespace
} // namespace quern::builtins
