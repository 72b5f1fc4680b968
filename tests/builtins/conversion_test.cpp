// Every conversion of every width, rounding mode and saturation.
#include "half_numbers.h"

namespace quern::builtins {
namespace {

constexpr int modes = 5;
constexpr int allWidths = 6;

bool agrees(Half actual, Half expected) {
  return sameHalf(actual, expected);
}
template <typename T> bool agrees(T actual, T expected) {
  return same(actual, expected);
}

/// The expected result, or false for `defined` where the specification leaves it to the
/// implementation.
template <typename To, typename From>
To convert(From x, Rounding mode, bool saturates, bool& defined) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_same_v<From, Half>)
    return convert<To>(valueOf(x), mode, saturates, defined);
  else if constexpr (std::is_same_v<To, Half>)
    // Every integer that is not a double is far beyond the largest half.
    return halfOf(static_cast<double>(x), mode);
  else if constexpr (std::is_floating_point_v<To>) {
    if constexpr (std::is_same_v<To, From>)
      return x;
    return roundTo<To>(x, mode);
  } else if constexpr (std::is_floating_point_v<From>) {
    if (std::isnan(x)) {
      defined = saturates;
      return 0;
    }
    long double rounded = roundToInteger(x, mode);
    bool tooLow = rounded<static_cast<long double>(Limits::min()),
                          tooHigh = rounded> static_cast<long double>(Limits::max());
    defined = saturates || !(tooLow || tooHigh);
    return tooLow    ? Limits::min()
           : tooHigh ? Limits::max()
           : defined ? static_cast<To>(rounded)
                     : To{0};
  } else {
    if (!saturates)
      return static_cast<To>(x);
    __int128 wide = x;
    return wide < Limits::min()   ? Limits::min()
           : wide > Limits::max() ? Limits::max()
                                  : static_cast<To>(wide);
  }
}

template <typename To, typename From> void checkPair() {
  int count = 0;
  for (std::size_t i = 0; i < tableSize; ++i) {
    const Builtin& builtin = table[i];
    if (!builtin.name.starts_with("convert_") || !matches<To, From>(builtin))
      continue;
    ++count;
    bool saturates = builtin.name.find("_sat") != std::string_view::npos;
    constexpr bool toInteger = std::is_integral_v<To>;
    Rounding mode =
        roundingOf(builtin.name, toInteger ? Rounding::TowardsZero : Rounding::NearestEven);
    std::mt19937_64 random(i);
    Samples<From> samples;
    for (int call = 0; call < 1000; ++call) {
      Slot argument, result;
      void* arguments[] = {&argument};
      for (int lane = 0; lane < builtin.result.width; ++lane)
        argument.as<From>()[lane] = samples.next(random);
      builtin.call(&result, arguments);
      for (int lane = 0; lane < builtin.result.width; ++lane) {
        bool defined = true;
        From x = argument.as<From>()[lane];
        To expected = convert<To>(x, mode, saturates, defined), actual = result.as<To>()[lane];
        if (defined && !agrees(actual, expected))
          FAIL() << describe(builtin) << ", lane " << lane << ", argument "
                 << ::testing::PrintToString(x) << ": got " << ::testing::PrintToString(actual)
                 << ", expected " << ::testing::PrintToString(expected);
      }
    }
  }
  EXPECT_EQ(count, modes * allWidths * (std::is_integral_v<To> ? 2 : 1));
}

template <typename From> void checkFrom() {
  forEachTypeAndHalf([](auto to) { checkPair<decltype(to), From>(); });
}

TEST(Conversion, FromIntegers) {
  forEachInteger([](auto from) { checkFrom<decltype(from)>(); });
}

TEST(Conversion, FromFloat) {
  checkFrom<float>();
}

TEST(Conversion, FromDouble) {
  checkFrom<double>();
}

TEST(Conversion, FromHalf) {
  checkFrom<Half>();
}

} // namespace
} // namespace quern::builtins
