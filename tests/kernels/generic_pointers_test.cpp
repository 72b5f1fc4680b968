// The generic address space of OpenCL C 2.0 and 3.0.
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

class GenericPointers : public testing::Test {
  void SetUp() override { QUERN_NEEDS("CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT"); }
};

TEST_F(GenericPointers, oneFunctionForAllAddressSpaces) {
  Program program = build(R"(
    int sum(const int* p, int n) {
      int s = 0;
      for (int i = 0; i < n; ++i)
        s += p[i];
      return s;
    }
    void scale(int* p, int n, int f) {
      for (int i = 0; i < n; ++i)
        p[i] *= f;
    }
    kernel void k(global int* data, global int* out) {
      local int l[4];
      int own[4], g = get_global_id(0);
      for (int i = 0; i < 4; ++i)
        own[i] = g + i;
      if (get_local_id(0) == 0)
        for (int i = 0; i < 4; ++i)
          l[i] = i;
      barrier(CLK_LOCAL_MEM_FENCE);
      scale(own, 4, 2);
      scale(data + 4 * g, 4, 3);
      out[g] = sum(own, 4) + sum(data + 4 * g, 4) + sum(l, 4);
    })",
                          openClC3);
  Buffer<cl_int> data(tabulate<cl_int>(128, [](size_t i) { return i; })), out(32);
  run(program, "k", {{32}, {8}}, data, out);
  EXPECT_EQ(out.read(),
            tabulate<cl_int>(32, [](size_t g) { return 2 * (4 * g + 6) + 3 * (16 * g + 6) + 6; }));
}

TEST_F(GenericPointers, chosenAtRunTime) {
  Program program = build(R"(
    __attribute__((noinline)) int add(int* p, int value) { return *p += value; }
    kernel void k(global int* data, global int* out) {
      local int l[16];
      size_t i = get_local_id(0), g = get_global_id(0);
      int own = 1000;
      l[i] = 10;
      int* p = i % 3 == 0 ? (int*)&own : i % 3 == 1 ? (int*)&l[i] : (int*)&data[g];
      for (int t = 0; t < 3; ++t) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        add(p, t + 1);
      }
      out[g] = own + l[i] + data[g];
    })",
                          openClC3);
  Buffer<cl_int> data(48, 100), out(48);
  run(program, "k", {{48}, {16}}, data, out);
  EXPECT_EQ(out.read(), std::vector<cl_int>(48, 1116));
  EXPECT_EQ(data.read(),
            tabulate<cl_int>(48, [](size_t g) { return g % 16 % 3 == 2 ? 106 : 100; }));
}

TEST_F(GenericPointers, conversionsTellTheAddressSpace) {
  Program program = build(R"(
    int kind(int* p) {
      return (to_global(p) != 0) + 2 * (to_local(p) != 0) + 4 * (to_private(p) != 0);
    }
    int fence(int* p) {
      uint flags = get_fence(p);
      return (flags & CLK_GLOBAL_MEM_FENCE ? 1 : 0) + (flags & CLK_LOCAL_MEM_FENCE ? 2 : 0);
    }
    global int variable;
    kernel void k(global int* data, global int* out, local int* argument) {
      local int l[4];
      int own[100];
      own[get_local_id(0)] = 1;
      l[get_local_id(0)] = own[get_local_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      int* p = get_global_id(0) & 1 ? (int*)own : (int*)data;
      out[get_global_id(0)] = kind(data) + 10 * kind(l + 2) + 100 * kind(own + 50) + 1000 * kind(&variable) +
                              10000 * kind(argument) + 100000 * fence(data) + 1000000 * fence(l) + 10000000 * kind(p);
    })",
                          openClC3);
  Buffer<cl_int> data(4), out(24);
  run(program, "k", {{24}, {4}}, data, out, LocalBytes{16});
  EXPECT_EQ(out.read(),
            tabulate<cl_int>(24, [](size_t g) { return 2121421 + (g & 1 ? 40000000 : 10000000); }));
}

TEST_F(GenericPointers, membersOfStructuresAndTables) {
  Program program = build(R"(
    typedef struct Node { int value; struct Node* next; } Node;
    int walk(const Node* n) {
      int sum = 0;
      for (; n; n = n->next)
        sum = sum * 3 + n->value;
      return sum;
    }
    kernel void k(global int* out) {
      local Node shared;
      Node own[3];
      int g = get_global_id(0);
      if (get_local_id(0) == 0) {
        shared.value = 5;
        shared.next = 0;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      own[2].value = g;
      own[2].next = &shared;
      own[0].value = 1;
      own[0].next = &own[1 + g % 2];
      own[1].value = 7;
      own[1].next = &own[2];
      out[g] = walk(own);
    })",
                          openClC3);
  Buffer<cl_int> out(32);
  run(program, "k", {{32}, {8}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(32, [](size_t item) {
              int g = int(item);
              return g % 2 ? (1 * 3 + g) * 3 + 5 : ((1 * 3 + 7) * 3 + g) * 3 + 5;
            }));
}

TEST_F(GenericPointers, nullStaysNull) {
  Program program = build(R"(
    int isNull(int* p) { return p == 0; }
    kernel void k(global int* out, local int* given, int which, global int* data) {
      local int own[4];
      local int* l = which == 0 ? 0 : which == 1 ? given : own;
      global int* g = which == 0 ? 0 : data;
      int x = 0;
      private int* p = which == 0 ? 0 : &x;
      int* constantLocal = (local int*)0;
      int* anywhere[3] = {l, g, p};
      out[0] = isNull(l);
      out[1] = isNull(g);
      out[2] = isNull(p);
      out[3] = constantLocal == (global int*)0;
      out[4] = isNull(anywhere[(which + 2) % 3]);
      for (int i = 0; i < 3; ++i)
        if (anywhere[i])
          *anywhere[i] = 10 + i;
      out[5] = which ? *l : 0;
      out[6] = which ? *g : 0;
      out[7] = x;
    })",
                          openClC3);
  for (cl_int which : {0, 1, 2}) {
    Buffer<cl_int> out(8, -1), data(1, 0);
    run(program, "k", {{1}, {1}}, out, LocalBytes{16}, which, data);
    const std::vector<cl_int> wanted = which ? std::vector<cl_int>{0, 0, 0, 1, 0, 10, 11, 12}
                                             : std::vector<cl_int>{1, 1, 1, 1, 1, 0, 0, 0};
    EXPECT_EQ(out.read(), wanted) << which;
  }
}

// Pointers that are null, or another constant, on all ways into a loop or a choice, and of which
// others are made behind it.
TEST_F(GenericPointers, madeOfConstantsAlone) {
  const Program program = build(R"(
    kernel void joins(global int* out, global const int* in, int n) {
      size_t g = get_global_id(0);
      int* p = 0;
      int i = n;
      do {
        p = in[i] ? 0 : p;
      } while (--i);
      if (in[g] & 1) p = out + g;
      if (p) *p = 2;
    }
    kernel void walks(global int* out, global const int* in, int n) {
      size_t g = get_global_id(0);
      int* p = 0;
      for (int i = 0; i < n; ++i)
        if (in[i] & 64) ++p;
      if (in[g] & 1) p = out + g;
      if (in[g] & 1 && p) *p = 2;
    }
    kernel void chooses(global int* out, global const int* in, int n) {
      size_t g = get_global_id(0);
      int own = 0;
      int* p = in[g + 1] & 2 ? (int*)(uintptr_t)64 : in[g + 2] & 2 ? (int*)0 : (int*)(uintptr_t)n;
      if (n == 7) p = (int*)(uintptr_t)(in[g + 3] & 4);
      int* q = in[g] & 1 ? out + g : p;
      if (in[g] & 8) q = &own;
      if (in[g] & 1) *q = 2;
    }
    kernel void nested(global int* out, global const int* in, int n) {
      size_t g = get_global_id(0);
      struct { int* first; int* second; } pair = {0, 0};
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < (in[i] & 3); ++j) {
          int* kept = pair.first;
          pair.first = pair.second;
          pair.second = in[j] & 1 ? kept : 0;
        }
      }
      if (in[g] & 1) pair.first = out + g;
      if (pair.first) *pair.first = 2;
      if (pair.second) *pair.second = 3;
    })",
                                openClC3);
  constexpr size_t items = 40;
  const std::vector<cl_int> numbers =
      tabulate<cl_int>(items + 4, [](size_t i) { return int(i * 2654435761u >> 9) & 63; });
  for (const char* name : {"joins", "walks", "chooses", "nested"}) {
    SCOPED_TRACE(name);
    Buffer<cl_int> out(items, 0), in(numbers);
    run(program, name, {{items}, {8}}, out, in, cl_int{9});
    EXPECT_EQ(out.read(), tabulate<cl_int>(items, [&](size_t g) {
                const bool isOwn = std::string_view(name) == "chooses" && (numbers[g] & 8) != 0;
                return (numbers[g] & 1) != 0 && !isOwn ? 2 : 0;
              }));
  }
}

} // namespace
} // namespace quern::tests
