// Indices of 32 bits that wrap from one work-item to the next before they are widened, or do not.
#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

// Work-items whose index wraps do not use it.
TEST(PacketNoWrap, unsignedIndices) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), m = n, sum = 0;
      for (uint i = 0; i < 5; ++i) {
        if (g + i >= m) sum = sum * 3 + in[g + i - m];
        if (g <= m + i) sum = sum * 5 + in[m + i - g];
        sum += in[i * m + g];
      }
      out[g] = sum;
    })",
              {0, 5, 20, 100}, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < 5; ++i) {
                  if (g + i >= n)
                    sum = sum * 3 + cl_uint(in[g + i - n]);
                  if (g <= n + i)
                    sum = sum * 5 + cl_uint(in[n + i - g]);
                  sum += cl_uint(in[i * n + g]);
                }
                return cl_int(sum);
              });
}

// Stores, which the last elements get from the work-items that the others leave over.
TEST(PacketNoWrap, stores) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), m = n, sum = 0;
      for (uint i = 0; i < 4; ++i) sum += in[g + i];
      if (g >= m) out[g - m] = sum;
      else out[g + (uint)get_global_size(0) - m] = sum;
    })",
              {0, 9, 16, 150}, [](const auto& in, int item, int n) {
                const int g = (item + n) % int(packetItems);
                return in[g] + in[g + 1] + in[g + 2] + in[g + 3];
              });
}

// The index is made in one block, and used in others.
TEST(PacketNoWrap, acrossBlocks) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), m = n;
      size_t before = g - m, after = g * 2u + m - g;
      uint sum = 0;
      for (int i = 0; i < in[g] % 5; ++i) {
        if (g >= m) sum += in[before] ^ i;
        sum = sum * 3 + in[after];
      }
      out[g] = sum;
    })",
              31, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < in[g] % 5; ++i) {
                  if (g >= n)
                    sum += cl_uint(in[g - n] ^ i);
                  sum = sum * 3 + cl_uint(in[g + n]);
                }
                return cl_int(sum);
              });
}

// Every work-item uses its index, on both sides of where it wraps.
TEST(PacketNoWrap, wrapsInUse) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), m = n, sum = 0;
      for (uint i = 0; i < 3; ++i) {
        size_t place = g + i - m;
        sum = sum * 3 + in[place > 4096 ? place - 4294960000ul - 6000 : place];
        global const int* far = in - (g + i < m ? 4294960000ul + 6000 : 0);
        sum = sum * 5 + far[(size_t)(g + i - m)];
      }
      out[g] = sum;
    })",
              37, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < 3; ++i) {
                  const cl_uint place = cl_uint(g + i - n);
                  const size_t index = place > 4096 ? place - 4294966000ul : place;
                  sum = sum * 3 + cl_uint(in[index]);
                  sum = sum * 5 + cl_uint(in[index]);
                }
                return cl_int(sum);
              });
}

// Signed indices below 0, of sums that wrap as unsigned numbers, with elements of several sizes.
TEST(PacketNoWrap, signedIndices) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), sum = 0;
      global const int* middle = in + 300;
      global const short* shorts = (global const short*)middle;
      global const ulong* longs = (global const ulong*)middle;
      for (int i = -3; i < n; ++i) {
        sum = sum * 3 + middle[(int)(g - 100u + i)];
        sum = sum * 3 + shorts[(int)(50u - g + i)];
        sum = sum * 3 + longs[(int)(g - 90u) * 1l + i];
      }
      out[g] = sum;
    })",
              2, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                const cl_int* middle = in.data() + 300;
                for (int i = -3; i < n; ++i) {
                  cl_short small = 0;
                  cl_ulong large = 0;
                  std::memcpy(&small, reinterpret_cast<const char*>(middle) + 2 * (50 - g + i), 2);
                  std::memcpy(&large, middle + 2 * (g - 90 + i), 8);
                  sum = sum * 3 + cl_uint(middle[g - 100 + i]);
                  sum = sum * 3 + cl_uint(small);
                  sum = sum * 3 + cl_uint(large);
                }
                return cl_int(sum);
              });
}

// Ids that are divided into rows and columns: packets lie in one row or in several.
TEST(PacketNoWrap, rowsAndColumns) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), x = g % n, y = g / n, plane = y / 3, row = y % 3;
      uint u = g + 7, m = n, sum = in[x] + 3 * in[y] + 5 * in[(plane * 3 + row) * (n + 2) % 4000 + x];
      sum += 7 * in[u / m] + 11 * in[u % m] + 13 * in[u >> 4] + 17 * in[u & 31] + 19 * in[u / 29 * 2];
      for (int i = 0; i < 3; ++i)
        if (x > i)
          sum = sum * 3 + in[y + i] + in[x - i];
      out[y * n + x] = sum;
    })",
              {1, 2, 5, 15, 16, 17, 28, 64, 100, 203, 1000}, [](const auto& in, int g, int n) {
                const int x = g % n, y = g / n, u = g + 7;
                cl_uint sum =
                    cl_uint(in[x]) + 3 * cl_uint(in[y]) + 5 * cl_uint(in[y * (n + 2) % 4000 + x]);
                sum += 7 * cl_uint(in[u / n]) + 11 * cl_uint(in[u % n]) + 13 * cl_uint(in[u >> 4]) +
                       17 * cl_uint(in[u & 31]) + 19 * cl_uint(in[u / 29 * 2]);
                for (int i = 0; i < 3; ++i)
                  if (x > i)
                    sum = sum * 3 + cl_uint(in[y + i]) + cl_uint(in[x - i]);
                return cl_int(sum);
              });
}

// Quotients and remainders that are one for all work-items of a packet, and beyond a limit or not.
TEST(PacketNoWrap, limitsOfRowsAndColumns) {
  expectItems(
      R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), m = n;
      int i = g;
      uint sum = in[max(1u, g / m)] + 3 * in[min(g / m, 2u)] + 5 * in[max(g % m, 7u)];
      sum += 7 * in[max(i / n, 3)] + 11 * in[min(5, i / n)] + 13 * in[min(i % n, 9)];
      out[g] = sum;
    })",
      {1, 3, 16, 40, 200, 3000}, [](const auto& in, int g, int n) {
        const cl_uint sum = cl_uint(in[std::max(1, g / n)]) + 3 * cl_uint(in[std::min(g / n, 2)]) +
                            5 * cl_uint(in[std::max(g % n, 7)]);
        return cl_int(sum + 7 * cl_uint(in[std::max(g / n, 3)]) +
                      11 * cl_uint(in[std::min(5, g / n)]) + 13 * cl_uint(in[std::min(g % n, 9)]));
      });
}

// What is divided may be negative, or wrap; and so may the divisor.
TEST(PacketNoWrap, rowsBelowZero) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      global const int* middle = in + 2048;
      int g = get_global_id(0);
      uint u = g;
      uint sum = middle[(g - 90) / n] + 3 * middle[(g - 90) % n] + 5 * middle[(g - 90) >> 3];
      sum += 7 * in[(u - 90u) / 100000000u] + 11 * in[(u - 90u) % 4000u] + 13 * in[(u - 90u) & 63];
      sum += 17 * middle[(g / 50 - 2) / n] + 19 * middle[(g / 50 - 2) % n];
      out[g] = sum;
    })",
              {-100, -17, -3, -1, 1, 3, 16, 33, 100}, [](const auto& in, int g, int n) {
                const auto middle = [&](int i) { return cl_uint(in[size_t(2048 + i)]); };
                const cl_uint u = cl_uint(g) - 90;
                cl_uint sum =
                    middle((g - 90) / n) + 3 * middle((g - 90) % n) + 5 * middle((g - 90) >> 3);
                sum += 7 * cl_uint(in[u / 100000000]) + 11 * cl_uint(in[u % 4000]) +
                       13 * cl_uint(in[u & 63]);
                sum += 17 * middle((g / 50 - 2) / n) + 19 * middle((g / 50 - 2) % n);
                return cl_int(sum);
              });
}

// Operations on bits with numbers that are the same for all work-items: their lowest bits may be
// set or clear, in a packet or not.
TEST(PacketNoWrap, bits) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), m = n;
      uint low = g & (m - 1), high = g & -m, partner = g ^ m;
      uint sum = in[((g - low) << 1) | low] + 3 * in[(low | (high << 1)) + m] + 5 * in[partner];
      sum += 7 * in[(g + 5) & (m * 2 - 1)] + 11 * in[(g + 9) & ~m] + 13 * in[(300 - g) & (m - 1)];
      if (partner > g) sum = sum * 17 + in[partner & 4095];
      out[g] = sum;
    })",
              {1, 2, 3, 4, 8, 16, 24, 64, 100, 1024}, [](const auto& in, int item, int n) {
                const cl_uint g = cl_uint(item), m = cl_uint(n);
                const cl_uint low = g & (m - 1), high = g & (0 - m), partner = g ^ m;
                const auto at = [&](cl_uint i) { return cl_uint(in[i]); };
                cl_uint sum =
                    at(((g - low) << 1) | low) + 3 * at((low | (high << 1)) + m) + 5 * at(partner);
                sum += 7 * at((g + 5) & (m * 2 - 1)) + 11 * at((g + 9) & ~m) +
                       13 * at((300 - g) & (m - 1));
                if (partner > g)
                  sum = sum * 17 + at(partner & 4095);
                return cl_int(sum);
              });
}

// Shifts whose number of bits is the same for all work-items, also of negative numbers.
TEST(PacketNoWrap, shifts) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      global const int* middle = in + 2048;
      uint g = get_global_id(0);
      int i = g;
      uint rest = g & ((1u << n) - 1);
      uint sum = in[((g >> n) << (n + 1)) | rest] + 3 * in[(g + 7) >> n] + 5 * middle[(i - 90) >> n];
      if (i % 3) sum += 7 * in[(g + 40) >> (n + 1)];
      out[g] = sum;
    })",
              {0, 1, 3, 4, 5, 8, 10}, [](const auto& in, int g, int n) {
                const int rest = g & ((1 << n) - 1);
                cl_uint sum = cl_uint(in[((g >> n) << (n + 1)) | rest]) +
                              3 * cl_uint(in[(g + 7) >> n]) +
                              5 * cl_uint(in[size_t(2048 + ((g - 90) >> n))]);
                if (g % 3)
                  sum += 7 * cl_uint(in[(g + 40) >> (n + 1)]);
                return cl_int(sum);
              });
}

// Pairs and fours of numbers, which lie next to each other for all work-items of a packet or do
// not, as in simulations of quantum gates: read, and written by some of the work-items.
TEST(PacketNoWrap, rowsAtBits) {
  for (const int members : {2, 4}) {
    SCOPED_TRACE(members);
    const Program program = build(R"(
      kernel void k(global NUMBERS* a, int target, int skipped) {
        int id = get_global_id(0), low = id & (1 << target) - 1;
        int zero = low | (id - low) << 1, one = zero | 1 << target;
        NUMBERS x = a[zero], y = a[one];
        if (id % 5 != skipped) a[zero] = x + y * 3;
        if (zero >> 2 & 1) a[one] = x - y;
      })",
                                  "-DNUMBERS=int" + std::to_string(members));
    const auto count = static_cast<size_t>(members);
    for (const int target : {0, 1, 2, 3, 4, 5, 7, 8})
      for (const size_t local : {1, 29, 203}) {
        SCOPED_TRACE(target);
        std::vector<cl_int> numbers =
            tabulate<cl_int>(1024 * count, [](size_t i) { return i * 7 % 1009; });
        Buffer<cl_int> buffer(numbers);
        run(program, "k", {{packetItems}, {local}}, buffer, target, 3);
        for (size_t id = 0; id < packetItems; ++id) {
          const size_t bit = size_t{1} << target, low = id & (bit - 1);
          const size_t zero = low | (id - low) << 1, one = zero | bit;
          for (size_t m = 0; m < count; ++m) {
            cl_int &x = numbers[zero * count + m], &y = numbers[one * count + m];
            const cl_int sum = x + y * 3, difference = x - y;
            if (id % 5 != 3)
              x = sum;
            if (zero >> 2 & 1)
              y = difference;
          }
        }
        EXPECT_EQ(buffer.read(), numbers);
      }
  }
}

} // namespace
} // namespace quern::tests
