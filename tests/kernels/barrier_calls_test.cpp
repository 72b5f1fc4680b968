// Barriers reached through calls, switches, conditional operators and early returns of the whole
// group.
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr size_t callingItems = 192;
const std::initializer_list<size_t> callingLocalSizes = {1, 2, 3, 4, 12, 16, 64, 192};

/// Runs `kernel(out, local, argument)`; `expected(globalId, localId, localSize)` is the value of an
/// item.
template <typename ItemFunction>
void expectAfterCalls(const char* source, cl_int argument, const ItemFunction& expected,
                      const std::string& options = "") {
  Program program = build(source, options);
  forEachLocalSize(callingLocalSizes, [&](size_t local) {
    Buffer<cl_int> out(callingItems, -1);
    run(program, "k", {{callingItems}, {local}}, out, LocalBytes{local * sizeof(cl_int)}, argument);
    EXPECT_EQ(out.read(), tabulate<cl_int>(callingItems, [&](size_t g) {
                return expected(g, g % local, local);
              }));
  });
}

TEST(BarrierCalls, inACalledFunction) {
  expectAfterCalls(R"(
    int neighbour(local int* l, int value, int distance) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      int result = l[(i + distance) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      return result;
    }
    kernel void k(global int* out, local int* l, int a) {
      int x = (int)get_local_id(0);
      x = neighbour(l, x, 1) * 10;
      x += neighbour(l, x, 2);
      for (int t = 0; t < a; ++t)
        x = neighbour(l, x, t) + 1;
      out[get_global_id(0)] = x;
    })",
                   3, [](size_t, size_t i, size_t n) {
                     auto first = [&](size_t j) { return (j + 1) % n * 10; };
                     auto second = [&](size_t j) { return first(j) + first((j + 2) % n); };
                     return second((i + 0 + 1 + 2) % n) + 3;
                   });
}

TEST(BarrierCalls, inAFunctionMarkedNoinline) {
  expectAfterCalls(R"(
    __attribute__((noinline)) void publish(local int* l, int value) {
      l[get_local_id(0)] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    __attribute__((noinline)) int mirrored(local int* l, int value) {
      publish(l, value);
      int result = l[get_local_size(0) - 1 - get_local_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      return result;
    }
    kernel void k(global int* out, local int* l, int a) {
      out[get_global_id(0)] = mirrored(l, (int)get_global_id(0)) + a;
    })",
                   5, [](size_t g, size_t i, size_t n) { return g - i + n - 1 - i + 5; });
}

TEST(BarrierCalls, functionThatReturnsFromItsMiddle) {
  for (cl_int argument : {1, 2, 3})
    expectAfterCalls(R"(
    int work(local int* l, int mode) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = (int)i;
      if (mode == 1)
        return -1;
      barrier(CLK_LOCAL_MEM_FENCE);
      int x = l[(i + 1) % n];
      if (mode == 2)
        return x;
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = x * 2;
      barrier(CLK_LOCAL_MEM_FENCE);
      return l[(i + 1) % n];
    }
    kernel void k(global int* out, local int* l, int a) {
      int x = work(l, a);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = x + work(l, 1);
    })",
                     argument, [argument](size_t, size_t i, size_t n) -> int {
                       if (argument == 1)
                         return -2;
                       return argument == 2 ? int((i + 1) % n) - 1 : int((i + 2) % n * 2) - 1;
                     });
}

TEST(BarrierCalls, callInALoopConditionAndAConditionalOperator) {
  expectAfterCalls(R"(
    int first(local int* l, int value) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0)
        l[0] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      return l[0];
    }
    kernel void k(global int* out, local int* l, int a) {
      int x = 100 - (int)get_local_id(0), t = 0;
      while (first(l, x) > 100 - a)
        --x, ++t;
      x += t > 2 ? first(l, t * 1000) : first(l, t) + 1;
      out[get_global_id(0)] = x;
    })",
                   4, [](size_t, size_t i, size_t) { return 100 - int(i) - 4 + 4000; });
}

TEST(BarrierCalls, inACallByShortCircuit) {
  for (cl_int argument : {0, 1})
    expectAfterCalls(R"(
    int swap(local int* l, int* x) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = *x;
      barrier(CLK_LOCAL_MEM_FENCE);
      *x = l[n - 1 - i];
      barrier(CLK_LOCAL_MEM_FENCE);
      return 1;
    }
    kernel void k(global int* out, local int* l, int a) {
      int x = (int)get_local_id(0);
      int both = a && swap(l, &x);
      int either = a || swap(l, &x);
      out[get_global_id(0)] = x * 100 + both * 10 + either;
    })",
                     argument, [argument](size_t, size_t i, size_t n) {
                       return int(n - 1 - i) * 100 + argument * 10 + 1;
                     });
}

TEST(BarrierCalls, switchWithFallThrough) {
  for (cl_int argument : {0, 1, 2, 3, 7})
    expectAfterCalls(R"(kernel void k(global int* out, local int* l, int a) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = (int)i;
      int x = 0;
      switch (a) {
      case 0:
        x = 1;
        break;
      case 1:
        barrier(CLK_LOCAL_MEM_FENCE);
        x += l[(i + 1) % n];
      case 2:
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] = x + 10;
      case 3:
        barrier(CLK_LOCAL_MEM_FENCE);
        x += l[(i + 1) % n];
        break;
      default:
        x = 50;
        barrier(CLK_LOCAL_MEM_FENCE);
        x += l[n - 1 - i];
      }
      out[get_global_id(0)] = x;
    })",
                     argument, [argument](size_t, size_t i, size_t n) -> int {
                       auto next = [&](size_t j) { return (j + 1) % n; };
                       switch (argument) {
                       case 0:
                         return 1;
                       case 1:
                         return int(next(i) + next(next(i)) + 10);
                       case 2:
                         return 10;
                       case 3:
                         return int(next(i));
                       default:
                         return int(50 + n - 1 - i);
                       }
                     });
}

TEST(BarrierCalls, earlyReturnOfTheWholeGroup) {
  expectAfterCalls(R"(kernel void k(global int* out, local int* l, int a) {
      size_t i = get_local_id(0), n = get_local_size(0);
      if (get_group_id(0) % 3 == a)
        return;
      l[i] = (int)i;
      barrier(CLK_LOCAL_MEM_FENCE);
      int x = l[(i + 1) % n];
      for (int t = 0; t < 5; ++t) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_group_id(0) % 3 == 2 && t == 3) {
          out[get_global_id(0)] = x + 1000;
          return;
        }
        l[i] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = l[(i + 1) % n] + 1;
      }
      out[get_global_id(0)] = x;
    })",
                   1, [](size_t g, size_t i, size_t n) -> int {
                     size_t group = g / n;
                     if (group % 3 == 1)
                       return -1;
                     int steps = group % 3 == 2 ? 3 : 5;
                     return int((i + 1 + steps) % n) + steps + (group % 3 == 2 ? 1000 : 0);
                   });
}

// Items that leave after the last barrier do not hold up the others.
TEST(BarrierCalls, divergentReturnAfterTheLastBarrier) {
  expectAfterCalls(R"(kernel void k(global int* out, local int* l, int a) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = (int)i;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i % 3 == 1)
        return;
      int x = l[n - 1 - i];
      if (x % 2)
        return;
      out[get_global_id(0)] = x;
    })",
                   0, [](size_t, size_t i, size_t n) -> int {
                     int x = int(n - 1 - i);
                     return i % 3 == 1 || x % 2 ? -1 : x;
                   });
}

TEST(BarrierCalls, kernelCalledByAKernel) {
  expectAfterCalls(R"(
    kernel void inner(global int* out, local int* l, int a) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = (int)i + a;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = l[n - 1 - i];
    }
    kernel void k(global int* out, local int* l, int a) {
      inner(out, l, a);
      barrier(CLK_LOCAL_MEM_FENCE);
      inner(out, l, out[get_global_id(0)] * 0 + a * 2);
    })",
                   6, [](size_t, size_t i, size_t n) { return n - 1 - i + 12; });
}

TEST(BarrierCalls, deepChainOfFunctions) {
  std::string source = R"(
    int f0(local int* l, int x) {
      size_t i = get_local_id(0), n = get_local_size(0);
      l[i] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x = l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      return x;
    })";
  for (int level = 1; level <= 6; ++level) {
    std::string callee = "f" + std::to_string(level - 1);
    source += "\nint f" + std::to_string(level) + "(local int* l, int x) { return " + callee +
              "(l, " + callee + "(l, x) + 1); }";
  }
  source += R"(
    kernel void k(global int* out, local int* l, int a) {
      out[get_global_id(0)] = f6(l, (int)get_local_id(0) * a);
    })";
  // f6 makes 64 calls of f0 and adds 1 between every two.
  expectAfterCalls(source.c_str(), 100,
                   [](size_t, size_t i, size_t n) { return (i + 64) % n * 100 + 63; });
}

// All items jump together; the barriers stand in a loop with two entries.
TEST(BarrierCalls, irreducibleLoop) {
  for (cl_int argument : {0, 1})
    expectAfterCalls(R"(kernel void k(global int* out, local int* l, int a) {
      size_t i = get_local_id(0), n = get_local_size(0);
      int x = (int)i, steps = 0;
      if (a)
        goto second;
    first:
      l[i] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x = l[(i + 1) % n] + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      ++steps;
    second:
      l[i] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x = l[(i + 2) % n] * 2;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (++steps < 5)
        goto first;
      out[get_global_id(0)] = x;
    })",
                     argument, [argument](size_t, size_t i, size_t n) {
                       std::vector<int> x = tabulate<int>(n, [](size_t j) { return j; });
                       int steps = 0;
                       for (bool first = argument == 0;; first = true) {
                         if (first) {
                           x = tabulate<int>(n, [&](size_t j) { return x[(j + 1) % n] + 1; });
                           ++steps;
                         }
                         x = tabulate<int>(n, [&](size_t j) { return x[(j + 2) % n] * 2; });
                         if (++steps >= 5)
                           return x[i];
                       }
                     });
}

TEST(BarrierCalls, unrolledLoop) {
  expectAfterCalls(R"(kernel void k(global int* out, local int* l, int a) {
      size_t i = get_local_id(0), n = get_local_size(0);
      int x = (int)i;
      __attribute__((opencl_unroll_hint(4)))
      for (int t = 0; t < 10; ++t) {
        l[i] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = l[(i + 1) % n] + a;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = x;
    })",
                   2, [](size_t, size_t i, size_t n) { return (i + 10) % n + 20; });
}

TEST(BarrierCalls, sameResultWithoutOptimisation) {
  expectAfterCalls(
      R"(
    int shifted(local int* l, int value) {
      size_t i = get_local_id(0), n = get_local_size(0);
      int parts[4];
      for (int p = 0; p < 4; ++p)
        parts[p] = value + p;
      l[i] = parts[value & 3];
      barrier(CLK_LOCAL_MEM_FENCE);
      return l[(i + 1) % n] - parts[3];
    }
    kernel void k(global int* out, local int* l, int a) {
      int x = 0;
      for (int t = 0; t < a; ++t) {
        x += shifted(l, (int)get_local_id(0) * 4 + t);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = x;
    })",
      3,
      [](size_t, size_t i, size_t n) {
        int x = 0;
        for (int t = 0; t < 3; ++t)
          x += int((i + 1) % n * 4) + 2 * t - int(i * 4 + t + 3);
        return x;
      },
      "-cl-opt-disable");
}

} // namespace
} // namespace quern::tests
