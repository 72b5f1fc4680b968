// What a work-item holds on one side of a barrier it still holds on the other: every kind of value,
// in and out of loops.
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr size_t keepingItems = 96;
const std::initializer_list<size_t> keepingLocalSizes = {1, 2, 3, 8, 12, 32, 96};

/// Runs `kernel(in, out, local, argument)` with in[i] = 3 * i + 1 and compares with `expected(in,
/// globalId, localId, localSize)`.
template <typename ItemFunction>
void expectKept(const char* source, cl_int argument, const ItemFunction& expected,
                const std::string& options = "") {
  Program program = build(source, options);
  std::vector<cl_int> input = tabulate<cl_int>(keepingItems, [](size_t i) { return 3 * i + 1; });
  forEachLocalSize(keepingLocalSizes, [&](size_t local) {
    Buffer<cl_int> in(input), out(keepingItems, -1);
    run(program, "k", {{keepingItems}, {local}}, in, out, LocalBytes{local * sizeof(cl_int)},
        argument);
    EXPECT_EQ(out.read(), tabulate<cl_int>(keepingItems, [&](size_t g) {
                return expected(input, g, g % local, local);
              }));
  });
}

using Values = std::vector<cl_int>;

/// A value of type T is computed, a barrier passed, and the value compared with one computed afresh
/// from the other side.
void expectTypeSurvives(const std::string& type) {
  SCOPED_TRACE(type);
  Program program = build(R"(
    T make(uint seed) {
      union { T value; uchar bytes[sizeof(T)]; } u;
      for (uint b = 0; b < sizeof(T); ++b)
        u.bytes[b] = (uchar)((seed * 37 + b * 11) & 0x3f);
      return u.value;
    }
    bool same(T a, T b) {
      union { T value; uchar bytes[sizeof(T)]; } x, y;
      x.value = a;
      y.value = b;
      bool equal = true;
      for (uint i = 0; i < sizeof(T) / LANES * USED; ++i)
        equal &= x.bytes[i] == y.bytes[i];
      return equal;
    }
    kernel void k(global T* unused, global int* out, local int* l) {
      uint g = (uint)get_global_id(0);
      T a = make(g), b = make(g + 1000);
      for (int t = 0; t < 3; ++t) {
        l[get_local_id(0)] = t;
        barrier(CLK_LOCAL_MEM_FENCE);
        T c = a;
        a = b;
        b = c;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[g] = same(a, make(g + 1000)) + 2 * same(b, make(g)) + l[get_local_id(0)] * 10;
    })",
                          "-DT=" + type + " -DLANES=" + (type.back() == '3' ? "4" : "1") +
                              " -DUSED=" + (type.back() == '3' ? "3" : "1"));
  for (size_t local : {1, 12, 32}) {
    Buffer<cl_ulong16> unused(1);
    Buffer<cl_int> out(keepingItems);
    run(program, "k", {{keepingItems}, {local}}, unused, out, LocalBytes{local * sizeof(cl_int)});
    EXPECT_EQ(out.read(), Values(keepingItems, 23));
  }
}

TEST(BarrierValues, scalarTypes) {
  for (const char* type : {"char", "ushort", "int", "ulong", "float", "double"})
    expectTypeSurvives(type);
}

TEST(BarrierValues, vectorTypes) {
  for (const char* type : {"char2", "char3", "uchar16", "short3", "int4", "float3", "float8",
                           "long2", "double3", "ulong16"})
    expectTypeSurvives(type);
}

TEST(BarrierValues, booleans) {
  expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), g = get_global_id(0);
    bool odd = in[g] & 1, big = in[g] > a;
    l[i] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool both = odd && big;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = odd + 2 * big + 4 * both + 8 * (i < 5) + l[i] * 100;
  })",
             40, [](const Values& in, size_t g, size_t i, size_t) {
               bool odd = in[g] & 1, big = in[g] > 40;
               return odd + 2 * big + 4 * (odd && big) + 8 * (i < 5) + 700;
             });
}

TEST(BarrierValues, structures) {
  expectKept(R"(
    typedef struct { char c; double d; int3 v; struct { short s[3]; long l; } in; } S;
    kernel void k(global int* in, global int* out, local int* l, int a) {
      size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
      S s = {(char)i, in[g] * 0.5, (int3)(in[g], (int)g, 3), {{1, (short)g, 3}, -in[g]}};
      for (int t = 0; t < 2; ++t) {
        l[i] = s.in.s[1];
        barrier(CLK_LOCAL_MEM_FENCE);
        S copy = s;
        copy.v.y += l[n - 1 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
        s = copy;
        s.in.s[t] += 1;
      }
      out[g] = s.c + (int)(s.d * 2) + s.v.x + s.v.y + s.v.z + s.in.s[0] + s.in.s[1] + s.in.s[2] + (int)s.in.l;
    })",
             0, [](const Values& in, size_t g, size_t i, size_t n) {
               size_t mirror = g - i + n - 1 - i;
               return int(i + in[g] + in[g] + (g + 2 * mirror) + 3 + 2 + (g + 1) + 3 - in[g]);
             });
}

TEST(BarrierValues, privateArrays) {
  expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int table[13], fresh[4] = {1, 2, 3, 4};
    for (int j = 0; j < 13; ++j)
      table[j] = in[g] + j;
    for (int t = 0; t < a; ++t) {
      l[i] = table[(t + i) % 13];
      barrier(CLK_LOCAL_MEM_FENCE);
      table[t % 13] += l[(i + 1) % n];
      fresh[(i + t) & 3] += t;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    int sum = 0;
    for (int j = 0; j < 13; ++j)
      sum = sum * 3 + table[j];
    out[g] = sum + fresh[0] + fresh[1] * 2 + fresh[2] * 3 + fresh[3] * 4;
  })",
             17, [](const Values& in, size_t g, size_t i, size_t n) {
               size_t start = g - i;
               std::vector<Values> table(n), fresh(n, {1, 2, 3, 4});
               for (size_t j = 0; j < n; ++j)
                 table[j] = tabulate<cl_int>(13, [&](size_t e) { return in[start + j] + e; });
               for (int t = 0; t < 17; ++t) {
                 Values l = tabulate<cl_int>(n, [&](size_t j) { return table[j][(t + j) % 13]; });
                 for (size_t j = 0; j < n; ++j) {
                   table[j][t % 13] += l[(j + 1) % n];
                   fresh[j][(j + t) & 3] += t;
                 }
               }
               unsigned sum = 0;
               for (cl_int value : table[i])
                 sum = sum * 3 + value;
               return int(sum) + fresh[i][0] + fresh[i][1] * 2 + fresh[i][2] * 3 + fresh[i][3] * 4;
             });
}

TEST(BarrierValues, pointersToPrivateMemory) {
  expectKept(R"(
    void add(int* p, int value) { *p += value; }
    kernel void k(global int* in, global int* out, local int* l, int a) {
      size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
      int x[4] = {1, 2, 3, 4}, y[4] = {10, 20, 30, 40}, z = 5;
      int* p = i & 1 ? &x[i & 3] : &y[(i >> 1) & 3];
      int* q = &z;
      l[i] = *p;
      barrier(CLK_LOCAL_MEM_FENCE);
      *p += l[(i + 1) % n];
      if (in[g] & 2)
        q = p;
      barrier(CLK_LOCAL_MEM_FENCE);
      add(q, 100);
      for (int t = 0; t < 4; ++t) {
        barrier(CLK_LOCAL_MEM_FENCE);
        add(p, x[t]);
        p = p == &x[3] ? &y[0] : p == &y[3] ? &x[0] : p + 1;
      }
      out[g] = ((x[0] * 3 + x[1]) * 3 + x[2]) * 3 + x[3] + y[0] * 7 + y[1] * 11 + y[2] * 13 + y[3] * 17 + z;
    })",
             0, [](const Values& in, size_t g, size_t i, size_t n) {
               auto initial = [](size_t j) {
                 return j & 1 ? int(j & 3) + 1 : 10 * (int(j >> 1 & 3) + 1);
               };
               int x[4] = {1, 2, 3, 4}, y[4] = {10, 20, 30, 40}, z = 5;
               int* p = i & 1 ? &x[i & 3] : &y[(i >> 1) & 3];
               *p += initial((i + 1) % n);
               *(in[g] & 2 ? p : &z) += 100;
               for (int t = 0; t < 4; ++t) {
                 *p += x[t];
                 p = p == &x[3] ? &y[0] : p == &y[3] ? &x[0] : p + 1;
               }
               return ((x[0] * 3 + x[1]) * 3 + x[2]) * 3 + x[3] + y[0] * 7 + y[1] * 11 + y[2] * 13 +
                      y[3] * 17 + z;
             });
}

TEST(BarrierValues, pointersToGlobalAndLocalMemory) {
  expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    global int* from = in + g;
    local int* own = l + i;
    local int* other = i & 1 ? l : l + (n - 1);
    *own = *from;
    for (int t = 0; t < 3; ++t) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int x = *other;
      from = from + 1 == in + get_global_size(0) ? in : from + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      *own = (x + *from) & 0xffff;
    }
    out[g] = *own;
  })",
             0, [](const Values& in, size_t g, size_t i, size_t n) {
               size_t start = g - i;
               Values l(in.begin() + start, in.begin() + start + n);
               for (size_t t = 1; t <= 3; ++t)
                 l = tabulate<cl_int>(n, [&](size_t j) {
                   return (l[j & 1 ? 0 : n - 1] + in[(start + j + t) % keepingItems]) & 0xffff;
                 });
               return l[i];
             });
}

// What was loaded before the barrier must not be loaded again after it: another item has changed
// the memory.
TEST(BarrierValues, loadsAreNotRepeated) {
  expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    local int shared;
    out[g] = in[g];
    if (i == 0)
      shared = a;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int mine = out[g], common = shared;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[g - i + (i + 1) % n] = -1000;
    if (i == n - 1)
      shared = -1000;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[g] = mine + common * 1000 + (shared == -1000);
  })",
             9, [](const Values& in, size_t g, size_t, size_t) { return in[g] + 9001; });
}

TEST(BarrierValues, atomicResultsAreNotRepeated) {
  expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    local int counter;
    size_t i = get_local_id(0), n = get_local_size(0);
    if (i == 0)
      counter = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int ticket = atomic_inc(&counter);
    barrier(CLK_LOCAL_MEM_FENCE);
    l[ticket] = ticket * ticket;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[ticket] - ticket * ticket + l[i] + counter;
  })",
             0, [](const Values&, size_t, size_t i, size_t n) { return i * i + n; });
}

TEST(BarrierValues, uniformValues) {
  expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int u = a * 3 + (int)get_group_id(0), v = in[get_group_id(0)], w = 1;
    int4 uv = (int4)(u, v, a, 1);
    for (int t = 0; t < 4; ++t) {
      l[i] = u + (int)i;
      barrier(CLK_LOCAL_MEM_FENCE);
      w = w * 2 + (v & 1);
      u += v + t;
      uv += (int4)(t, u, w, 0);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = u + w * 3 + uv.x + uv.y + uv.z + uv.w + l[n - 1];
  })",
             5, [](const Values& in, size_t g, size_t, size_t n) {
               int group = int(g / n), u = 15 + group, v = in[group], w = 1, last = 0;
               int x = u, y = v, z = 5;
               for (int t = 0; t < 4; ++t) {
                 last = u + int(n) - 1;
                 w = w * 2 + (v & 1);
                 u += v + t;
                 x += t, y += u, z += w;
               }
               return u + w * 3 + x + y + z + 1 + last;
             });
}

// Two values change places in every trip: their copies must not overwrite each other.
TEST(BarrierValues, exchangedInALoop) {
  expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), g = get_global_id(0);
    int x = in[g], y = (int)i, z = 3, w = 8;
    for (int t = 0; t < a; ++t) {
      l[i] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      int s = x, r = z;
      x = y;
      y = s + 1;
      z = w;
      w = r;
    }
    out[g] = x * 1000 + y * 100 + z * 10 + w;
  })",
             5, [](const Values& in, size_t g, size_t i, size_t) {
               int x = in[g], y = int(i);
               for (int t = 0; t < 5; ++t)
                 std::tie(x, y) = std::pair(y, x + 1);
               return x * 1000 + y * 100 + 83;
             });
}

TEST(BarrierValues, definedOnDifferentPaths) {
  expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x;
    l[i] = in[g];
    if (i % 3 == 0)
      x = in[g] * 2;
    else if (i % 3 == 1)
      x = -(int)i;
    else
      x = a;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) & 1) {
      x += l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
    } else {
      x -= 1;
    }
    out[g] = x;
  })",
             77, [](const Values& in, size_t g, size_t i, size_t n) {
               int x = i % 3 == 0 ? in[g] * 2 : i % 3 == 1 ? -int(i) : 77;
               return g / n & 1 ? x + in[g - i + (i + 1) % n] : x - 1;
             });
}

// For the others it is undefined, which must not reach the one that has it.
TEST(BarrierValues, definedByOneWorkItem) {
  for (cl_int chosen : {0, 1, 7, 31, 95}) {
    SCOPED_TRACE(chosen);
    expectKept(R"(kernel void k(global int* in, global int* out, local int* l, int chosen) {
      size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
      l[i] = in[g];
      barrier(CLK_LOCAL_MEM_FENCE);
      int last;
      if (i == chosen) {
        last = l[n - 1];
        l[n - 1] = 0;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i == 0)
        l[0] += 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = i == chosen ? last : l[i];
    })",
               chosen, [&](const Values& in, size_t g, size_t i, size_t n) {
                 if (i == size_t(chosen))
                   return in[g - i + n - 1];
                 const bool isTaken = i == n - 1 && size_t(chosen) < n;
                 return (isTaken ? 0 : in[g]) + int(i == 0);
               });
  }
}

TEST(BarrierValues, manyLiveAtOnce) {
  std::string source = "kernel void k(global int* in, global int* out, local int* l, int a) {\n"
                       "size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);\n";
  constexpr int count = 80;
  for (int v = 0; v < count; ++v)
    source += "int v" + std::to_string(v) + " = in[(g + " + std::to_string(v) + ") % " +
              std::to_string(keepingItems) + "] * " + std::to_string(v + 1) + ";\n";
  source += "l[i] = v0; barrier(CLK_LOCAL_MEM_FENCE); int sum = l[(i + 1) % n];\n";
  for (int v = 0; v < count; ++v)
    source += "sum = sum * 3 + v" + std::to_string(v) + ";\n";
  source += "out[g] = sum; }";
  expectKept(source.c_str(), 0, [](const Values& in, size_t g, size_t i, size_t n) {
    unsigned sum = in[g - i + (i + 1) % n];
    for (int v = 0; v < count; ++v)
      sum = sum * 3 + in[(g + v) % keepingItems] * (v + 1);
    return int(sum);
  });
}

TEST(BarrierValues, survivesWithoutOptimisation) {
  expectKept(
      R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int table[3] = {in[g], a, (int)i};
    float4 f = (float4)(table[0]);
    for (int t = 0; t < 3; ++t) {
      l[i] = table[t];
      barrier(CLK_LOCAL_MEM_FENCE);
      int y = l[n - 1 - i];
      if (y & 1) {
        table[(t + 1) % 3] += y;
        f.s2 += 1;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = table[0] + table[1] * 3 + table[2] * 5 + (int)f.z;
  })",
      4,
      [](const Values& in, size_t g, size_t i, size_t n) {
        size_t start = g - i;
        std::vector<Values> table(n);
        Values f(n);
        for (size_t j = 0; j < n; ++j)
          table[j] = {in[start + j], 4, int(j)}, f[j] = in[start + j];
        for (int t = 0; t < 3; ++t) {
          Values l = tabulate<cl_int>(n, [&](size_t j) { return table[j][t]; });
          for (size_t j = 0; j < n; ++j)
            if (int y = l[n - 1 - j]; y & 1)
              table[j][(t + 1) % 3] += y, f[j] += 1;
        }
        return table[i][0] + table[i][1] * 3 + table[i][2] * 5 + f[i];
      },
      "-cl-opt-disable");
}

// Values that are not needed at the same time may lie in the same place, but those that change
// places around a loop are.
TEST(BarrierValues, changePlacesAroundLoops) {
  for (cl_int rounds : {0, 1, 2, 5})
    expectKept(
        R"(kernel void k(global const int* in, global int* out, local int* l, int rounds) {
          uint g = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
          int a = in[g], b = a * 5 + 1, d = a ^ 77;
          for (int i = 0; i < rounds; ++i) {
            l[lid] = a;
            barrier(CLK_LOCAL_MEM_FENCE);
            int c = l[(lid + 1) % size] + b;
            barrier(CLK_LOCAL_MEM_FENCE);
            l[lid] = c;
            barrier(CLK_LOCAL_MEM_FENCE);
            int e = b;
            b = a;
            a = d;
            d = l[(lid + 2) % size] ^ c ^ e;
            barrier(CLK_LOCAL_MEM_FENCE);
          }
          out[g] = a * 31 + b * 7 + d;
        })",
        rounds, [&](const Values& in, size_t g, size_t lid, size_t size) {
          Values a(in.begin() + g - lid, in.begin() + g - lid + size), b(size), c(size), d(size);
          for (size_t i = 0; i < size; ++i) {
            b[i] = a[i] * 5 + 1;
            d[i] = a[i] ^ 77;
          }
          for (cl_int round = 0; round < rounds; ++round) {
            for (size_t i = 0; i < size; ++i)
              c[i] = a[(i + 1) % size] + b[i];
            const Values before = b;
            b = a;
            a = d;
            for (size_t i = 0; i < size; ++i)
              d[i] = c[(i + 2) % size] ^ c[i] ^ before[i];
          }
          return a[lid] * 31 + b[lid] * 7 + d[lid];
        });
}

} // namespace
} // namespace quern::tests
