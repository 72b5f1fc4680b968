// quern_sort and quern_sort_pairs, against a sort on the host.
#include "kernels/built_in/fixture.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace quern::tests {
namespace {

constexpr size_t sortedSizes[] = {0, 1, 3, 255, 8192, 8193, 16385, 70001};

template <size_t bytes> struct BitsOf;
template <> struct BitsOf<2> {
  using Type = cl_ushort;
};
template <> struct BitsOf<4> {
  using Type = cl_uint;
};
template <> struct BitsOf<8> {
  using Type = cl_ulong;
};

template <typename T> class BuiltInSort : public testing::Test {
protected:
  using Bits = typename BitsOf<sizeof(T)>::Type;

  void SetUp() override {
    if (isFloating<T> && sizeof(T) == 8)
      QUERN_NEEDS("cl_khr_fp64");
  }
  static Bits bits(T key) { return std::bit_cast<Bits>(key); }

  /// Of floating-point numbers the order of their signs, exponents and fractions: -0 before 0, NaN
  /// at the ends.
  static bool isBefore(T a, T b) {
    if constexpr (!isFloating<T>)
      return a < b;
    else {
      const Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1));
      const auto magnitude = [=](Bits x) { return static_cast<Bits>(x & ~sign); };
      const Bits x = bits(a), y = bits(b);
      if ((x & sign) != (y & sign))
        return (x & sign) != 0;
      return x & sign ? magnitude(x) > magnitude(y) : magnitude(x) < magnitude(y);
    }
  }
  static std::vector<T> specials() {
    if constexpr (isFloating<T>)
      return {T(NAN),  T(-INFINITY), T(0.0),  T(-0.0), T(INFINITY),
              T(-1.0), T(1e-7),      T(-NAN), T(0.0)};
    else
      return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0), T(-1), T(0)};
  }
  static std::vector<std::vector<T>> inputs(size_t count) {
    std::vector<T> random = anyNumbers<T>(count, static_cast<uint32_t>(count));
    const std::vector<T> special = specials();
    for (size_t i = 0; i < count; i += 7)
      random[i] = special[i / 7 % special.size()];
    std::vector<T> sorted = random;
    std::ranges::sort(sorted, isBefore);
    std::vector<T> reversed(sorted.rbegin(), sorted.rend());
    return {random, sorted, reversed, std::vector<T>(count, T(42)), smallNumbers<T>(count, 9)};
  }
  /// Indices in the order of their keys.
  static std::vector<cl_uint> order(const std::vector<T>& keys, bool descending) {
    std::vector<cl_uint> indices(keys.size());
    std::iota(indices.begin(), indices.end(), 0u);
    std::ranges::sort(indices, [&](cl_uint a, cl_uint b) {
      const T x = keys[descending ? b : a], y = keys[descending ? a : b];
      return isBefore(x, y) || (!isBefore(y, x) && a < b);
    });
    return indices;
  }
  static size_t scratchBytes(size_t count, bool pairs) {
    return 65536 + count * (sizeof(T) + (pairs ? 4 : 0) + 1);
  }
  void expectSorted(const std::vector<T>& result, size_t offset, const std::vector<T>& keys,
                    const std::vector<cl_uint>& indices) const {
    for (size_t i = 0; i < keys.size(); ++i)
      ASSERT_EQ(bits(keys[indices[i]]), bits(result[offset + i])) << i;
  }
};
using SortedTypes = testing::Types<cl_int, cl_uint, cl_long, cl_ulong, Half, cl_float, cl_double>;
TYPED_TEST_SUITE(BuiltInSort, SortedTypes);

TYPED_TEST(BuiltInSort, sortsKeysAndPairs) {
  using T = TypeParam;
  constexpr size_t offset = 5;
  for (const size_t count : sortedSizes)
    for (const std::vector<T>& keys : this->inputs(count)) {
      const bool descending = (count + keys.size()) % 3 == 1;
      const std::vector<cl_uint> indices = this->order(keys, descending);
      std::vector<T> contents(offset, T(11));
      contents.insert(contents.end(), keys.begin(), keys.end());
      std::vector<cl_uint> numbers(count + 2);
      std::iota(numbers.begin(), numbers.end(), 0u);
      for (const bool pairs : {false, true}) {
        const std::string name = std::string("quern_sort_") + (pairs ? "pairs_" : "") + suffix<T>;
        for (const Form form : {Form::OfDevice, Form::OfGpus}) {
          SCOPED_TRACE(name + " of " + std::to_string(count) +
                       (form == Form::OfGpus ? ", as for GPUs" : ""));
          const Buffer<T> buffer(contents);
          const Buffer<cl_uint> values(numbers);
          const Scratch scratch(this->scratchBytes(count, pairs));
          Kernel kernel(builtInProgram(name, form), name.c_str());
          if (pairs)
            kernel.setAll(cl_ulong{count}, buffer, cl_ulong{offset}, values, cl_ulong{0},
                          cl_uint{descending}, scratch.memory);
          else
            kernel.setAll(cl_ulong{count}, buffer, cl_ulong{offset}, cl_uint{descending},
                          scratch.memory);
          kernel.enqueue(rangeFor(kernel));
          this->expectSorted(buffer.read(), offset, keys, indices);
          if (pairs) {
            std::vector<cl_uint> moved = values.read();
            EXPECT_EQ(count, moved[count]);
            moved.resize(count);
            EXPECT_EQ(indices, moved);
          }
        }
      }
    }
}

TYPED_TEST(BuiltInSort, sortsInBothOrdersWithOneScratch) {
  using T = TypeParam;
  const std::string name = std::string("quern_sort_") + suffix<T>;
  const std::vector<T> keys = this->inputs(70001)[0];
  const Buffer<T> buffer(keys);
  const Scratch scratch(this->scratchBytes(keys.size(), false));
  for (const size_t count : {keys.size(), size_t{30000}, keys.size()})
    for (const cl_uint descending : {1u, 0u}) {
      const std::vector<T> before = buffer.read();
      std::vector<T> part(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(count));
      const std::vector<cl_uint> indices = this->order(part, descending);
      for (const size_t groups : {size_t{0}, size_t{1}, size_t{4}}) {
        Kernel kernel(builtInProgram(name, Form::OfDevice), name.c_str());
        kernel.setAll(cl_ulong{count}, buffer, cl_ulong{0}, descending, scratch.memory);
        kernel.enqueue(rangeFor(kernel, groups));
        this->expectSorted(buffer.read(), 0, part, indices);
      }
    }
}

} // namespace
} // namespace quern::tests
