// quern_scan_sum, against loops on the host.
#include "kernels/built_in/fixture.h"

namespace quern::tests {
namespace {

constexpr size_t scannedSizes[] = {0, 1, 2, 15, 17, 1000, 4095, 4096, 4097, 8193, 100003, 1000000};

template <typename T> class BuiltInScan : public testing::Test {
protected:
  void SetUp() override {
    if (isFloating<T> && sizeof(T) == 8)
      QUERN_NEEDS("cl_khr_fp64");
  }
  /// Sums are exact: of small integers, or modulo the type.
  static std::vector<T> numbers(size_t count) {
    return isFloating<T> ? smallNumbers<T>(count, 3) : anyNumbers<T>(count, 3);
  }
  static std::vector<T> sums(const std::vector<T>& in, bool exclusive) {
    std::vector<T> out;
    T sum = 0;
    for (const T x : in) {
      const T before = sum;
      if constexpr (isFloating<T>)
        sum = before + x;
      else
        sum = static_cast<T>(static_cast<uint64_t>(before) + static_cast<uint64_t>(x));
      out.push_back(exclusive ? before : sum);
    }
    return out;
  }
};
using ScannedTypes = testing::Types<cl_int, cl_long, cl_float, cl_double>;
TYPED_TEST_SUITE(BuiltInScan, ScannedTypes);

TYPED_TEST(BuiltInScan, sumsAllUpToEach) {
  using T = TypeParam;
  const std::string name = std::string("quern_scan_sum_") + suffix<T>;
  for (const size_t count : scannedSizes)
    for (const bool exclusive : {false, true}) {
      SCOPED_TRACE(std::to_string(count) + (exclusive ? " exclusive" : " inclusive"));
      const std::vector<T> in = this->numbers(count), expected = this->sums(in, exclusive);
      constexpr size_t inOffset = 3, outOffset = 1, margin = 2;
      std::vector<T> contents(inOffset, T(5));
      contents.insert(contents.end(), in.begin(), in.end());
      const Buffer<T> input(contents);
      const Buffer<T> output(std::vector<T>(outOffset + count + margin, T(77)));
      const Scratch scratch(65536 + count / 64);
      forEachForm(
          name,
          [&](Kernel& kernel) {
            kernel.setAll(cl_ulong{count}, input, cl_ulong{inOffset}, output, cl_ulong{outOffset},
                          cl_uint{exclusive}, scratch.memory);
          },
          [&] {
            const std::vector<T> result = output.read();
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), result.begin() + outOffset));
            EXPECT_EQ(T(77), result[0]);
            EXPECT_EQ(T(77), result[outOffset + count]);
          });
    }
}

TYPED_TEST(BuiltInScan, worksInPlace) {
  using T = TypeParam;
  const std::string name = std::string("quern_scan_sum_") + suffix<T>;
  for (const bool exclusive : {false, true}) {
    const std::vector<T> in = this->numbers(50001), expected = this->sums(in, exclusive);
    for (const Form form : {Form::OfDevice, Form::OfGpus}) {
      const Buffer<T> numbers(in);
      const Scratch scratch(65536 + in.size() / 64);
      Kernel kernel(builtInProgram(name, form), name.c_str());
      kernel.setAll(cl_ulong{in.size()}, numbers, cl_ulong{0}, numbers, cl_ulong{0},
                    cl_uint{exclusive}, scratch.memory);
      kernel.enqueue(rangeFor(kernel));
      EXPECT_EQ(expected, numbers.read());
    }
  }
}

} // namespace
} // namespace quern::tests
