// Private arrays of any size, with and without barriers, in groups of any size.
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

/// Every item fills SIZE bytes of its own and sums them in another order; with BARRIER, across
/// barriers.
constexpr const char* largeSource = R"(
  kernel void k(global uint* out, uint stride) {
    uint data[SIZE / 4];
    uint g = (uint)get_global_id(0);
    for (uint j = 0; j < SIZE / 4; ++j)
      data[j] = g * 31 + j;
#ifdef BARRIER
    barrier(CLK_GLOBAL_MEM_FENCE);
    data[g % (SIZE / 4)] += 5;
    barrier(CLK_GLOBAL_MEM_FENCE);
#else
    data[g % (SIZE / 4)] += 5;
#endif
    uint sum = 0, at = 0;
    for (uint j = 0; j < SIZE / 4; ++j) {
      sum = sum * 33 + data[at];
      at = (at + stride) % (SIZE / 4);
    }
    out[g] = sum;
  })";

void expectLarge(size_t bytes, size_t global, size_t local, bool barrier) {
  SCOPED_TRACE(std::to_string(bytes) + " bytes, local size " + std::to_string(local) +
               (barrier ? ", barrier" : ""));
  Program program =
      build(largeSource, "-DSIZE=" + std::to_string(bytes) + (barrier ? " -DBARRIER" : ""));
  Buffer<cl_uint> out(global);
  run(program, "k", {{global}, {local}}, out, cl_uint{3});
  EXPECT_EQ(out.read(), tabulate<cl_uint>(global, [&](size_t g) {
              size_t count = bytes / 4, at = 0;
              cl_uint sum = 0;
              for (size_t j = 0; j < count; ++j) {
                sum = sum * 33 + cl_uint(g * 31 + at + (at == g % count ? 5 : 0));
                at = (at + 3) % count;
              }
              return sum;
            }));
}

TEST(PrivateMemory, sizesFromSmallToLarge) {
  for (size_t bytes : {16, 64, 400, 4096, 65536})
    for (bool barrier : {false, true})
      expectLarge(bytes, 64, 16, barrier);
}

TEST(PrivateMemory, largeArraysInLargeGroups) {
  expectLarge(4096, 512, 256, false);
  expectLarge(4096, 512, 256, true);
}

TEST(PrivateMemory, largestGroupWithBarriers) {
  size_t local = Device::get().maxWorkGroupSize();
  expectLarge(1024, local, local, true);
}

/// GPUs have less, and say so when the kernel is enqueued.
TEST(PrivateMemory, oneMebibyteForEachItem) {
  if (Device::get().info<cl_device_type>(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU)
    EXPECT_THROW(expectLarge(1 << 20, 8, 4, true), std::runtime_error);
  else
    expectLarge(1 << 20, 8, 4, true);
}

TEST(PrivateMemory, dynamicIndexing) {
  Program program = build(R"(kernel void k(global int* out) {
    int a[7] = {3, 1, 4, 1, 5, 9, 2};
    int g = get_global_id(0);
    for (int t = 0; t < 20; ++t) {
      int j = (a[(g + t) % 7] & 0x7fff) % 7;
      a[j] += g + t;
      a[(j * 3 + t) % 7] ^= a[t % 7];
    }
    int sum = 0;
    for (int j = 0; j < 7; ++j)
      sum = sum * 5 + a[j];
    out[g] = sum;
  })");
  Buffer<cl_int> out(100);
  run(program, "k", {{100}, {20}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(100, [](size_t item) {
              int a[7] = {3, 1, 4, 1, 5, 9, 2}, g = int(item);
              for (int t = 0; t < 20; ++t) {
                int j = (a[(g + t) % 7] & 0x7fff) % 7;
                a[j] += g + t;
                a[(j * 3 + t) % 7] ^= a[t % 7];
              }
              unsigned sum = 0;
              for (int value : a)
                sum = sum * 5 + value;
              return sum;
            }));
}

TEST(PrivateMemory, arraysOfArraysVectorsAndStructures) {
  Program program = build(R"(
    typedef struct { int a; float2 v[2]; } S;
    int total(const int grid[3][4], const S* s, int count) {
      int sum = 0;
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x)
          sum += grid[y][x] * (y + 1);
      for (int j = 0; j < count; ++j)
        sum += s[j].a + (int)(s[j].v[1].x + s[j].v[0].y);
      return sum;
    }
    kernel void k(global int* out) {
      int grid[3][4], g = get_global_id(0);
      float4 points[3] = {(float4)(0), (float4)(1, 2, 3, 4), (float4)(g)};
      S s[5];
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x)
          grid[y][x] = g + x * y;
      for (int j = 0; j < 5; ++j) {
        s[j].a = j;
        s[j].v[0] = (float2)(0, j);
        s[j].v[1] = (float2)(g, 0);
      }
      points[g % 3].z += 10;
      out[g] = total(grid, s, g % 6) + (int)(points[0].z + points[1].z + points[2].z);
    })");
  Buffer<cl_int> out(60);
  run(program, "k", {{60}, {12}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(60, [](size_t item) {
              int g = int(item), sum = 0;
              for (int y = 0; y < 3; ++y)
                for (int x = 0; x < 4; ++x)
                  sum += (g + x * y) * (y + 1);
              for (int j = 0; j < g % 6; ++j)
                sum += j + g + j;
              return sum + 3 + g + 10;
            }));
}

TEST(PrivateMemory, castedBetweenTypes) {
  Program program = build(R"(kernel void k(global uint* out) {
    uint g = (uint)get_global_id(0), words[4] = {g, g + 1, g + 2, g + 3};
    uchar* bytes = (uchar*)words;
    uchar swapped[16];
    for (int j = 0; j < 16; ++j)
      swapped[j] = bytes[j ^ 3];
    uint4 v = vload4(0, (uint*)words);
    out[g] = as_uint((uchar4)(swapped[0], swapped[1], swapped[2], swapped[3])) + v.w;
  })");
  Buffer<cl_uint> out(300);
  run(program, "k", {{300}, {30}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(300, [](size_t g) {
              return __builtin_bswap32(cl_uint(g)) + cl_uint(g) + 3;
            }));
}

// Arrays are not shared between items even when one stack frame serves them all.
TEST(PrivateMemory, uninitialisedArraysInLoopsAreSeparate) {
  Program program = build(R"(
    int work(int seed) {
      int scratch[50];
      for (int j = 0; j < 50; ++j)
        scratch[j] = seed + j;
      for (int j = 1; j < 50; ++j)
        scratch[j] += scratch[j - 1] & 7;
      return scratch[49];
    }
    kernel void k(global int* out) {
      int g = get_global_id(0), sum = 0;
      for (int t = 0; t < 8; ++t) {
        sum += work(g + t);
        barrier(CLK_GLOBAL_MEM_FENCE);
      }
      out[g] = sum;
    })");
  Buffer<cl_int> out(64);
  run(program, "k", {{64}, {32}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(64, [](size_t g) {
              int sum = 0;
              for (int t = 0; t < 8; ++t) {
                int previous = int(g) + t;
                for (int j = 1; j < 50; ++j)
                  previous = int(g) + t + j + (previous & 7);
                sum += previous;
              }
              return sum;
            }));
}

TEST(PrivateMemory, initialisedTablesWithBarriers) {
  Program program = build(R"(kernel void k(global int* out, local int* l) {
    const int primes[10] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
    int own[4] = {0};
    int i = get_local_id(0), n = get_local_size(0);
    l[i] = primes[i % 10];
    own[i & 3] = primes[(i + 1) % 10];
    barrier(CLK_LOCAL_MEM_FENCE);
    own[(i + 1) & 3] = l[n - 1 - i] * primes[i % 10];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = own[0] + own[1] + own[2] + own[3];
  })");
  Buffer<cl_int> out(40);
  run(program, "k", {{40}, {20}}, out, LocalBytes{80});
  EXPECT_EQ(out.read(), tabulate<cl_int>(40, [](size_t g) {
              const int primes[10] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
              size_t i = g % 20;
              return primes[(i + 1) % 10] + primes[(19 - i) % 10] * primes[i % 10];
            }));
}

} // namespace
} // namespace quern::tests
