// quern_convert and quern_transpose, against loops on the host.
#include "kernels/built_in/fixture.h"

#include <algorithm>

namespace quern::tests {
namespace {

struct Shape {
  size_t rows, columns;
  size_t inRow, inColumn, outRow, outColumn; ///< strides
};

constexpr Shape shapes[] = {
    {0, 5, 5, 1, 5, 1},         {5, 0, 1, 1, 1, 1},         {1, 1, 1, 1, 1, 1},
    {1, 100003, 1, 1, 1, 1},    {100003, 1, 1, 1, 1, 1},    {37, 53, 53, 1, 53, 1},
    {37, 53, 60, 1, 55, 1},     {37, 53, 53, 1, 1, 37},     {130, 70, 75, 1, 1, 133},
    {64, 64, 64, 1, 1, 64},     {37, 53, 1, 40, 53, 1},     {37, 53, 1, 40, 1, 41},
    {20, 30, 61, 2, 91, 3},     {300, 200, 203, 1, 2, 601}, {3, 20000, 20001, 1, 1, 3},
    {20000, 3, 3, 1, 1, 20000}, {129, 257, 1, 129, 257, 1}};

/// As docs/built_in_kernels.md says: to the nearest, ties to even; to integers towards zero, to the
/// nearest of the type, and 0 for NaN.
template <typename To, typename From> To converted(From from) {
  if constexpr (isFloating<To>)
    return static_cast<To>(from);
  else {
    const double x = static_cast<double>(from);
    if (x != x)
      return 0;
    const double low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    return static_cast<To>(std::clamp(std::trunc(x), low, high));
  }
}

template <typename T> std::vector<T> numbersToConvert(size_t count) {
  std::vector<T> numbers = anyNumbers<T>(count, 4);
  if constexpr (isFloating<T>) {
    const double special[] = {NAN, INFINITY, -INFINITY, -0.0, 255.5, 256,
                              -1,  -0.5,     3e9,       -3e9, 1e-7};
    for (size_t i = 0; i < count; i += 5)
      numbers[i] = T(special[i / 5 % std::size(special)]);
  }
  return numbers;
}

template <typename T> bool isSame(T a, T b) {
  return a == b || (a != a && b != b);
}

size_t elementsOf(size_t rows, size_t columns, size_t row, size_t column) {
  return rows && columns ? (rows - 1) * row + (columns - 1) * column + 1 : 0;
}

template <typename From, typename To> void testConversion() {
  const std::string name = std::string("quern_convert_") + suffix<From> + "_to_" + suffix<To>;
  for (const Shape& s : shapes) {
    SCOPED_TRACE(std::to_string(s.rows) + " x " + std::to_string(s.columns) + ", strides " +
                 std::to_string(s.inRow) + " " + std::to_string(s.inColumn) + " " +
                 std::to_string(s.outRow) + " " + std::to_string(s.outColumn));
    constexpr size_t inOffset = 2, outOffset = 3;
    const std::vector<From> in =
        numbersToConvert<From>(inOffset + elementsOf(s.rows, s.columns, s.inRow, s.inColumn) + 1);
    const size_t outElements = outOffset + elementsOf(s.rows, s.columns, s.outRow, s.outColumn) + 2;
    const std::vector<To> untouched(outElements, To(9));
    std::vector<To> expected = untouched;
    for (size_t y = 0; y < s.rows; ++y)
      for (size_t x = 0; x < s.columns; ++x)
        expected[outOffset + y * s.outRow + x * s.outColumn] =
            converted<To>(in[inOffset + y * s.inRow + x * s.inColumn]);
    const Buffer<From> input(in);
    const Buffer<To> output(untouched);
    const Scratch scratch(65536);
    forEachForm(
        name,
        [&](Kernel& kernel) {
          kernel.setAll(cl_ulong{s.rows}, cl_ulong{s.columns}, input, cl_ulong{inOffset},
                        cl_ulong{s.inRow}, cl_ulong{s.inColumn}, output, cl_ulong{outOffset},
                        cl_ulong{s.outRow}, cl_ulong{s.outColumn}, scratch.memory);
        },
        [&] {
          const std::vector<To> result = output.read();
          for (size_t i = 0; i < outElements; ++i)
            ASSERT_TRUE(isSame(expected[i], result[i]))
                << i << ": " << double(expected[i]) << " " << double(result[i]);
        });
  }
}

template <typename From> class BuiltInConversion : public testing::Test {
protected:
  void SetUp() override { QUERN_NEEDS("cl_khr_fp16", "cl_khr_fp64"); }
};
using ConvertedTypes = testing::Types<cl_uchar, cl_int, Half, cl_float, cl_double>;
TYPED_TEST_SUITE(BuiltInConversion, ConvertedTypes);

TYPED_TEST(BuiltInConversion, convertsToEveryOtherType) {
  const auto test = []<typename To>(To) {
    if constexpr (!std::is_same_v<To, TypeParam>)
      testConversion<TypeParam, To>();
  };
  test(cl_uchar());
  test(cl_int());
  test(Half());
  test(cl_float());
  test(cl_double());
}

template <typename T> class BuiltInTransposition : public testing::Test {};
using Widths = testing::Types<cl_uchar, cl_ushort, cl_uint, cl_ulong>;
TYPED_TEST_SUITE(BuiltInTransposition, Widths);

TYPED_TEST(BuiltInTransposition, exchangesRowsAndColumns) {
  using T = TypeParam;
  const std::string name = "quern_transpose_b" + std::to_string(8 * sizeof(T));
  for (const auto [rows, columns] : {std::pair<size_t, size_t>{0, 3},
                                     {1, 1},
                                     {1, 300},
                                     {300, 1},
                                     {7, 5},
                                     {64, 64},
                                     {129, 257},
                                     {515, 33}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    const size_t inRow = columns + 3, outRow = rows + 1;
    const std::vector<T> in = anyNumbers<T>(1 + rows * inRow, 8);
    std::vector<T> expected(2 + columns * outRow, T(9));
    const Buffer<T> input(in), output(expected);
    for (size_t y = 0; y < rows; ++y)
      for (size_t x = 0; x < columns; ++x)
        expected[2 + x * outRow + y] = in[1 + y * inRow + x];
    const Scratch scratch(65536);
    forEachForm(
        name,
        [&](Kernel& kernel) {
          kernel.setAll(cl_ulong{rows}, cl_ulong{columns}, input, cl_ulong{1}, cl_ulong{inRow},
                        output, cl_ulong{2}, cl_ulong{outRow}, scratch.memory);
        },
        [&] { EXPECT_EQ(expected, output.read()); });
  }
}

} // namespace
} // namespace quern::tests
