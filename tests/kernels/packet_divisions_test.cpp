// Divisions in packets, which go by way of floating-point numbers: right next to every multiple of
// the divisor, and for ids, whatever their type.
#include <cstdio>
#include <limits>
#include <random>

#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

/// Divisors of all lengths.
template <typename T> std::vector<T> divisorsOf() {
  constexpr T high = std::numeric_limits<T>::max();
  std::vector<T> divisors = {1,   2,           3,    5,           7,           10,
                             100, T(high - 1), high, T(high / 2), T(high / 3), T(high / 2 + 1)};
  std::mt19937_64 random(1);
  for (unsigned bit = 1; bit < std::numeric_limits<T>::digits; bit += 2)
    divisors.push_back(T(T(1) << bit | (random() & ((T(1) << bit) - 1))));
  if constexpr (std::is_signed_v<T>)
    for (size_t i = 0, count = divisors.size(); i < count; ++i)
      divisors.push_back(T(-divisors[i]));
  return divisors;
}

/// The least and the greatest numbers, and those next to multiples of `divisor`.
template <typename T> std::vector<T> dividendsFor(T divisor) {
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  std::vector<T> dividends = {0, 1, low, T(low + 1), high, T(high - 1), T(high / 2)};
  std::mt19937_64 random(2);
  while (dividends.size() < packetItems) {
    const T multiple = T(T(random()) / divisor * divisor);
    for (int step : {-1, 0, 1})
      if ((step > 0 ? multiple != high : true) && (step < 0 ? multiple != low : true))
        dividends.push_back(T(multiple + T(step)));
  }
  dividends.resize(packetItems);
  return dividends;
}

template <typename T> void expectQuotients(const std::string& type) {
  SCOPED_TRACE(type);
  Program program = build("typedef " + type + R"( T;
    kernel void uniform(global const T* a, global T* q, global T* r, T d) {
      size_t g = get_global_id(0);
      q[g] = a[g] / d;
      r[g] = a[g] % d;
    }
    kernel void varying(global const T* a, global T* q, global T* r, global const T* d) {
      size_t g = get_global_id(0);
      if (a[g] != 100) {
        q[g] = a[g] / d[g];
        r[g] = a[g] % d[g];
      }
    })");
  for (T divisor : divisorsOf<T>()) {
    SCOPED_TRACE(+divisor);
    const std::vector<T> dividends = dividendsFor(divisor);
    Buffer<T> a(dividends), q(packetItems), r(packetItems);
    Buffer<T> d(std::vector<T>(packetItems, divisor));
    const auto expectResults = [&] {
      const std::vector<T> quotients = q.read(), remainders = r.read();
      for (size_t i = 0; i < packetItems; ++i) {
        if (dividends[i] == 100 || (std::is_signed_v<T> && divisor == T(-1) &&
                                    dividends[i] == std::numeric_limits<T>::min()))
          continue;
        ASSERT_EQ(quotients[i], T(dividends[i] / divisor)) << +dividends[i];
        ASSERT_EQ(remainders[i], T(dividends[i] % divisor)) << +dividends[i];
      }
    };
    run(program, "uniform", {{packetItems}}, a, q, r, divisor);
    expectResults();
    run(program, "varying", {{packetItems}}, a, q, r, d);
    expectResults();
  }
}

TEST(PacketDivisions, AreRightNextToMultiples) {
  expectQuotients<cl_char>("char");
  expectQuotients<cl_uchar>("uchar");
  expectQuotients<cl_short>("short");
  expectQuotients<cl_ushort>("ushort");
  expectQuotients<cl_int>("int");
  expectQuotients<cl_uint>("uint");
  expectQuotients<cl_long>("long");
  expectQuotients<cl_ulong>("ulong");
}

/// Sums and products of ids may need more than 32 bits, a divisor may have more.
TEST(PacketDivisions, OfIdsHaveAllTheirBits) {
  Program program = build(R"(
    kernel void k(global ulong* out, ulong d, ulong factor) {
      size_t g = get_global_id(0);
      global ulong* o = out + (g - get_global_offset(0)) * 8;
      o[0] = g / d;
      o[1] = g % d;
      o[2] = g * 1000 / d;
      o[3] = g * 1000 % d;
      o[4] = (g << 3) / 1000;
      o[5] = g % 1000;
      o[6] = (long)(g - 5) / (long)d;
      o[7] = (g * factor) % 4294967291ul;
    })");
  for (cl_ulong first : {cl_ulong{0}, cl_ulong{3}, cl_ulong{4294967}, cl_ulong{2130706100}})
    for (cl_ulong d :
         {cl_ulong{1}, cl_ulong{7}, cl_ulong{1000}, cl_ulong{1} << 31, (cl_ulong{1} << 32) - 1,
          cl_ulong{1} << 32, (cl_ulong{1} << 32) + 3, ~cl_ulong{0} / 2}) {
      SCOPED_TRACE(std::to_string(first) + " / " + std::to_string(d));
      const cl_ulong factor = 4000000007u;
      Buffer<cl_ulong> out(packetItems * 8);
      run(program, "k", {{packetItems}, {}, {first}}, out, d, factor);
      const std::vector<cl_ulong> results = out.read();
      for (size_t i = 0; i < packetItems; ++i) {
        const cl_ulong g = first + i;
        const cl_ulong wanted[] = {g / d,
                                   g % d,
                                   g * 1000 / d,
                                   g * 1000 % d,
                                   (g << 3) / 1000,
                                   g % 1000,
                                   cl_ulong(cl_long(g - 5) / cl_long(d)),
                                   g * factor % 4294967291u};
        for (size_t j = 0; j < std::size(wanted); ++j)
          ASSERT_EQ(results[i * 8 + j], wanted[j]) << "id " << g << ", result " << j;
      }
    }
}

/// Where all is known of the ids, the first work-item of a packet may not run what the others do,
/// because it is no number for it.
TEST(PacketDivisions, TheFirstWorkItemNeedNotDivide) {
  for (const char* size : {"4, 1, 1", "8, 1, 1", "4, 2, 1", "4, 4, 1", "16, 1, 1", "4, 4, 4"}) {
    SCOPED_TRACE(size);
    Program program =
        build("kernel __attribute__((reqd_work_group_size(" + std::string(size) + R"()))
      void k(global long* out) {
        long l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
        out[l * 4] = l != 0 ? 686 / l : 7;
        out[l * 4 + 1] = l != 0 ? 686 % (l * 3) : 7;
        int n = (int)l;
        out[l * 4 + 2] = 1;
        out[l * 4 + 3] = 2;
        if (n != 0) {
          out[l * 4 + 2] = -100000 / n;
          out[l * 4 + 3] = 100000u % (uint)n;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      })");
    size_t x = 0, y = 0, z = 0;
    ASSERT_EQ(std::sscanf(size, "%zu, %zu, %zu", &x, &y, &z), 3);
    const size_t items = x * y * z;
    Buffer<cl_long> out(items * 4);
    run(program, "k", {{x, y, z}, {x, y, z}}, out);
    const std::vector<cl_long> results = out.read();
    for (size_t i = 0; i < items; ++i) {
      const cl_long l = cl_long(i);
      const cl_long wanted[] = {l ? 686 / l : 7, l ? 686 % (l * 3) : 7, l ? -100000 / l : 1,
                                l ? 100000 % l : 2};
      for (size_t j = 0; j < std::size(wanted); ++j)
        EXPECT_EQ(results[i * 4 + j], wanted[j]) << "work-item " << i << ", result " << j;
    }
  }
}

/// Each work-item has a row of elements, divides one of them and marks another one. Where a group
/// is smaller than the packets, few elements of the vectors that are loaded are a work-item's.
template <typename T> void expectMarks(const std::string& type, const char* size, size_t columns) {
  SCOPED_TRACE(type + ", " + std::to_string(columns) + " columns, groups of " + size);
  constexpr size_t divisor = 5;
  Program program = build("#define COLUMNS " + std::to_string(columns) + "\ntypedef " + type +
                          " T;\nkernel __attribute__((reqd_work_group_size(" + size + R"()))
    void k(global T* elements) {
      size_t l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
      global T* row = elements + l * COLUMNS;
      for (uint i = 0; i < COLUMNS; ++i)
        row[i] = l * 7 + i * 3;
      barrier(CLK_GLOBAL_MEM_FENCE);
      row[row[1] % 5] = 1;
    })");
  size_t x = 0, y = 0, z = 0;
  ASSERT_EQ(std::sscanf(size, "%zu, %zu, %zu", &x, &y, &z), 3);
  Buffer<T> elements(x * y * z * columns);
  run(program, "k", {{x, y, z}, {x, y, z}}, elements);
  EXPECT_EQ(elements.read(), tabulate<T>(x * y * z * columns, [&](size_t i) {
              const size_t first = i / columns * 7, column = i % columns;
              return T(column == (first + 3) % divisor ? 1 : first + column * 3);
            }));
}

TEST(PacketDivisions, OfRowsInGroupsSmallerThanPackets) {
  for (const char* size : {"2, 3, 1", "2, 3, 2", "3, 3, 3", "5, 3, 1", "9, 3, 1"})
    for (size_t columns : {6, 8}) {
      expectMarks<cl_ushort>("ushort", size, columns);
      expectMarks<cl_int>("int", size, columns);
      expectMarks<cl_uint>("uint", size, columns);
      expectMarks<cl_ulong>("ulong", size, columns);
    }
}

/// Divisions of vectors by a constant whose results change places before they are multiplied.
template <typename T> void expectReversedProducts(const std::string& type, size_t width) {
  SCOPED_TRACE(type + std::to_string(width));
  constexpr T divisor = 5;
  const std::string vector = type + std::to_string(width);
  const std::string reversed = width == 4 ? ".s3210" : ".s76543210";
  Program program = build("typedef " + vector + " V;\n#define REVERSED " + reversed + R"(
    kernel void k(global const V* a, global const V* b, global V* q, global V* r) {
      size_t g = get_global_id(0);
      q[g] = (a[g] / (V)(5))REVERSED * b[g];
      r[g] = (a[g] % (V)(5))REVERSED * b[g];
    })");
  const size_t count = packetItems * width;
  const std::vector<T> dividends = tabulate<T>(count, [](size_t i) { return T(i * 37 + 11); });
  const std::vector<T> factors = tabulate<T>(count, [](size_t i) { return T(i * 29 + 3); });
  Buffer<T> a(dividends), b(factors), q(count), r(count);
  run(program, "k", {{packetItems}}, a, b, q, r);
  const auto expected = [&](auto operation) {
    return tabulate<T>(count, [&](size_t i) {
      const T dividend = dividends[i / width * width + width - 1 - i % width];
      return T(cl_ulong(operation(dividend)) * cl_ulong(factors[i]));
    });
  };
  EXPECT_EQ(q.read(), expected([](T dividend) { return T(dividend / divisor); }));
  EXPECT_EQ(r.read(), expected([](T dividend) { return T(dividend % divisor); }));
}

TEST(PacketDivisions, OfVectorsMayChangePlaces) {
  for (size_t width : {4, 8}) {
    expectReversedProducts<cl_char>("char", width);
    expectReversedProducts<cl_uchar>("uchar", width);
    expectReversedProducts<cl_short>("short", width);
    expectReversedProducts<cl_ushort>("ushort", width);
    expectReversedProducts<cl_int>("int", width);
    expectReversedProducts<cl_ulong>("ulong", width);
  }
}

} // namespace
} // namespace quern::tests
