// Private arrays of any size, with and without barriers, in groups of any size.
#include <bit>

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

/// Of a whole number from 1 to 2047.
cl_ushort asHalf(unsigned number) {
  const auto exponent = static_cast<unsigned>(std::bit_width(number)) - 1;
  return static_cast<cl_ushort>((exponent + 15) << 10 | (number << (10 - exponent) & 0x3ff));
}

/// The elements that functions for vectors of WIDTH of one type write to, in 2 bytes each.
struct VectorAccess {
  const char* store; ///< of the vector `x`, whose elements are the work-item's number, to `values`
  const char* load;  ///< of a vector from there, into `x`
  const char* element;
  unsigned width;
  size_t place; ///< in elements of 2 bytes
};

// Vectors in arrays of smaller elements, which are aligned to these: at places that are aligned as
// the vector is and, for functions that allow it, at others; in arrays that are there for a while,
// live across a barrier, have an index that is known late, or must be in memory.
TEST(PrivateMemory, vectorsInArraysOfSmallElements) {
  constexpr VectorAccess accesses[] = {
      {"vstorea_half8(x, 1, (private half*)values)", "x = vloada_half8(1, (private half*)values)",
       "float", 8, 8},
      {"vstorea_half16(x, n, (private half*)values)", "x = vloada_half16(n, (private half*)values)",
       "float", 16, 16},
      {"vstorea_half4(x, n + 1, (private half*)values)",
       "x = vloada_half4(n + 1, (private half*)values)", "float", 4, 8},
      {"vstorea_half2(x, 3, (private half*)values)", "x = vloada_half2(3, (private half*)values)",
       "float", 2, 6},
      {"vstore_half8(x, 0, (private half*)values + 3)",
       "x = vload_half8(0, (private half*)values + 3)", "float", 8, 3},
      {"vstore_half16(x, 0, (private half*)values + 4 + n)",
       "x = vload_half16(0, (private half*)values + 4 + n)", "float", 16, 5},
  };
  for (const VectorAccess& access : accesses)
    for (const char* kind : {"", "volatile"})
      for (const char* barrier : {"", "barrier(CLK_LOCAL_MEM_FENCE);"}) {
        SCOPED_TRACE(std::string(kind) + " " + access.store + " " + barrier);
        const std::string type = access.element + std::to_string(access.width);
        const Program program =
            build("kernel void k(global uint* out, int n) { int g = get_global_id(0);\n"
                  "char before[3] = {(char)n, 2, 3};\n" +
                  std::string(kind) + " private short values[37];\n" + type + " x = (" + type +
                  ")(g + 1);\n"
                  "for (int i = 0; i < 37; ++i) values[i] = i;\n" +
                  access.store + ";\n" + barrier + "\nx = 0;" + access.load +
                  ";\nuint sum = before[g % 3];\n"
                  "for (int i = 0; i < 37; ++i) sum = sum * 3 + (ushort)values[i];\n"
                  "out[g] = sum + (uint)(x.s0 + x.s" +
                  std::to_string(access.width == 16 ? 9 : access.width - 1) + "); }");
        Buffer<cl_uint> out(70);
        run(program, "k", {{70}, {35}}, out, cl_int{1});
        EXPECT_EQ(out.read(), tabulate<cl_uint>(70, [&](size_t g) {
                    cl_uint sum = static_cast<cl_uint>(g % 3 + 1);
                    for (size_t i = 0; i < 37; ++i)
                      sum = sum * 3 + (i - access.place < access.width
                                           ? asHalf(static_cast<unsigned>(g + 1))
                                           : static_cast<cl_ushort>(i));
                    return sum + 2 * static_cast<cl_uint>(g + 1);
                  }));
      }
}

// The same through casts and vloadn and vstoren, with elements of every size, in private and local
// memory and in tables of the program.
TEST(PrivateMemory, vectorsInBytes) {
  QUERN_NEEDS("OpenCL C 3.0.0", "__opencl_c_generic_address_space", "cl_khr_fp64");
  for (const char* element : {"char", "ushort", "int", "float", "ulong", "double"})
    for (const int width : {2, 4, 8, 16}) {
      SCOPED_TRACE(element + std::to_string(width));
      std::string table;
      for (int i = 0; i < 256; ++i)
        table += std::to_string(i * 7 % 64) + ",";
      const Program program = build("typedef " + std::string(element) + std::to_string(width) +
                                        " V;\n" + "constant uchar table[256] = {" + table + R"(};
          uint sumOf(const uchar* bytes) {
            uint sum = 0;
            for (int i = 0; i < 256; ++i)
              sum = sum * 5 + bytes[i];
            return sum;
          }
          kernel void k(global uint* out, int n) {
            int g = get_global_id(0), l = get_local_id(0);
            local uchar pad, shared[256];
            uchar own[259], copy[256];
            if (l == 0) {
              pad = 1;
              for (int i = 0; i < 256; ++i) shared[i] = table[i] + pad;
            }
            for (int i = 0; i < 259; ++i) own[i] = i;
            barrier(CLK_LOCAL_MEM_FENCE);
            ((private V*)own)[n] = ((local const V*)shared)[1];
            *((private V*)own) = ((constant V*)table)[1];
            for (int i = 0; i < 256; ++i) copy[i] = own[i];
            V v = *(private V*)(own + n * sizeof(V));
            *(private V*)copy = v;
            out[g] = sumOf(copy);
          })",
                                    openClC3);
      const size_t bytes = (element[0] == 'c'   ? 1
                            : element[0] == 'u' ? (element[1] == 's' ? 2 : 8)
                            : element[0] == 'd' ? 8
                                                : 4) *
                           static_cast<size_t>(width);
      Buffer<cl_uint> out(40);
      run(program, "k", {{40}, {20}}, out, cl_int{1});
      cl_uint wanted = 0;
      for (size_t i = 0; i < 256; ++i) {
        const size_t from = i < bytes ? i + bytes : i;
        wanted = wanted * 5 +
                 static_cast<cl_uint>(from >= bytes && from < 2 * bytes ? from * 7 % 64 + 1 : i);
      }
      EXPECT_EQ(out.read(), std::vector<cl_uint>(40, wanted));
    }
}

} // namespace
} // namespace quern::tests
