#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

TEST(LocalMemory, variablesOfSeveralTypes) {
  Program program = build(R"(kernel void k(global int* out) {
    local int numbers[64];
    local float4 points[64];
    local double last;
    local char flags[3][5];
    size_t i = get_local_id(0), n = get_local_size(0);
    numbers[i] = (int)i;
    points[i] = (float4)(i, i + 1, i + 2, i + 3);
    flags[i % 3][i % 5] = 1;
    if (i == n - 1)
      last = i * 0.5;
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t j = n - 1 - i;
    out[get_global_id(0)] = numbers[j] + (int)dot(points[j], (float4)(1, 0, 1, 0)) + (int)(last * 2) + flags[j % 3][j % 5];
  })");
  Buffer<cl_int> out(128);
  run(program, "k", {{128}, {64}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(128, [](size_t g) {
              size_t j = 63 - g % 64;
              return j + 2 * j + 2 + 63 + 1;
            }));
}

TEST(LocalMemory, argumentsVariablesAndBothTogether) {
  Program program =
      build(R"(kernel void k(local int* a, global int* out, local float* b, local long4* c) {
    local int own[32];
    size_t i = get_local_id(0), n = get_local_size(0);
    own[i] = (int)i;
    a[i] = (int)i * 10;
    a[n + i] = -1;
    b[i] = i * 0.25f;
    c[i] = (long4)(i, 2, 3, 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t j = (i + 5) % n;
    out[get_global_id(0)] = own[j] + a[j] + (int)(b[j] * 4) + (int)c[j].x + a[n + j];
  })");
  Buffer<cl_int> out(96);
  run(program, "k", {{96}, {32}}, LocalBytes{64 * 4}, out, LocalBytes{32 * 4}, LocalBytes{32 * 32});
  EXPECT_EQ(out.read(), tabulate<cl_int>(96, [](size_t g) { return (g % 32 + 5) % 32 * 13 - 1; }));
}

TEST(LocalMemory, variablesOfAllThatTheDeviceHas) {
  const auto bytes = Device::get().info<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  const cl_uint half = cl_uint(bytes / 2 / 64 * 16);
  const std::string use = R"(
      uint n = get_local_size(0);
      for (uint i = get_local_id(0); i < count; i += n)
        p[i] = i * 3 + get_group_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      uint wrong = 0;
      for (uint i = get_local_id(0); i < count; i += n)
        wrong += p[count - 1 - i] != (count - 1 - i) * 3 + get_group_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(out, wrong);
      atomic_inc(out + 1);)";
  const std::string name = std::to_string(half), all = std::to_string(2 * half);
  const Program program = build(
      "kernel void variable(global uint* out) { local uint p[" + all + "]; const uint count = " +
      all + ";" + use + "}\nkernel void two(global uint* out) { local uint first[" + name +
      "]; local uint second[" + name + "]; const uint count = " + name +
      "; for (int i = 0; i < 2; ++i) { local uint* p = i == 0 ? first : second;" + use +
      "} }\nkernel void both(global uint* out, local uint* second) { local uint first[" + name +
      "]; const uint count = " + name +
      "; for (int i = 0; i < 2; ++i) { local uint* p = i == 0 ? first : second;" + use + "} }");
  const Range range = {{256}, {64}};
  const auto check = [&](const char* kernel, const Buffer<cl_uint>& out, cl_uint calls) {
    EXPECT_EQ(out.read(), (std::vector<cl_uint>{0, calls})) << kernel;
  };
  Buffer<cl_uint> variable(2, 0), two(2, 0), both(2, 0);
  run(program, "variable", range, variable);
  check("variable", variable, 256);
  run(program, "two", range, two);
  check("two", two, 512);
  run(program, "both", range, both, LocalBytes{size_t(half) * 4});
  check("both", both, 512);
}

TEST(LocalMemory, isAlignedForItsType) {
  Program program = build(R"(
    kernel void k(local char* a, local double16* b, local char* c, local short2* d, global ulong* out) {
      local char x;
      local long8 y;
      x = 1;
      y = 2;
      out[0] = (ulong)b % 128;
      out[1] = (ulong)d % 4;
      out[2] = (ulong)&y % 64;
      a[0] = 3;
      a[2] = 4;
      c[0] = 5;
      b[0] = 6;
      d[0] = 7;
      out[3] = x + (ulong)y.s7 + a[0] + a[2] + c[0] + (ulong)b[0].sf + d[0].y;
    })");
  Buffer<cl_ulong> out(4);
  run(program, "k", {{1}, {1}}, LocalBytes{3}, LocalBytes{128}, LocalBytes{1}, LocalBytes{4}, out);
  EXPECT_EQ(out.read(), (std::vector<cl_ulong>{0, 0, 0, 28}));
}

/// Kernels take bytes for vectors.
TEST(LocalMemory, argumentsOfBytesAreAlignedForAnyType) {
  Program program = build(R"(kernel void k(local char* a, local uchar* b, global uint* out) {
    size_t i = get_local_id(0);
    a[i] = (char)i;
    ((local float4*)b)[i] = (float4)(i, 1, 2, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (uint)((local float4*)b)[6 - i].x + a[i] + (uint)((size_t)b % 128);
  })");
  Buffer<cl_uint> out(7);
  run(program, "k", {{7}, {7}}, LocalBytes{7}, LocalBytes{7 * 16}, out);
  EXPECT_EQ(out.read(), std::vector<cl_uint>(7, 6));
}

TEST(LocalMemory, argumentSizeChangesBetweenLaunches) {
  Program program = build(R"(kernel void k(local int* l, uint count, global uint* out) {
    for (uint j = get_local_id(0); j < count; j += get_local_size(0))
      l[j] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint j = 0; j < count; ++j)
      sum += l[j];
    out[get_global_id(0)] = sum;
  })");
  Kernel kernel(program, "k");
  for (cl_uint count : {1u, 100u, 4096u, 7u}) {
    Buffer<cl_uint> out(16);
    kernel.setAll(LocalBytes{count * sizeof(cl_int)}, count, out);
    kernel.enqueue({{16}, {8}});
    EXPECT_EQ(out.read(), std::vector<cl_uint>(16, count * (count - 1) / 2));
  }
}

TEST(LocalMemory, allThatTheDeviceHas) {
  auto bytes = Device::get().info<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  Program program = build(R"(kernel void k(local uchar* l, ulong bytes, global uint* out) {
    for (ulong j = get_local_id(0); j < bytes; j += get_local_size(0))
      l[j] = (uchar)(j * 7 + get_group_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (ulong j = get_local_id(0); j < bytes; j += get_local_size(0))
      sum += l[bytes - 1 - j];
    atomic_add(&out[get_group_id(0)], sum);
  })");
  Buffer<cl_uint> out(6);
  run(program, "k", {{24}, {4}}, LocalBytes{bytes}, bytes, out);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(6, [&](size_t group) {
              cl_uint sum = 0;
              for (size_t j = 0; j < bytes; ++j)
                sum += cl_uchar(j * 7 + group);
              return sum;
            }));
}

TEST(LocalMemory, kernelsOfOneProgramHaveTheirOwn) {
  Program program = build(R"(
    kernel void small(global int* out) {
      local int l[8];
      l[get_local_id(0)] = (int)get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = l[7 - get_local_id(0)];
    }
    kernel void large(global int* out) {
      local int l[2000];
      for (int j = get_local_id(0); j < 2000; j += 8)
        l[j] = j;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = l[1999 - get_local_id(0)];
    }
    int helper(local int* l) {
      barrier(CLK_LOCAL_MEM_FENCE);
      return l[(get_local_id(0) + 1) % 8];
    }
    kernel void shared(global int* out) {
      local int l[8];
      l[get_local_id(0)] = 100 + (int)get_local_id(0);
      out[get_global_id(0)] = helper(l);
    })");
  Buffer<cl_int> a(32), b(32), c(32);
  run(program, "small", {{32}, {8}}, a);
  run(program, "large", {{32}, {8}}, b);
  run(program, "shared", {{32}, {8}}, c);
  EXPECT_EQ(a.read(), tabulate<cl_int>(32, [](size_t g) { return g / 8 * 8 + 7 - g % 8; }));
  EXPECT_EQ(b.read(), tabulate<cl_int>(32, [](size_t g) { return 1999 - g % 8; }));
  EXPECT_EQ(c.read(), tabulate<cl_int>(32, [](size_t g) { return 100 + (g + 1) % 8; }));
}

TEST(LocalMemory, arraysOfStructures) {
  Program program = build(R"(
    typedef struct { char tag; float3 position; short links[3]; struct { long id; } inner; } Node;
    void fill(local Node* node, int i) {
      node->tag = (char)i;
      node->position = (float3)(i, i * 2, i * 3);
      for (int j = 0; j < 3; ++j)
        node->links[j] = (short)(i + j);
      node->inner.id = i * 1000L;
    }
    kernel void k(global int* out) {
      local Node nodes[16], copy[16];
      int i = get_local_id(0);
      fill(&nodes[i], i);
      barrier(CLK_LOCAL_MEM_FENCE);
      copy[15 - i] = nodes[(i + 3) % 16];
      barrier(CLK_LOCAL_MEM_FENCE);
      local Node* n = &copy[i];
      out[get_global_id(0)] = n->tag + (int)n->position.z + n->links[2] + (int)n->inner.id;
    })");
  Buffer<cl_int> out(48);
  run(program, "k", {{48}, {16}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(48, [](size_t g) {
              int i = (15 - int(g % 16) + 3) % 16;
              return i + 3 * i + i + 2 + 1000 * i;
            }));
}

TEST(LocalMemory, groupsDoNotSeeEachOther) {
  Program program = build(R"(kernel void k(global uint* wrong) {
    local uint l[256];
    size_t i = get_local_id(0);
    for (uint round = 0; round < 20; ++round) {
      uint mine = (uint)get_group_id(0) * 1000 + round;
      l[i] = mine;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint j = 0; j < 256; ++j)
        if (l[j] != mine)
          atomic_inc(wrong);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  })");
  Buffer<cl_uint> wrong(1);
  run(program, "k", {{256 * 40}, {256}}, wrong);
  EXPECT_EQ(wrong.read()[0], 0u);
}

TEST(LocalMemory, asAUnionOfViews) {
  Program program = build(R"(kernel void k(global uint* out) {
    local uint words[16];
    local uchar* bytes = (local uchar*)words;
    local ushort2* pairs = (local ushort2*)(words + 8);
    size_t i = get_local_id(0);
    bytes[i] = (uchar)i;
    if (i < 8)
      pairs[i] = (ushort2)((ushort)i, 7);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16)
      out[i] = words[i];
  })");
  Buffer<cl_uint> out(16);
  run(program, "k", {{32}, {32}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(16, [](size_t i) -> cl_uint {
              return i < 8 ? 0x03020100u + 0x04040404u * i : (7u << 16) + (i - 8);
            }));
}

// As programs for GPUs add up: what neighbours wrote is read behind a barrier.
TEST(LocalMemory, isVolatileForSums) {
  constexpr size_t local = 64, groups = 7;
  Program program = build(R"(
      kernel void k(global const int* in, global int* out, int n) {
        volatile local int sums[64];
        const int l = get_local_id(0);
        for (int row = 0; row < n; ++row) {
          sums[l] = in[(get_global_id(0) * 3 + row * 5) & 1023];
          for (int i = 32; i > 0; i >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int sum = sums[l];
            if (l < i) sum += sums[l + i];
            barrier(CLK_LOCAL_MEM_FENCE);
            sums[l] = sum;
          }
          if (l == 0) out[get_group_id(0) * n + row] = sums[l];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
      })");
  const std::vector<cl_int> in =
      tabulate<cl_int>(1024, [](size_t i) { return cl_int(i * i % 97); });
  constexpr cl_int rows = 3;
  Buffer<cl_int> input(in), out(groups * rows);
  run(program, "k", {{local * groups}, {local}}, input, out, rows);
  std::vector<cl_int> wanted(groups * rows);
  for (size_t item = 0; item < local * groups; ++item)
    for (size_t row = 0; row < rows; ++row)
      wanted[item / local * rows + row] += in[(item * 3 + row * 5) & 1023];
  EXPECT_EQ(out.read(), wanted);
}

} // namespace
} // namespace quern::tests
