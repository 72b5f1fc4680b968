// Functions that are so large, and called so often, that they do not become parts of the kernel.
#include "kernels/kernel_fixture.h"

#include <array>

namespace quern::tests {
namespace {

/// `transform` is thousands of instructions; a kernel that calls `mix` four times would have tens
/// of thousands with everything inlined.
constexpr const char* callingSource = R"(
  #define STEP(i) w[(i) & 7] += rotate(w[((i) + 1) & 7], (uint)((i) % 31)) ^ (w[((i) + 3) & 7] * 0x9e3779b9u);
  #define STEP8(i) STEP(i) STEP(i+1) STEP(i+2) STEP(i+3) STEP(i+4) STEP(i+5) STEP(i+6) STEP(i+7)
  #define STEP64(i) STEP8(i) STEP8(i+8) STEP8(i+16) STEP8(i+24) STEP8(i+32) STEP8(i+40) STEP8(i+48) STEP8(i+56)
  void transform(uint* w) { STEP64(0) STEP64(64) }

  typedef struct { uint w[8]; uint length; } State;

  void mix(State* s, const uint* data, uint count) {
    for (int i = 0; i < 8; i++) s->w[i] ^= data[i];
    s->length += count;
    if (s->length & 4) transform(s->w);
    else { transform(s->w); transform(s->w); }
  }

  uint withTable(State* s, uint seed) {
    uint table[1024];
    for (uint i = 0; i < 1024; i++) table[i] = seed * i;
    table[s->w[0] & 1023] = (uint)get_global_id(0);
    transform(s->w);
    uint sum = 0;
    for (uint i = 0; i < 1024; i++) sum = sum * 5 + table[i];
    return sum + (uint)get_local_id(s->length & 1) + (uint)get_local_size(0) * 1000;
  }

  kernel void k(global uint* out) {
    State s;
    uint data[8];
    uint id = (uint)get_global_id(0);
    for (int i = 0; i < 8; i++) { s.w[i] = i; data[i] = id * i; }
    s.length = 0;
    mix(&s, data, 3);
    mix(&s, s.w, 1);
    if (id % 3 == 0) mix(&s, data, 5);
    MEET
    mix(&s, data, 2);
    uint sum = withTable(&s, 3);
    MEET
    if (id % 5 != 0) sum += withTable(&s, 7);
    for (int i = 0; i < 8; i++) sum = sum * 31 + s.w[i];
    out[id] = sum + s.length;
  })";

struct State {
  std::array<cl_uint, 8> w;
  cl_uint length = 0;
};

void transform(State& s) {
  for (cl_uint i = 0; i < 128; ++i) {
    const cl_uint by = i % 31, turned = s.w[(i + 1) & 7];
    const cl_uint rotated = by == 0 ? turned : turned << by | turned >> (32 - by);
    s.w[i & 7] += rotated ^ (s.w[(i + 3) & 7] * 0x9e3779b9u);
  }
}

void mix(State& s, const std::array<cl_uint, 8> data, cl_uint count) {
  for (size_t i = 0; i < 8; ++i)
    s.w[i] ^= data[i];
  s.length += count;
  transform(s);
  if ((s.length & 4) == 0)
    transform(s);
}

cl_uint sumOfTable(State& s, cl_uint seed, cl_uint id, cl_uint localSize) {
  std::array<cl_uint, 1024> table;
  for (cl_uint i = 0; i < 1024; ++i)
    table[i] = seed * i;
  table[s.w[0] & 1023] = id;
  transform(s);
  cl_uint sum = 0;
  for (cl_uint value : table)
    sum = sum * 5 + value;
  return sum + ((s.length & 1) == 0 ? id % localSize : 0) + localSize * 1000;
}

cl_uint expected(cl_uint id, cl_uint localSize) {
  State s;
  std::array<cl_uint, 8> data;
  for (cl_uint i = 0; i < 8; ++i) {
    s.w[i] = i;
    data[i] = id * i;
  }
  mix(s, data, 3);
  mix(s, s.w, 1);
  if (id % 3 == 0)
    mix(s, data, 5);
  mix(s, data, 2);
  cl_uint sum = sumOfTable(s, 3, id, localSize);
  if (id % 5 != 0)
    sum += sumOfTable(s, 7, id, localSize);
  for (cl_uint word : s.w)
    sum = sum * 31 + word;
  return sum + s.length;
}

void expectRight(const std::string& options) {
  SCOPED_TRACE(options);
  const Program program = build(callingSource, options);
  for (const size_t local : {1u, 7u, 16u, 64u}) {
    const size_t global = 9 * local;
    Buffer<cl_uint> out(global);
    run(program, "k", {{global}, {local}}, out);
    EXPECT_EQ(out.read(), tabulate<cl_uint>(global, [&](size_t id) {
                return expected(static_cast<cl_uint>(id), static_cast<cl_uint>(local));
              }));
  }
}

TEST(CalledFunctions, takePrivatePointersAndKnowTheWorkItem) {
  expectRight("-DMEET=");
}

TEST(CalledFunctions, takeWhatLivesAcrossBarriers) {
  expectRight("-DMEET=barrier(CLK_LOCAL_MEM_FENCE);");
}

TEST(CalledFunctions, areCalledInTheDebugMode) {
  expectRight("-DMEET=barrier(CLK_LOCAL_MEM_FENCE); -cl-opt-disable");
}

constexpr size_t recursiveLocal = 21;

/// OpenCL C forbids recursion, but programs have it, and drivers for CPUs run it.
void expectRecursion(const char* source, cl_uint (*expected)(cl_uint id)) {
  if (Device::get().info<cl_device_type>(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) {
    const BuildOutcome outcome = tryBuild(source);
    EXPECT_EQ(outcome.code, CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(outcome.log.find(" calls itself"), std::string::npos) << outcome.log;
    return;
  }
  for (const char* options : {"", "-cl-opt-disable"}) {
    SCOPED_TRACE(options);
    const Program program = build(source, options);
    const size_t global = 3 * recursiveLocal;
    Buffer<cl_uint> out(global);
    run(program, "k", {{global}, {recursiveLocal}}, out);
    EXPECT_EQ(out.read(), tabulate<cl_uint>(global, [&](size_t id) {
                return expected(static_cast<cl_uint>(id));
              }));
  }
}

TEST(Recursion, atTheEndOfAFunction) {
  expectRecursion(R"(
    void swap(uint* a, uint* b) { uint t = *a; *a = *b; *b = t; }
    uint kthSmallest(uint* a, int l, int r, int k) {
      int place = l;
      for (int i = l; i < r; ++i)
        if (a[i] <= a[r]) swap(&a[place++], &a[i]);
      swap(&a[place], &a[r]);
      if (place - l == k) return a[place];
      if (place - l > k) return kthSmallest(a, l, place - 1, k);
      return kthSmallest(a, place + 1, r, k - (place - l) - 1);
    }
    kernel void k(global uint* out) {
      uint a[25], id = get_global_id(0);
      for (uint i = 0; i < 25; ++i) a[i] = (i * 7 + id) % 25 * 3 + id;
      out[id] = kthSmallest(a, 0, 24, id % 25);
    })",
                  [](cl_uint id) { return id % 25 * 3 + id; });
}

cl_uint fibonacci(cl_uint n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

TEST(Recursion, twice) {
  expectRecursion(R"(
    uint f(uint n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
    kernel void k(global uint* out) { out[get_global_id(0)] = f(get_global_id(0) % 17); })",
                  [](cl_uint id) { return fibonacci(id % 17); });
}

/// Each function asks for what another one needs, of the work-item and of local memory.
TEST(Recursion, overFunctionsThatAskForTheWorkItem) {
  expectRecursion(R"(
    uint odd(uint n, local uint* shared);
    uint other(uint n, local uint* shared);
    uint even(uint n, local uint* shared) {
      return n == 0 ? (uint)get_local_size(0) : get_local_id(n & 1) + odd(n - 1, shared);
    }
    uint odd(uint n, local uint* shared) {
      return n == 0 ? shared[n] : (uint)get_group_id(0) + other(n - 1, shared);
    }
    uint other(uint n, local uint* shared) {
      return n == 0 ? 5 : (n & 2 ? even(n - 1, shared) : odd(n - 1, shared)) + (uint)get_global_size(0);
    }
    kernel void k(global uint* out) {
      local uint shared[1];
      if (get_local_id(0) == 0) shared[0] = 1000 + get_group_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = even(get_global_id(0) % 13, shared);
    })",
                  [](cl_uint id) {
                    const cl_uint local = recursiveLocal, item = id % local, group = id / local;
                    cl_uint sum = 0;
                    enum { Even, Odd, Other } at = Even;
                    for (cl_uint n = id % 13;; --n) {
                      if (n == 0)
                        return sum + (at == Even ? local : at == Odd ? 1000 + group : 5);
                      if (at == Even)
                        sum += n & 1 ? 0 : item, at = Odd;
                      else if (at == Odd)
                        sum += group, at = Other;
                      else
                        sum += 3 * local, at = n & 2 ? Even : Odd;
                    }
                  });
}

TEST(Recursion, keepsLargeVariablesOfEachCall) {
  expectRecursion(R"(
    uint f(uint n) {
      uint table[400];
      for (uint i = 0; i < 400; ++i) table[i] = i * n;
      uint below = n == 0 ? 0 : f(n - 1);
      return below + table[below % 400] + table[get_local_id(0)];
    }
    kernel void k(global uint* out) { out[get_global_id(0)] = f(get_global_id(0) % 11); })",
                  [](cl_uint id) {
                    cl_uint sum = 0;
                    for (cl_uint n = 0; n <= id % 11; ++n)
                      sum += sum % 400 * n + id % recursiveLocal * n;
                    return sum;
                  });
}

} // namespace
} // namespace quern::tests
