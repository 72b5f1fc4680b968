// Work-items that each walk along a row of their own.
#include <algorithm>

#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

// In any order, so that the elements of one row may be added side by side.
TEST(PacketRowSums, integers) {
  expectItems(R"(kernel void k(global const int* restrict in, global int* restrict out, int n) {
        int g = get_global_id(0), all = 0, bits = 7, least = 1 << 20;
        for (int i = 0; i < n; ++i)
          all += in[g * 20 + i];
        for (int i = 0; i < 20; ++i)
          bits ^= in[g * 20 + i];
        for (int i = 0; i < 20; ++i)
          least = min(least, in[g * 20 + i]);
        out[g] = all * 3 + bits * 5 + least;
      })",
              {0, 1, 15, 20}, [](const auto& in, int g, int count) {
                const auto row = in.begin() + g * 20;
                cl_uint all = 0, bits = 7;
                for (int i = 0; i < count; ++i)
                  all += cl_uint(row[i]);
                for (int i = 0; i < 20; ++i)
                  bits ^= cl_uint(row[i]);
                return cl_int(all * 3 + bits * 5 + cl_uint(*std::min_element(row, row + 20)));
              });
}

TEST(PacketRowSums, bytes) {
  constexpr size_t items = 75, length = 256;
  const std::vector<cl_char> input =
      tabulate<cl_char>(items * length, [](size_t i) { return cl_char(i * 2654435761u >> 11); });
  const std::vector<cl_int> wanted = tabulate<cl_int>(items, [&](size_t item) {
    cl_int sum = 0;
    for (size_t i = 0; i < length; ++i)
      sum += input[item * length + i];
    return sum;
  });
  Program program = build(R"(
      kernel void bytes(global const char* in, global int* out) {
        int g = get_global_id(0), sum = 0;
        for (int i = 0; i < 256; ++i)
          sum += in[g * 256 + i];
        out[g] = sum;
      }
      kernel void fours(global const char4* in, global int* out) {
        int g = get_global_id(0);
        int4 sum = 0;
        for (int i = 0; i < 64; ++i)
          sum += convert_int4(in[g * 64 + i]);
        out[g] = sum.x + sum.y + sum.z + sum.w;
      })");
  Buffer<cl_char> in(input);
  for (const char* kernel : {"bytes", "fours"})
    for (size_t local : {1, 5, 25, 75}) {
      SCOPED_TRACE(kernel);
      SCOPED_TRACE(local);
      Buffer<cl_int> out(items, -1);
      run(program, kernel, {{items}, {local}}, in, out);
      EXPECT_EQ(out.read(), wanted);
    }
}

// The sums are exact, in whatever order.
TEST(PacketRowSums, vectors) {
  constexpr size_t items = 40, length = 64;
  const std::vector<cl_float> input = tabulate<cl_float>(
      items * length * 8, [](size_t i) { return cl_float(cl_uint(i * 2654435761u) >> 22); });
  const std::vector<cl_float> wanted = tabulate<cl_float>(items * 8, [&](size_t element) {
    cl_float sum = 0;
    for (size_t i = 0; i < length; ++i)
      sum += input[(element / 8 * length + i) * 8 + element % 8] * 2;
    return sum;
  });
  Program program = build(R"(kernel void k(global const float8* in, global float8* out) {
      int g = get_global_id(0);
      float8 sum = 0;
      for (int i = 0; i < 64; ++i)
        sum = fma(in[g * 64 + i], 2, sum);
      out[g] = sum;
    })");
  Buffer<cl_float> in(input);
  for (size_t local : {1, 8, 20, 40}) {
    SCOPED_TRACE(local);
    Buffer<cl_float> out(wanted.size(), -1);
    run(program, "k", {{items}, {local}}, in, out);
    EXPECT_EQ(out.read(), wanted);
  }
}

} // namespace
} // namespace quern::tests
