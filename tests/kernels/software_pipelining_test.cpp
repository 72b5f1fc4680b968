// Loops whose iterations are long chains of operations, so that the compiler overlaps them, with
// any number of iterations; compared with the host.
#include "kernels/packet_fixture.h"

#include <cmath>

namespace quern::tests {
namespace {

constexpr cl_int counts[] = {0, 1, 2, 3, 4, 5, 38, 63};

cl_uint mixed(cl_uint x) {
  for (int i = 0; i < 8; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

const std::string mixing = R"(
    #define MIX x ^= x << 13; x ^= x >> 17; x ^= x << 5;
    uint mixed(uint x) { MIX MIX MIX MIX MIX MIX MIX MIX return x; }
  )";

TEST(SoftwarePipelining, sumsOfLongChains) {
  for (const cl_int count : counts) {
    SCOPED_TRACE(count);
    expectItems(mixing + R"(kernel void k(global const int* in, global int* out, int n) {
        uint own = in[get_global_id(0)], sum = 0;
        for (int j = 0; j < n; ++j) sum += mixed(own ^ in[j]);
        out[get_global_id(0)] = sum;
      })",
                count, [](const std::vector<cl_int>& in, int item, cl_int n) {
                  cl_uint sum = 0;
                  for (cl_int j = 0; j < n; ++j)
                    sum += mixed(cl_uint(in[item]) ^ cl_uint(in[j]));
                  return cl_int(sum);
                });
  }
}

// Both halves need the counter, and what comes after the loop needs values of both.
TEST(SoftwarePipelining, valuesThatLeaveTheLoop) {
  for (const cl_int count : counts) {
    SCOPED_TRACE(count);
    expectItems(mixing + R"(kernel void k(global const int* in, global int* out, int n) {
        uint own = in[get_global_id(0)], sum = 1, before = 5, last = 3, j = 0;
        for (; j < n; ++j) {
          last = own ^ in[j] ^ j;
          uint x = mixed(last);
          sum = (sum ^ before) + x * (j + 1);
          before = x;
        }
        out[get_global_id(0)] = sum ^ last ^ before * 3 ^ j;
      })",
                count, [](const std::vector<cl_int>& in, int item, cl_int n) {
                  cl_uint sum = 1, before = 5, last = 3;
                  for (cl_uint j = 0; j < cl_uint(n); ++j) {
                    last = cl_uint(in[item]) ^ cl_uint(in[j]) ^ j;
                    const cl_uint x = mixed(last);
                    sum = (sum ^ before) + x * (j + 1);
                    before = x;
                  }
                  return cl_int(sum ^ last ^ before * 3 ^ cl_uint(n));
                });
  }
}

TEST(SoftwarePipelining, distances) {
  for (const cl_int count : counts) {
    SCOPED_TRACE(count);
    const std::vector<cl_float> in =
        tabulate<cl_float>(packetItems, [](size_t i) { return cl_float(i * 37 % 101) / 16; });
    Program program = build(R"(kernel void k(global const float* in, global float* out, int n) {
        float own = in[get_global_id(0)], sum = 0;
        for (int j = 0; j < n; ++j) {
          float way = in[j] - own, inverse = rsqrt(way * way + 0.25f);
          sum += way * (inverse * inverse * inverse);
        }
        out[get_global_id(0)] = sum;
      })");
    Buffer<cl_float> input(in), output(packetItems, -1.0f);
    run(program, "k", {{packetItems}}, input, output, count);
    const std::vector<cl_float> sums = output.read();
    for (size_t item = 0; item < packetItems; ++item) {
      double sum = 0;
      for (cl_int j = 0; j < count; ++j) {
        const double way = double(in[j]) - in[item];
        sum += way / std::pow(way * way + 0.25, 1.5);
      }
      EXPECT_NEAR(sums[item], sum, 1e-5 * (count + 1)) << item;
    }
  }
}

} // namespace
} // namespace quern::tests
