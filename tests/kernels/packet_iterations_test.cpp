// Loops whose counters begin at the ids of the work-items, which leave them one after the other or,
// where the ends do so, too, together: with every kind of number, also where it wraps.
#include <string_view>

#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

using uint = cl_uint;
using ulong = cl_ulong; // long is what it is on the host

struct Iterations {
  const char* type;
  const char* text;
  cl_int (*expected)(const std::vector<cl_int>& in, cl_int item, cl_int n);
};

// g is the work-item's id, s the step of most loops; `in` has 4096 elements.
#define ROUNDS(type, ...)                                                                          \
  Iterations {                                                                                     \
    #type, #__VA_ARGS__, [](const std::vector<cl_int>& in, cl_int item, cl_int number) -> cl_int { \
      [[maybe_unused]] const type g = static_cast<type>(item), n = static_cast<type>(number),      \
                                  s = 64;                                                          \
      cl_int sum = 0;                                                                              \
      __VA_ARGS__                                                                                  \
      return sum;                                                                                  \
    }                                                                                              \
  }

const Iterations loops[] = {
    ROUNDS(uint, for (uint i = g; i < n; i += s) sum += in[i & 4095];),
    ROUNDS(int, for (int i = g; i < n; i += s) sum += in[i & 4095];),
    ROUNDS(ulong, for (ulong i = g; i < n; i += s) sum += in[i & 4095];),
    ROUNDS(ulong, for (ulong i = g; n > i; i += s) sum ^= in[i & 4095];),
    ROUNDS(int, for (int i = g; i <= n; ++i) sum += in[i & 4095];),
    ROUNDS(uint, for (uint i = g * 3; n >= i; i += s) sum += in[i & 4095];),
    // Downwards, the last work-items leave first.
    ROUNDS(int, for (int i = n - g; i > 0; i -= s) sum += in[i & 4095];),
    ROUNDS(int, for (int i = n - g; i >= 5; i -= 3) sum += in[i & 4095];),
    ROUNDS(int, for (int i = n - 5 * g; i > -300; i -= s) sum += in[i & 4095];),
    // The first work-items have numbers next to the greatest.
    ROUNDS(uint, for (uint i = g - 20; i > (uint)-300; i += s) sum += in[i & 4095] + 1;),
    ROUNDS(uint, for (uint i = g - 20; i < n; i += s) sum += in[i & 4095] + 1;),
    ROUNDS(ulong, for (ulong i = g - 20; i < n; i += s) sum += in[i & 4095] + 1;),
    ROUNDS(ulong, for (ulong i = g - 20; i > (ulong)-300; i += s) sum += in[i & 4095] + 1;),
    ROUNDS(uint, for (uint i = n - g; i > 0 && i < 100; --i) sum += in[i & 4095];),
    // More than a body of one block, and values that the loop leaves behind.
    ROUNDS(
        int, for (int i = g; i < n; i += s) {
          if (in[i & 4095] & 1)
            continue;
          sum += in[i & 4095] * 3;
        }),
    ROUNDS(
        int, int i = g, last = -1; while (i < n) {
          for (int j = 0; j < 3; ++j)
            sum += in[(i + j) & 4095];
          last = i;
          i += s;
        } sum += i * 7 + last;),
    ROUNDS(
        uint, uint i = g; while (1) {
          if (i >= n)
            break;
          sum += in[i & 4095];
          i += s;
        }),
    ROUNDS(
        int, for (int i = g; i < n; i += s) {
          sum += in[i & 4095];
          if (sum > 2000000)
            break;
        }),
    ROUNDS(
        int, int i = g; do {
          sum += in[i & 4095];
          i += s;
        } while (i < n);),
    // Within another loop, and where only some work-items come to it.
    ROUNDS(
        int, for (int k = 0; k < 3; ++k) for (int i = g + k; i < n; i += s) sum +=
             in[i & 4095] + k;),
    ROUNDS(
        int, if (in[g & 4095] & 1) for (int i = g; i < n; i += s) sum += in[i & 4095];),
    // Over neighbours: all work-items leave together.
    ROUNDS(int, for (int i = g - n; i <= g + n; ++i) sum += in[i & 4095] * (i + 1);),
    ROUNDS(int, for (int i = g - n; i < g + n + 1; i += 3) sum += in[i & 4095] - i;),
    ROUNDS(int, for (int i = 2 * g + n; i > 2 * g - 5; --i) sum += in[i & 4095] * 2;),
    ROUNDS(int, for (int i = g + 7; g + n > i; i += 2) sum += in[i & 4095];),
    ROUNDS(long, for (long i = g - n; i <= g + n; ++i) sum += in[i & 4095] ^ (int)i;),
    ROUNDS(
        int, for (int j = g - 2; j <= g + 2; ++j) for (int i = j - 3; i <= j + 3; ++i) sum +=
             in[(i + j * 64) & 4095];),
    ROUNDS(
        int, int i = g - 4; do {
          sum += in[i & 4095];
          ++i;
        } while (i < g + n);
        sum += i;),
    ROUNDS(
        int, int i = g - 9; for (; i != g + 9; ++i) if (in[i & 4095] > 1000000) break;
        sum = i - g;),
    // With an exit by what was read, and one that those which are left take together.
    ROUNDS(
        int, int last = -1; for (int i = 0; i < n; ++i) if (in[(i + g) & 4095] % 97 == 5) {
          last = i;
          break;
        } sum = last;),
    ROUNDS(
        int, int i = 0; while (1) {
          if (i == n || i == 300) {
            sum -= i;
            break;
          }
          if (in[(i * 5 + g) & 4095] % 41 == 3) {
            sum += 1000 * i;
            break;
          }
          ++i;
        }),
    ROUNDS(
        int, int i = 0; do {
          if (in[(i + g) & 4095] % 53 == 1)
            break;
          sum += in[i & 4095] & 7;
        } while (++i < n);
        sum ^= i;),
    ROUNDS(
        int, for (int j = 0; j < 5; ++j) {
          if (in[(j * 9 + g) & 4095] % 3 == 0)
            continue;
          int i = 0;
          for (; i < n; ++i)
            if (in[(i + j + g) & 4095] % 61 == 0)
              break;
          sum = sum * 3 + i;
          if (sum % 5 == 4)
            break;
        }),
    ROUNDS(
        int, for (int j = 0; j < 4; ++j) for (int i = 0; i < n; ++i) {
          if (in[(i * 3 + j + g) & 4095] % 71 == 0) {
            sum += i;
            goto found;
          }
          sum ^= i + j;
        } sum -= 5;
        found: sum += 1;),
    ROUNDS(
        int, if (in[g & 4095] & 1) for (int j = 0; j < 3; ++j) for (int i = 0; i < n; ++i) {
          if (i > 50)
            goto end;
          if (in[(i + j * g) & 4095] % 31 == 0)
            break;
          sum += i;
        } end: sum *= 2;),
    // Not where unsigned numbers may wrap.
    ROUNDS(uint, for (uint i = g - 3; i < g + n; ++i) sum += in[i & 4095];),
};

TEST(PacketIterations, MakeTheRightOnes) {
  for (const Iterations& iterations : loops) {
    SCOPED_TRACE(std::string(iterations.text) + " for " + iterations.type);
    const std::string source = std::string("kernel void k(global int* in, global int* out, ") +
                               "int number) {\n  " + iterations.type +
                               " g = get_global_id(0), n = number, s = 64;\n  int sum = 0;\n  " +
                               iterations.text + "\n  out[get_global_id(0)] = sum;\n}\n";
    expectItems(source, {0, 1, 40, 203, 1000}, iterations.expected);
    if (std::string_view(iterations.type) == "int") // billions of iterations for others
      expectItems(source, -5, iterations.expected);
  }
}

TEST(PacketIterations, WriteWhatTheyWrite) {
  // Each element is written by one work-item, in one iteration.
  Program program = build("kernel void k(global int* out, uint n) {"
                          "  for (uint i = get_global_id(0); i < n; i += get_global_size(0))"
                          "    out[i] += i * 3 + 1;"
                          "}",
                          openClC3);
  for (const cl_uint n : {0u, 1u, 200u, 203u, 204u, 1000u, 1024u}) {
    Buffer<cl_int> out(1100, 5);
    run(program, "k", {{packetItems}, {64}}, out, n);
    EXPECT_EQ(out.read(),
              tabulate<cl_int>(1100, [&](size_t i) { return i < n ? 5 + cl_int(i) * 3 + 1 : 5; }));
  }
}

} // namespace
} // namespace quern::tests
