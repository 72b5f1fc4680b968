// Loops that sum up in memory, at an address that all their iterations share.
#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

TEST(PacketAccumulators, ownElement) {
  expectItems(R"(kernel void k(global const int* restrict in, global int* restrict out, int n) {
        int g = get_global_id(0);
        for (int i = 0; i < n; ++i)
          out[g] += in[i * 7 + g] ^ i;
      })",
              {0, 1, 17}, [](const auto& in, int g, int count) {
                cl_uint sum = -1;
                for (int i = 0; i < count; ++i)
                  sum += in[i * 7 + g] ^ i;
                return cl_int(sum);
              });
}

// Some work-items have no iteration, and leave their element as it was.
TEST(PacketAccumulators, divergentIterations) {
  expectItems(R"(kernel void k(global const int* restrict in, global int* restrict out, int n) {
      int g = get_global_id(0);
      for (int i = n; i < g % 6; ++i)
        out[g] = out[g] * 3 + in[i * 200 + g];
    })",
              2, [](const auto& in, int g, int n) {
                cl_uint value = -1;
                for (int i = n; i < g % 6; ++i)
                  value = value * 3 + in[i * 200 + g];
                return cl_int(value);
              });
}

// The address is that of an iteration of the loop around, which begins at the work-item's own id.
TEST(PacketAccumulators, triangle) {
  constexpr int size = 45, terms = 9;
  const std::vector<cl_int> input = noise(size_t{size} * terms, 1 << 10);
  std::vector<cl_int> wanted(size * size, -1);
  for (int row = 0; row < size; ++row)
    for (int column = row; column < size; ++column) {
      cl_int sum = 0;
      for (int i = 0; i < terms; ++i)
        sum += input[i * size + row] * input[i * size + column];
      wanted[row * size + column] = wanted[column * size + row] = sum;
    }
  Program program = build(R"(kernel void k(global const int* restrict in, global int* restrict out,
                                           int size, int terms) {
      int row = get_global_id(0);
      if (row < size)
        for (int column = row; column < size; ++column) {
          out[row * size + column] = 0;
          for (int i = 0; i < terms; ++i)
            out[row * size + column] += in[i * size + row] * in[i * size + column];
          out[column * size + row] = out[row * size + column];
        }
    })");
  Buffer<cl_int> in(input);
  for (size_t local : {1, 4, 16, 64}) {
    SCOPED_TRACE(local);
    Buffer<cl_int> out(wanted.size(), -1);
    run(program, "k", {{64}, {local}}, in, out, size, terms);
    EXPECT_EQ(out.read(), wanted);
  }
}

// What is read may be what was written before.
TEST(PacketAccumulators, sameBuffer) {
  Program program = build(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0);
      for (int i = 0; i < n; ++i)
        out[g] += in[g] + 1;
    })");
  for (size_t local : {1, 16, 64}) {
    SCOPED_TRACE(local);
    Buffer<cl_int> buffer(noise(64, 1 << 10));
    run(program, "k", {{64}, {local}}, buffer, buffer, 5);
    EXPECT_EQ(buffer.read(),
              tabulate<cl_int>(64, [](size_t item) { return 32 * noise(64, 1 << 10)[item] + 31; }));
  }
}

} // namespace
} // namespace quern::tests
