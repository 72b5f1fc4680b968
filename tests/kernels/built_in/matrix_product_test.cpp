// quern_matrix_product, against three loops on the host.
#include "kernels/built_in/fixture.h"

namespace quern::tests {
namespace {

struct Size {
  size_t m, n, k;
};
constexpr Size productSizes[] = {{0, 5, 5},      {5, 0, 5},      {3, 4, 0},      {1, 1, 1},
                                 {1, 300, 7},    {300, 1, 129},  {5, 7, 3},      {16, 16, 16},
                                 {113, 257, 65}, {130, 33, 200}, {128, 256, 64}, {200, 300, 17}};

/// A matrix by rows, by columns, or with gaps in both directions.
enum class Layout { Rows, Columns, Gaps };

struct Strides {
  size_t row, column;
};
Strides stridesOf(Layout layout, size_t rows, size_t columns) {
  switch (layout) {
  case Layout::Rows:
    return {columns + 3, 1};
  case Layout::Columns:
    return {1, rows + 5};
  case Layout::Gaps:
    break;
  }
  return {2 * columns + 1, 2};
}

template <typename T> struct Matrix {
  Matrix(Layout layout, size_t rows, size_t columns, uint32_t seed)
      : strides(stridesOf(layout, rows, columns)),
        contents(smallNumbers<T>(offset + (rows + 1) * strides.row + (columns + 1) * strides.column,
                                 seed)) {}
  size_t place(size_t row, size_t column) const {
    return offset + row * strides.row + column * strides.column;
  }
  static constexpr size_t offset = 3;
  Strides strides;
  std::vector<T> contents;
};

template <typename T> class BuiltInMatrixProduct : public testing::Test {
protected:
  /// In which alpha and beta are given.
  using Value = std::conditional_t<std::is_same_v<T, Half>, cl_float, T>;

  void SetUp() override {
    if (std::is_same_v<T, Half>)
      QUERN_NEEDS("cl_khr_fp16");
    if (std::is_same_v<T, cl_double>)
      QUERN_NEEDS("cl_khr_fp64");
  }

  /// Numbers are small integers, so that floating-point results are exact, too.
  void test(const Size& s, Layout a, Layout b, Layout c, int alpha, int beta) {
    SCOPED_TRACE(std::to_string(s.m) + " x " + std::to_string(s.n) + " x " + std::to_string(s.k) +
                 ", layouts " + std::to_string(int(a)) + std::to_string(int(b)) +
                 std::to_string(int(c)));
    const Matrix<T> left(a, s.m, s.k, 1), right(b, s.k, s.n, 2);
    Matrix<T> start(c, s.m, s.n, 3);
    if (isFloating<T> && beta == 0)
      for (T& x : start.contents)
        x = T(NAN); // is not read
    std::vector<T> expected = start.contents;
    for (size_t i = 0; i < s.m; ++i)
      for (size_t j = 0; j < s.n; ++j) {
        double sum = 0;
        for (size_t k = 0; k < s.k; ++k)
          sum +=
              double(left.contents[left.place(i, k)]) * double(right.contents[right.place(k, j)]);
        T& to = expected[start.place(i, j)];
        to = static_cast<T>(alpha * sum + (beta ? beta * double(to) : 0));
      }
    const Buffer<T> leftBuffer(left.contents), rightBuffer(right.contents);
    const Scratch scratch(65536);
    const std::string name = std::string("quern_matrix_product_") + suffix<T>;
    for (const Form form : {Form::OfDevice, Form::OfGpus}) {
      SCOPED_TRACE(form == Form::OfDevice ? "the device's own" : "as for GPUs");
      const Buffer<T> result(start.contents);
      Kernel kernel(builtInProgram(name, form), name.c_str());
      kernel.setAll(cl_ulong{s.m}, cl_ulong{s.n}, cl_ulong{s.k}, Value(alpha), leftBuffer,
                    cl_ulong{left.offset}, cl_ulong{left.strides.row},
                    cl_ulong{left.strides.column}, rightBuffer, cl_ulong{right.offset},
                    cl_ulong{right.strides.row}, cl_ulong{right.strides.column}, Value(beta),
                    result, cl_ulong{start.offset}, cl_ulong{start.strides.row},
                    cl_ulong{start.strides.column}, scratch.memory);
      kernel.enqueue(rangeFor(kernel));
      const std::vector<T> actual = result.read();
      for (size_t i = 0; i < actual.size(); ++i)
        ASSERT_TRUE(actual[i] == expected[i] ||
                    (actual[i] != actual[i] && expected[i] != expected[i]))
            << i << ": " << double(actual[i]) << " instead of " << double(expected[i]);
    }
  }
};
using ProductTypes = testing::Types<cl_int, Half, cl_float, cl_double>;
TYPED_TEST_SUITE(BuiltInMatrixProduct, ProductTypes);

TYPED_TEST(BuiltInMatrixProduct, hasAnySize) {
  for (const Size& size : productSizes)
    this->test(size, Layout::Rows, Layout::Rows, Layout::Rows, 1, 0);
}

TYPED_TEST(BuiltInMatrixProduct, takesAnyStrides) {
  for (const Layout a : {Layout::Rows, Layout::Columns, Layout::Gaps})
    for (const Layout b : {Layout::Rows, Layout::Columns, Layout::Gaps})
      for (const Layout c : {Layout::Rows, Layout::Columns, Layout::Gaps})
        this->test({67, 45, 38}, a, b, c, 1, 0);
}

TYPED_TEST(BuiltInMatrixProduct, scalesAndAdds) {
  for (const auto [alpha, beta] : {std::pair{1, 1}, {2, 0}, {-1, 3}, {0, 2}})
    this->test({33, 70, 9}, Layout::Rows, Layout::Columns, Layout::Rows, alpha, beta);
}

} // namespace
} // namespace quern::tests
