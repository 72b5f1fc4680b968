// quern_reduce_sum, _min and _max, against loops on the host.
#include "kernels/built_in/fixture.h"

#include <algorithm>

namespace quern::tests {
namespace {

constexpr size_t scratchBytes = 65536;
constexpr size_t reducedSizes[] = {0, 1, 2, 3, 15, 17, 255, 256, 1000, 8191, 8193, 100003, 1 << 20};

template <typename T> class BuiltInReduction : public testing::Test {
protected:
  void SetUp() override {
    if constexpr (isFloating<T>) {
      if (sizeof(T) == 2)
        QUERN_NEEDS("cl_khr_fp16");
      if (sizeof(T) == 8)
        QUERN_NEEDS("cl_khr_fp64");
    }
  }

  std::string kernel(const char* which) const {
    return std::string("quern_reduce_") + which + "_" + suffix<T>;
  }

  /// Reduces all elements with the stride, of which the first is at `offset`; `isRight` judges.
  template <typename IsRight>
  void expect(const char* which, const std::vector<T>& in, size_t offset, size_t stride,
              const IsRight& isRight) {
    const cl_ulong count = in.size() <= offset ? 0 : (in.size() - offset - 1) / stride + 1;
    std::vector<T> contents = in;
    contents.resize(std::max<size_t>(in.size(), 1));
    const Buffer<T> input(contents);
    const Buffer<T> output(std::vector<T>(3, T(77)));
    const Scratch scratch(scratchBytes);
    forEachForm(
        kernel(which),
        [&](Kernel& kernel) {
          kernel.setAll(count, input, cl_ulong{offset}, cl_ulong{stride}, output, cl_ulong{1},
                        scratch.memory);
        },
        [&] {
          const std::vector<T> result = output.read();
          EXPECT_TRUE(isRight(result[1]))
              << static_cast<double>(result[1]) << " of " << count << " elements";
          EXPECT_EQ(T(77), result[0]);
          EXPECT_EQ(T(77), result[2]);
        });
  }
  template <typename Combine>
  static T hostResult(const std::vector<T>& in, size_t offset, size_t stride, T start,
                      const Combine& combine) {
    T result = start;
    for (size_t i = offset; i < in.size(); i += stride)
      result = combine(result, in[i]);
    return result;
  }
};
using ReducedTypes = testing::Types<cl_int, cl_uint, cl_long, cl_ulong, Half, cl_float, cl_double>;
TYPED_TEST_SUITE(BuiltInReduction, ReducedTypes);

TYPED_TEST(BuiltInReduction, findsLeastAndGreatest) {
  using T = TypeParam;
  const auto least = [](T a, T b) { return b < a || a != a ? b : a; };
  const auto greatest = [](T a, T b) { return b > a || a != a ? b : a; };
  for (const auto [offset, stride] : {std::pair<size_t, size_t>{0, 1}, {1, 1}, {2, 3}})
    for (const size_t count : reducedSizes) {
      const std::vector<T> in = anyNumbers<T>(count, static_cast<uint32_t>(count) + 1);
      const T none = isFloating<T> ? T(NAN) : T(0);
      const bool isEmpty = count <= offset;
      const T low = this->hostResult(in, offset, stride, isEmpty ? none : in[offset], least);
      const T high = this->hostResult(in, offset, stride, isEmpty ? none : in[offset], greatest);
      const auto isRight = [&](T expected, T ofNothing) {
        return [=](T x) {
          if constexpr (isFloating<T>)
            return isEmpty ? x != x : x == expected;
          else
            return x == (isEmpty ? ofNothing : expected);
        };
      };
      this->expect("min", in, offset, stride, isRight(low, std::numeric_limits<T>::max()));
      this->expect("max", in, offset, stride, isRight(high, std::numeric_limits<T>::lowest()));
    }
}

TYPED_TEST(BuiltInReduction, sumsUp) {
  using T = TypeParam;
  if constexpr (std::is_unsigned_v<T>)
    return; // the sums of signed integers are the same
  else
    for (const auto [offset, stride] : {std::pair<size_t, size_t>{0, 1}, {3, 1}, {0, 5}})
      for (const size_t count : reducedSizes) {
        // Of halves few enough for the sum to be one.
        const std::vector<T> in =
            sizeof(T) == 2  ? tabulate<T>(count, [&](size_t i) { return i % 1000 == 3 ? 2 : 0; })
            : isFloating<T> ? smallNumbers<T>(count, 5)
                            : anyNumbers<T>(count, 7); // integers wrap around
        double exact = 0;
        uint64_t wrapped = 0;
        for (size_t i = offset; i < count; i += stride) {
          exact += static_cast<double>(in[i]);
          wrapped += static_cast<uint64_t>(in[i]);
        }
        this->expect("sum", in, offset, stride, [&](T x) {
          if constexpr (isFloating<T>)
            return static_cast<double>(x) == exact;
          else
            return x == static_cast<T>(wrapped);
        });
      }
}

TYPED_TEST(BuiltInReduction, passesOverNaN) {
  using T = TypeParam;
  if constexpr (isFloating<T>) {
    const T nan = T(NAN), infinity = T(INFINITY);
    std::vector<T> in(20000, nan);
    this->expect("min", in, 0, 1, [](T x) { return x != x; });
    this->expect("max", in, 0, 1, [](T x) { return x != x; });
    in[12345] = T(-3);
    this->expect("min", in, 0, 1, [](T x) { return x == T(-3); });
    this->expect("max", in, 0, 1, [](T x) { return x == T(-3); });
    in[17] = infinity;
    this->expect("min", in, 0, 1, [](T x) { return x == T(-3); });
    this->expect("max", in, 0, 1, [&](T x) { return x == infinity; });
    this->expect("sum", in, 0, 1, [](T x) { return x != x; });
  }
}

} // namespace
} // namespace quern::tests
