#include "kernels/kernel_fixture.h"

#include <algorithm>
#include <numeric>

namespace quern::tests {
namespace {

std::vector<cl_int> noise(size_t count, unsigned limit) {
  unsigned state = 12345;
  return tabulate<cl_int>(count, [&](size_t) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
  });
}

TEST(Algorithms, tiledMatrixProduct) {
  constexpr int n = 48;
  auto small = [](const std::vector<cl_int>& values) {
    return std::vector<cl_float>(values.begin(), values.end());
  };
  std::vector<cl_float> a = small(noise(n * n, 16)), b = small(noise(n * n + 7, 16));
  b.resize(n * n);
  Program program = buildFile("algorithms.cl");
  Buffer<cl_float> bufferA(a), bufferB(b), c(n * n);
  run(program, "matmulTiled", {{n, n}, {8, 8}}, bufferA, bufferB, c, cl_int{n});
  EXPECT_EQ(c.read(), tabulate<cl_float>(n * n, [&](size_t i) {
              cl_float sum = 0; // exact: all values are small integers
              for (size_t k = 0; k < n; ++k)
                sum += a[i / n * n + k] * b[k * n + i % n];
              return sum;
            }));
}

TEST(Algorithms, tiledTransposition) {
  constexpr int width = 40, height = 24;
  std::vector<cl_int> in = noise(width * height, 1 << 20);
  Buffer<cl_int> bufferIn(in), out(in.size());
  run(buildFile("algorithms.cl"), "transposeTiled", {{width, height}, {8, 8}}, bufferIn, out,
      cl_int{width}, cl_int{height});
  EXPECT_EQ(out.read(), tabulate<cl_int>(in.size(), [&](size_t i) {
              return in[i % height * width + i / height];
            }));
}

TEST(Algorithms, treeReduction) {
  std::vector<cl_int> in = noise(1024, 1000);
  Program program = buildFile("algorithms.cl");
  Buffer<cl_int> bufferIn(in);
  forEachLocalSize({1, 2, 8, 64, 256, 1024}, [&](size_t local) {
    Buffer<cl_int> sums(1024 / local);
    run(program, "reduceTree", {{1024}, {local}}, bufferIn, sums, LocalBytes{local * 4});
    EXPECT_EQ(sums.read(), tabulate<cl_int>(1024 / local, [&](size_t g) {
                auto start = in.begin() + g * local;
                return std::accumulate(start, start + local, 0);
              }));
  });
}

TEST(Algorithms, inclusiveScan) {
  std::vector<cl_int> in = noise(600, 1000);
  Program program = buildFile("algorithms.cl");
  Buffer<cl_int> bufferIn(in);
  forEachLocalSize({1, 3, 8, 50, 200, 300}, [&](size_t local) {
    Buffer<cl_int> out(600);
    run(program, "scanInclusive", {{600}, {local}}, bufferIn, out, LocalBytes{local * 4},
        LocalBytes{local * 4});
    std::vector<cl_int> expected(600);
    for (size_t g = 0; g < 600; g += local)
      std::partial_sum(in.begin() + g, in.begin() + g + local, expected.begin() + g);
    EXPECT_EQ(out.read(), expected);
  });
}

TEST(Algorithms, exclusiveScan) {
  std::vector<cl_int> in = noise(1024, 1000);
  Program program = buildFile("algorithms.cl");
  Buffer<cl_int> bufferIn(in);
  forEachLocalSize({1, 4, 32, 256, 512}, [&](size_t local) {
    Buffer<cl_int> out(1024);
    run(program, "scanExclusive", {{512}, {local}}, bufferIn, out, LocalBytes{local * 8});
    std::vector<cl_int> expected(1024);
    for (size_t g = 0; g < 1024; g += 2 * local)
      std::exclusive_scan(in.begin() + g, in.begin() + g + 2 * local, expected.begin() + g, 0);
    EXPECT_EQ(out.read(), expected);
  });
}

TEST(Algorithms, bitonicSort) {
  Program program = buildFile("algorithms.cl");
  forEachLocalSize({1, 2, 16, 128, 512}, [&](size_t local) {
    std::vector<cl_int> keys = noise(1024, 5000);
    Buffer<cl_int> buffer(keys);
    run(program, "sortBitonic", {{1024}, {local}}, buffer, LocalBytes{local * 4});
    for (size_t g = 0; g < 1024; g += local)
      std::sort(keys.begin() + g, keys.begin() + g + local);
    EXPECT_EQ(buffer.read(), keys);
  });
}

TEST(Algorithms, histogramWithLocalAtomics) {
  constexpr int count = 30011;
  std::vector<cl_uchar> data = tabulate<cl_uchar>(count, [](size_t i) { return i * i / 7 % 251; });
  std::vector<cl_uint> expected(256);
  for (cl_uchar value : data)
    ++expected[value];
  Program program = buildFile("algorithms.cl");
  Buffer<cl_uchar> buffer(data);
  forEachLocalSize({1, 7, 32, 256}, [&](size_t local) {
    Buffer<cl_uint> bins(256);
    run(program, "histogram", {{local * 6}, {local}}, buffer, cl_int{count}, bins);
    EXPECT_EQ(bins.read(), expected);
  });
}

TEST(Algorithms, relaxationInsideATile) {
  constexpr int w = 12, h = 10, steps = 9, groups = 5;
  std::vector<cl_int> grid = noise(w * h * groups, 1 << 16);
  Buffer<cl_int> buffer(grid);
  run(buildFile("algorithms.cl"), "relax", {{w * groups, h}, {w, h}}, buffer, cl_int{steps},
      LocalBytes{w * h * 4});
  for (int s = 0; s < steps; ++s) {
    std::vector<cl_int> old = grid;
    for (int g = 0; g < groups; ++g)
      for (int y = 1; y < h - 1; ++y)
        for (int x = 1; x < w - 1; ++x) {
          int i = g * w * h + y * w + x;
          grid[i] = (old[i - 1] + old[i + 1] + old[i - w] + old[i + w] + 4 * old[i]) / 8;
        }
  }
  EXPECT_EQ(buffer.read(), grid);
}

} // namespace
} // namespace quern::tests
