// Integer functions against arithmetic of 128 bits.
#include "elementwise.h"

namespace quern::builtins {
namespace {

using Wide = __int128;

constexpr int allWidths = 6;

template <typename T> T saturate(Wide value) {
  using Limits = std::numeric_limits<T>;
  return value < Limits::min()   ? Limits::min()
         : value > Limits::max() ? Limits::max()
                                 : static_cast<T>(value);
}

template <typename T> constexpr int bitCount = sizeof(T) * 8;

template <typename T> std::make_unsigned_t<T> bitsOf(T value) {
  return static_cast<std::make_unsigned_t<T>>(value);
}

// A product of two unsigned 64-bit numbers does not fit a signed wide number; its high half is
// taken from an unsigned one.
template <typename T> T highHalf(T x, T y) {
  if constexpr (std::is_unsigned_v<T>)
    return static_cast<T>((static_cast<unsigned __int128>(x) * y) >> bitCount<T>);
  else
    return static_cast<T>((Wide{x} * y) >> bitCount<T>);
}

TEST(Integer, SaturatingArithmetic) {
  forEachInteger([](auto zero) {
    using T = decltype(zero);
    using U = std::make_unsigned_t<T>;
    checkElementwise<T, T, T>("add_sat", allWidths,
                              [](T x, T y) { return saturate<T>(Wide{x} + y); });
    checkElementwise<T, T, T>("sub_sat", allWidths,
                              [](T x, T y) { return saturate<T>(Wide{x} - y); });
    checkElementwise<U, T, T>("abs_diff", allWidths, [](T x, T y) {
      return static_cast<U>(x > y ? Wide{x} - y : Wide{y} - x);
    });
    checkElementwise<U, T>("abs", allWidths,
                           [](T x) { return static_cast<U>(x < 0 ? -Wide{x} : Wide{x}); });
    checkElementwise<T, T, T, T>("mad_sat", allWidths, [](T x, T y, T z) {
      if constexpr (std::is_same_v<T, std::uint64_t>) {
        unsigned __int128 sum = static_cast<unsigned __int128>(x) * y + z;
        return sum > ~std::uint64_t{0} ? ~std::uint64_t{0} : static_cast<T>(sum);
      } else {
        return saturate<T>(Wide{x} * y + z);
      }
    });
  });
}

TEST(Integer, HalvingAndHighProducts) {
  forEachInteger([](auto zero) {
    using T = decltype(zero);
    checkElementwise<T, T, T>("hadd", allWidths,
                              [](T x, T y) { return static_cast<T>((Wide{x} + y) >> 1); });
    checkElementwise<T, T, T>("rhadd", allWidths,
                              [](T x, T y) { return static_cast<T>((Wide{x} + y + 1) >> 1); });
    checkElementwise<T, T, T>("mul_hi", allWidths, [](T x, T y) { return highHalf(x, y); });
    checkElementwise<T, T, T, T>("mad_hi", allWidths, [](T x, T y, T z) {
      return static_cast<T>(bitsOf(highHalf(x, y)) + bitsOf(z));
    });
  });
}

template <typename T> T within24Bits(std::mt19937_64& random) {
  T value = Samples<T>().next(random);
  return std::is_signed_v<T> ? static_cast<T>(static_cast<std::int32_t>(bitsOf(value) << 8) >> 8)
                             : static_cast<T>(value & 0xffffff);
}

template <typename T> void check24() {
  auto product = [](T x, T y) { return static_cast<T>(bitsOf(x) * bitsOf(y)); };
  checkElementwise<T, T, T>(
      "mul24", allWidths, product,
      [](auto& random) { return std::tuple(within24Bits<T>(random), within24Bits<T>(random)); },
      same<T>);
  checkElementwise<T, T, T, T>(
      "mad24", allWidths,
      [&](T x, T y, T z) { return static_cast<T>(bitsOf(product(x, y)) + bitsOf(z)); },
      [](auto& random) {
        return std::tuple(within24Bits<T>(random), within24Bits<T>(random),
                          Samples<T>().next(random));
      },
      same<T>);
}

TEST(Integer, ProductsOf24Bits) {
  check24<std::int32_t>();
  check24<std::uint32_t>();
}

TEST(Integer, BitCounts) {
  forEachInteger([](auto zero) {
    using T = decltype(zero);
    constexpr int bits = bitCount<T>;
    checkElementwise<T, T>("clz", allWidths,
                           [](T x) { return static_cast<T>(std::countl_zero(bitsOf(x))); });
    checkElementwise<T, T>("ctz", allWidths,
                           [](T x) { return static_cast<T>(std::countr_zero(bitsOf(x))); });
    checkElementwise<T, T>("popcount", allWidths,
                           [](T x) { return static_cast<T>(std::popcount(bitsOf(x))); });
    checkElementwise<T, T, T>("rotate", allWidths, [](T x, T count) {
      return static_cast<T>(std::rotl(bitsOf(x), static_cast<int>(count & (bits - 1))));
    });
    checkElementwise<T, T>("bit_reverse", allWidths, [](T x) {
      std::make_unsigned_t<T> reversed = 0;
      for (int bit = 0; bit < bits; ++bit)
        reversed |=
            static_cast<std::make_unsigned_t<T>>((bitsOf(x) >> bit & 1) << (bits - 1 - bit));
      return static_cast<T>(reversed);
    });
  });
}

template <typename T> Wide field(T base, unsigned offset, unsigned count) {
  return static_cast<Wide>(static_cast<unsigned __int128>(bitsOf(base)) >> offset &
                           ((static_cast<unsigned __int128>(1) << count) - 1));
}

TEST(Integer, BitFields) {
  forEachInteger([](auto zero) {
    using T = decltype(zero);
    using U = std::make_unsigned_t<T>;
    using S = std::make_signed_t<T>;
    auto draw = [samples = Samples<T>()](auto& random) mutable {
      unsigned count = random() % (bitCount<T> + 1), offset = random() % (bitCount<T> - count + 1);
      return std::tuple<T, std::uint32_t, std::uint32_t>(samples.next(random), offset, count);
    };
    checkElementwise<U, T, std::uint32_t, std::uint32_t>(
        "bitfield_extract_unsigned", allWidths,
        [](T base, unsigned offset, unsigned count) {
          return static_cast<U>(field(base, offset, count));
        },
        draw, same<U>);
    checkElementwise<S, T, std::uint32_t, std::uint32_t>(
        "bitfield_extract_signed", allWidths,
        [](T base, unsigned offset, unsigned count) {
          Wide bits = field(base, offset, count);
          bool negative = count > 0 && (bits >> (count - 1) & 1);
          return static_cast<S>(negative ? bits - (Wide{1} << count) : bits);
        },
        draw, same<S>);
    auto drawTwo = [draw, samples = Samples<T>()](auto& random) mutable {
      auto [base, offset, count] = draw(random);
      return std::tuple<T, T, std::uint32_t, std::uint32_t>(base, samples.next(random), offset,
                                                            count);
    };
    checkElementwise<T, T, T, std::uint32_t, std::uint32_t>(
        "bitfield_insert", allWidths,
        [](T base, T insert, unsigned offset, unsigned count) {
          Wide mask = ((Wide{1} << count) - 1) << offset;
          return static_cast<T>((Wide{bitsOf(base)} & ~mask) | (field(insert, 0, count) << offset));
        },
        drawTwo, same<T>);
  });
}

template <typename High, typename Low, typename Result> void checkUpsample() {
  checkElementwise<Result, High, Low>("upsample", allWidths, [](High high, Low low) {
    return static_cast<Result>(
        static_cast<std::make_unsigned_t<Result>>(Wide{high} << bitCount<Low>) | low);
  });
}

TEST(Integer, Upsample) {
  checkUpsample<std::int8_t, std::uint8_t, std::int16_t>();
  checkUpsample<std::uint8_t, std::uint8_t, std::uint16_t>();
  checkUpsample<std::int16_t, std::uint16_t, std::int32_t>();
  checkUpsample<std::uint16_t, std::uint16_t, std::uint32_t>();
  checkUpsample<std::int32_t, std::uint32_t, std::int64_t>();
  checkUpsample<std::uint32_t, std::uint32_t, std::uint64_t>();
}

TEST(Integer, Bounds) {
  forEachInteger([](auto zero) {
    using T = decltype(zero);
    // A vector's bounds may be scalars, which doubles the forms of vectors.
    checkElementwise<T, T, T>("min", 11, [](T x, T y) { return std::min(x, y); });
    checkElementwise<T, T, T>("max", 11, [](T x, T y) { return std::max(x, y); });
    auto draw = [samples = Samples<T>()](auto& random) mutable {
      T a = samples.next(random), b = samples.next(random);
      return std::tuple<T, T, T>(samples.next(random), std::min(a, b), std::max(a, b));
    };
    checkElementwise<T, T, T, T>(
        "clamp", 11, [](T x, T low, T high) { return std::min(std::max(x, low), high); }, draw,
        same<T>);
  });
}

template <typename A, typename B, typename Result> void checkDot(std::string_view packedSuffix) {
  auto elements = [](std::uint32_t word) {
    return std::bit_cast<std::array<std::uint8_t, 4>>(word);
  };
  auto exact = [&](std::uint32_t x, std::uint32_t y) {
    Wide sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += Wide{static_cast<A>(elements(x)[i])} * static_cast<B>(elements(y)[i]);
    return sum;
  };
  std::string suffix(packedSuffix);
  checkElementwise<Result, std::uint32_t, std::uint32_t>(
      "dot_4x8packed_" + suffix, 1,
      [&](auto x, auto y) { return static_cast<Result>(exact(x, y)); });
  checkElementwise<Result, std::uint32_t, std::uint32_t, Result>(
      "dot_acc_sat_4x8packed_" + suffix, 1,
      [&](auto x, auto y, Result sum) { return saturate<Result>(exact(x, y) + sum); });

  std::mt19937_64 random;
  Samples<Result> sums;
  int count = 0;
  for (std::string_view name : {"dot", "dot_acc_sat"})
    for (const Builtin* builtin : overloads(name)) {
      if (builtin->parameters[0].base != baseOf<A>() || builtin->parameters[1].base != baseOf<B>())
        continue;
      ++count;
      for (int call = 0; call < callsPerOverload; ++call) {
        alignas(4) std::uint32_t x = static_cast<std::uint32_t>(random()),
                                 y = static_cast<std::uint32_t>(random());
        Result sum = sums.next(random), result;
        void* arguments[] = {&x, &y, &sum};
        builtin->call(&result, arguments);
        ASSERT_EQ(result, builtin->parameterCount == 3 ? saturate<Result>(exact(x, y) + sum)
                                                       : static_cast<Result>(exact(x, y)))
            << describe(*builtin);
      }
    }
  EXPECT_EQ(count, 2);
}

TEST(Integer, DotProducts) {
  checkDot<std::uint8_t, std::uint8_t, std::uint32_t>("uu_uint");
  checkDot<std::int8_t, std::int8_t, std::int32_t>("ss_int");
  checkDot<std::uint8_t, std::int8_t, std::int32_t>("us_int");
  checkDot<std::int8_t, std::uint8_t, std::int32_t>("su_int");
}

} // namespace
} // namespace quern::builtins
