// Loops that add up more numbers than there are registers.
#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

constexpr int tile = 8, columns = 20, rows = 6;

/// c = a * b, where both are stored by their inner dimension: each work-item makes 8 x 8 elements.
std::vector<cl_int> product(const std::vector<cl_int>& a, const std::vector<cl_int>& b, int depth) {
  std::vector<cl_int> c(columns * tile * rows * tile);
  for (int y = 0; y < rows * tile; ++y)
    for (int x = 0; x < columns * tile; ++x) {
      cl_uint sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += cl_uint(a[k * columns * tile + x]) * cl_uint(b[k * rows * tile + y]);
      c[y * columns * tile + x] = cl_int(sum);
    }
  return c;
}

void expectProduct(const std::string& source, std::initializer_list<std::array<size_t, 2>> locals) {
  Program program = build(source);
  for (int depth : {0, 1, 2, 33}) {
    SCOPED_TRACE(depth);
    const std::vector<cl_int> a = noise(size_t(33) * columns * tile, 1 << 12);
    const std::vector<cl_int> b = noise(size_t(33) * rows * tile, 1 << 12);
    const std::vector<cl_int> wanted = product(a, b, depth);
    Buffer<cl_int> left(a), right(b);
    for (const auto& [x, y] : locals) {
      SCOPED_TRACE(x);
      SCOPED_TRACE(y);
      Buffer<cl_int> out(wanted.size(), -1);
      run(program, "k", {{columns, rows}, {x, y}}, left, right, out, depth);
      EXPECT_EQ(out.read(), wanted);
    }
  }
}

TEST(PacketSplitAccumulators, neighbouringElements) {
  expectProduct(R"(kernel void k(global const int* restrict a, global const int* restrict b,
                                 global int* restrict c, int depth) {
      const int x = get_global_id(0) * 8, y = get_global_id(1) * 8;
      const int width = get_global_size(0) * 8, height = get_global_size(1) * 8;
      int sums[8][8] = {{0}};
      for (int k = 0; k < depth; ++k) {
        int left[8], right[8];
        for (int i = 0; i < 8; ++i)
          left[i] = a[k * width + x + i];
        for (int i = 0; i < 8; ++i)
          right[i] = b[k * height + y + i];
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 8; ++j)
            sums[i][j] += left[i] * right[j];
      }
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i)
          c[(y + j) * width + x + i] = sums[i][j];
    })",
                {{1, 1}, {4, 2}, {20, 1}, {5, 6}, {20, 6}});
}

// Elements that the work-items of a group have side by side.
TEST(PacketSplitAccumulators, elementsApart) {
  expectProduct(R"(kernel void k(global const int* restrict a, global const int* restrict b,
                                 global int* restrict c, int depth) {
      const int x = get_global_id(0), y = get_global_id(1);
      const int across = get_global_size(0), down = get_global_size(1);
      int sums[8][8] = {{0}};
      for (int k = 0; k < depth; ++k)
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 8; ++j)
            sums[i][j] += a[(k * 8 + i) * across + x] * b[(k * 8 + j) * down + y];
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i)
          c[(j * down + y) * 8 * across + i * across + x] = sums[i][j];
    })",
                {{1, 1}, {4, 2}, {20, 1}, {5, 6}, {20, 6}});
}

// Tiles of both matrices in local memory, in which the sums wait at barriers.
TEST(PacketSplitAccumulators, localTiles) {
  expectProduct(R"(kernel void k(global const int* restrict a, global const int* restrict b,
                                 global int* restrict c, int depth) {
      local int left[4][20 * 8 + 1], right[4][6 * 8 + 1];
      const int x = get_local_id(0), y = get_local_id(1);
      const int item = y * 20 + x;
      int sums[8][8] = {{0}};
      for (int first = 0; first < depth; first += 4) {
        for (int i = item; i < 4 * 160; i += 120)
          left[i / 160][i % 160] = first + i / 160 < depth ? a[first * 160 + i] : 0;
        for (int i = item; i < 4 * 48; i += 120)
          right[i / 48][i % 48] = first + i / 48 < depth ? b[first * 48 + i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 4; ++k)
          for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j)
              sums[i][j] += left[k][x * 8 + i] * right[k][y * 8 + j];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i)
          c[(y * 8 + j) * 160 + x * 8 + i] = sums[i][j];
    })",
                {{20, 6}});
}

// What is left of the last iteration: a value that belongs to no sum, and one before it was added.
TEST(PacketSplitAccumulators, exitValues) {
  expectItems(R"(kernel void k(global const int* restrict in, global int* restrict out, int n) {
        int g = get_global_id(0), last = 3, before = 0;
        int sums[40] = {0};
        for (int i = 0; i < n; ++i) {
          last = in[i * 203 + g];
          before = sums[38];
          for (int j = 0; j < 40; ++j)
            sums[j] += last * (j + 1) ^ i;
        }
        int result = last * 5 + before;
        for (int j = 0; j < 40; ++j)
          result = result * 3 + sums[j];
        out[g] = result;
      })",
              {0, 1, 5}, [](const auto& in, int g, int count) {
                cl_uint sums[40] = {}, last = 3, before = 0;
                for (int i = 0; i < count; ++i) {
                  last = in[i * 203 + g];
                  before = sums[38];
                  for (cl_uint j = 0; j < 40; ++j)
                    sums[j] += last * (j + 1) ^ cl_uint(i);
                }
                cl_uint result = last * 5 + before;
                for (const cl_uint sum : sums)
                  result = result * 3 + sum;
                return cl_int(result);
              });
}

// Sums that need each other, or of which one value is made, stay in one loop.
TEST(PacketSplitAccumulators, sumsOfSums) {
  expectItems(R"(kernel void k(global const int* restrict in, global int* restrict out, int n) {
      int g = get_global_id(0), both = 0, chain = 1, next = 2;
      int sums[40] = {0};
      for (int i = 0; i < n; ++i) {
        int v = in[i * 203 + g];
        both = sums[0] ^ sums[39];
        int old = chain;
        chain = next + v;
        next = old ^ i;
        for (int j = 0; j < 40; ++j)
          sums[j] += v * (j + 1);
      }
      int result = both * 7 + chain * 3 + next;
      for (int j = 0; j < 40; ++j)
        result = result * 3 + sums[j];
      out[g] = result;
    })",
              6, [](const auto& in, int g, int n) {
                cl_uint sums[40] = {}, both = 0, chain = 1, next = 2;
                for (int i = 0; i < n; ++i) {
                  const cl_uint v = in[i * 203 + g];
                  both = sums[0] ^ sums[39];
                  const cl_uint old = chain;
                  chain = next + v;
                  next = old ^ cl_uint(i);
                  for (cl_uint j = 0; j < 40; ++j)
                    sums[j] += v * (j + 1);
                }
                cl_uint result = both * 7 + chain * 3 + next;
                for (const cl_uint sum : sums)
                  result = result * 3 + sum;
                return cl_int(result);
              });
}

} // namespace
} // namespace quern::tests
