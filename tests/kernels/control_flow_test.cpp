// Control flow that is hard to structure: jumps into loops by switch, many exits, deep nests, deep
// calls.
#include <algorithm>

#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr size_t items = 200;

/// Runs `kernel(out, arguments...)` and compares with the same function compiled for the host.
template <typename Function, typename... Arguments>
void expectSame(const std::string& source, Function&& expected, Arguments... arguments) {
  for (const char* options : {"", "-cl-opt-disable"}) {
    SCOPED_TRACE(options);
    Program program = build(source, options);
    Buffer<cl_int> out(items, -1);
    run(program, "k", {{items}, {25}}, out, arguments...);
    EXPECT_EQ(out.read(), tabulate<cl_int>(items, expected));
  }
}

/// The same text as OpenCL C and as a lambda of the host.
#define SAME_ON_HOST(...)                                                                          \
  expectSame("int f(int g) " #__VA_ARGS__                                                          \
             "\nkernel void k(global int* out) { int g = get_global_id(0); out[g] = f(g); }",      \
             [](size_t item) {                                                                     \
               auto f = [](int g)->int __VA_ARGS__;                                                \
               return f(int(item));                                                                \
             })
/// The same with two arguments that are no constants for the compiler, `n` and `stop`.
#define SAME_ON_HOST_FOR(nValue, stopValue, ...)                                                   \
  expectSame(                                                                                      \
      "int f(int g, int n, int stop) " #__VA_ARGS__                                                \
      "\nkernel void k(global int* out, int n, int stop) {"                                        \
      " int g = get_global_id(0); out[g] = f(g, n, stop); }",                                      \
      [&](size_t item) {                                                                           \
        auto f = [](int g, int n, int stop)->int __VA_ARGS__;                                      \
        return f(int(item), nValue, stopValue);                                                    \
      },                                                                                           \
      nValue, stopValue)

TEST(ControlFlow, switchIntoALoop) {
  SAME_ON_HOST({
    int n = (g * 7 + 3) % 29 + 1, sum = 0, step = (n + 3) / 4;
    switch (n % 4) {
    case 0:
      do {
        sum += g + step;
      case 3:
        sum = sum * 3 & 0xffff;
      case 2:
        sum += 11;
      case 1:
        sum ^= step;
      } while (--step > 0);
    }
    return sum;
  });
}

TEST(ControlFlow, largeSwitch) {
  SAME_ON_HOST({
    int x = g;
    for (int t = 0; t < 12; ++t)
      switch ((x * 5 + t) % 19) {
      case 0:
        x += 3;
        break;
      case 1:
        x *= 2;
      case 2:
        x -= 7;
        break;
      case 3:
      case 4:
      case 5:
        x ^= 0x55;
        break;
      case 6:
        if (t > 4)
          return x;
        x += 100;
        break;
      case 7:
        continue;
      case 8:
        x = x / 3;
        break;
      case 9:
        x = -x;
        x = x & 0x3ff;
        break;
      case 11:
        x += t * t;
        break;
      case 13:
        x ^= t;
        break;
      case 17:
        x |= 9;
        break;
      case -3:
        x = 5;
        break;
      default:
        x = (x + 1) & 0xfff;
      }
    return x;
  });
}

TEST(ControlFlow, switchOverSparseAndNegativeValues) {
  SAME_ON_HOST({
    int x = g * 1000 - 100000;
    int r = 0;
    switch (x) {
    case -100000:
      r = 1;
      break;
    case -99000:
      r = 2;
      break;
    case 0:
      r = 3;
      break;
    case 5000:
      r = 4;
      break;
    case 77000:
      r = 5;
    case 99000:
      r += 6;
      break;
    }
    return r * 10 + (x < 0);
  });
}

TEST(ControlFlow, loopsWithManyExits) {
  SAME_ON_HOST({
    int x = g + 1, steps = 0;
    while (1) {
      if (x % 11 == 0)
        break;
      for (int i = 0; i < x % 6; ++i) {
        if (i == 3 && g % 2)
          break;
        if ((x + i) % 5 == 0)
          continue;
        if (steps > 300)
          return -steps;
        do {
          ++steps;
          if (steps % 7 == g % 7)
            break;
        } while (steps % 3);
      }
      x = x * 3 % 1009 + 1;
      if (++steps > 400)
        return x;
    }
    return steps * 1000 + x;
  });
}

// What is kept of the loops is only by which way they were left.
TEST(ControlFlow, loopsLeftByEachWorkItemOrByAll) {
  const Program program = build(R"(
    kernel void k(global const int* in, global int* out, int reach) {
      int g = (int)get_global_id(0), value = 0;
      for (int y = -1; y <= reach; ++y) {
        for (int x = -1; x <= reach; ++x) {
          value = in[clamp(g + x + 20 * y, 0, 199)];
          if (value != 0)
            break;
        }
        if (value != 0)
          break;
      }
      out[g] = value != 0;
    })");
  constexpr int set[] = {0, 57, 130, 199};
  std::vector<cl_int> input(items);
  for (int place : set)
    input[place] = place + 3;
  Buffer<cl_int> in(input), out(items, -1);
  run(program, "k", {{items}, {25}}, in, out, 1);
  EXPECT_EQ(out.read(), tabulate<cl_int>(items, [&](size_t g) {
              for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x)
                  if (input[std::clamp(int(g) + x + 20 * y, 0, 199)] != 0)
                    return 1;
              return 0;
            }));
}

// Convergent loops: with divergent branches and loops in them, two ways out, and within loops that
// work-items leave at different times, with what they have then.
TEST(ControlFlow, loopsThatSomeWorkItemsEnterAndLeaveTogether) {
  constexpr std::pair<int, int> cases[] = {{7, 4}, {3, 5}, {0, 3}, {5, 0}, {1, 100}};
  for (const auto& [first, second] : cases) {
    const int iterations = first, limit = second;
    SCOPED_TRACE(testing::Message() << iterations << " " << limit);
    SAME_ON_HOST_FOR(iterations, limit, {
      unsigned sum = g;
      int last = -1;
      for (int round = 0; round < g % 5; ++round) {
        if ((g + round) % 3 == 0) {
          for (int i = 0; i < n; ++i) {
            if ((g >> (i % 4)) & 1)
              sum = sum * 3 + i;
            for (int j = i; j < g % 7; ++j)
              sum ^= j + round;
            for (int j = 0; j < stop; ++j)
              sum += j * g;
            last = i;
            if (i * 2 == stop)
              break;
          }
          if (sum % 4 == 1)
            return sum + last;
          sum += last;
        } else if (round > 1) {
          for (int i = stop; i > 0; i -= 2)
            last = (last * 5 + i) & 0xffff;
        }
      }
      return sum - last;
    });
  }
}

TEST(ControlFlow, emptyAndDegenerateLoops) {
  SAME_ON_HOST({
    int x = g;
    for (int i = 0; i < g; ++i)
      ;
    while (x > 1000)
      --x;
    do
      x += 2;
    while (0);
    for (;;)
      break;
    for (int i = 10; i-- > 5; x += i)
      if (i == g % 10)
        continue;
    int a = 1, b = 2;
    a += b, b += a, x += (a++, b);
    return x;
  });
}

TEST(ControlFlow, shortCircuitAndConditionalOperators) {
  SAME_ON_HOST({
    int a = 0, b = g % 5, c = g % 3;
    int r = b && ++a || c && (a += 10);
    r += b > c ? c ? a++ : (a += 3) : b ? --a : -7;
    r = r * 100 + (!b == !c ? a : ~a);
    return r + (g > 50 && (g < 100 || g % 2) && !(g % 7)) * 10000;
  });
}

TEST(ControlFlow, gotoForwardsAndBackwards) {
  SAME_ON_HOST({
    int x = g;
    int steps = 0;
  again:
    ++steps;
    if (x > 1000)
      goto done;
    x = x * 3 + 1;
    if (x % 4 == 1)
      goto skip;
    x += 7;
  skip:
    if (steps < 20)
      goto again;
  done:
    return x * 100 + steps;
  });
}

// Two blocks that lead into each other and are both entered from outside: no loop has a single
// entry.
TEST(ControlFlow, irreducibleLoop) {
  SAME_ON_HOST({
    int x = g;
    int steps = 0;
    if (x % 3 == 0)
      goto second;
  first:
    x = x * 5 + 1 & 0xffff;
    if (++steps > 30)
      goto out;
  second:
    x = (x ^ 0x55) + steps;
    if (x % 7 == g % 7)
      goto out;
    if (++steps < 25)
      goto first;
    if (steps < 28)
      goto second;
  out:
    return x * 50 + steps;
  });
}

TEST(ControlFlow, deepNest) {
  std::string open, close;
  for (int depth = 0; depth < 24; ++depth) {
    std::string d = std::to_string(depth);
    open += "if ((g >> " + std::to_string(depth % 7) + ") & 1 || x % " + std::to_string(depth + 2) +
            " == 0) { x = x * 3 + " + d + " & 0xffff;\n";
    close = "} else x += " + d + ";\n" + close;
  }
  expectSame("kernel void k(global int* out) { int g = get_global_id(0), x = g;\n" + open + close +
                 "out[g] = x; }",
             [](size_t item) {
               int g = int(item), x = g, depth = 0;
               for (; depth < 24; ++depth) {
                 if (!((g >> depth % 7) & 1 || x % (depth + 2) == 0))
                   break;
                 x = (x * 3 + depth) & 0xffff;
               }
               return depth < 24 ? x + depth : x;
             });
}

// What few work-items run is skipped as a whole, among blocks and loops that others run, and what
// it leaves is read behind it.
TEST(ControlFlow, rareNests) {
  expectSame(R"(kernel void k(global int* out) {
      int g = get_global_id(0), x = g, table[6];
      if (g == 999) return;
      for (int round = 0; round < 3; ++round) {
        if (x % 2) x += 7;
        if (g % 97 == 13 + round) {
          for (int i = 0; i < 6; ++i) table[i] = x * i + round;
          for (int i = 0; i < 6; ++i) {
            int y = table[(i * 5 + g) % 6];
            if (y % 3 == 0) x = (x ^ y) & 0xffff; else if (y % 3 == 1) x = (x * 3 + i) & 0xffff;
            if (x % 11 == 4) break;
          }
          x = x * 5 % 4099;
        }
        x = (x + round) & 0xffff;
      }
      out[g] = x;
    })",
             [](size_t item) {
               const int g = int(item);
               int x = g, table[6];
               for (int round = 0; round < 3; ++round) {
                 if (x % 2)
                   x += 7;
                 if (g % 97 == 13 + round) {
                   for (int i = 0; i < 6; ++i)
                     table[i] = x * i + round;
                   for (int i = 0; i < 6; ++i) {
                     const int y = table[(i * 5 + g) % 6];
                     if (y % 3 == 0)
                       x = (x ^ y) & 0xffff;
                     else if (y % 3 == 1)
                       x = (x * 3 + i) & 0xffff;
                     if (x % 11 == 4)
                       break;
                   }
                   x = x * 5 % 4099;
                 }
                 x = (x + round) & 0xffff;
               }
               return x;
             });
}

TEST(ControlFlow, deepCallGraph) {
  std::string source = "int f0(int x) { return x ^ 1; }\n";
  for (int level = 1; level < 60; ++level) {
    std::string callee = "f" + std::to_string(level - 1);
    source += std::string(level % 3 == 0   ? "__attribute__((noinline)) "
                          : level % 3 == 1 ? "static inline "
                                           : "") +
              "int f" + std::to_string(level) + "(int x) { return " + callee + "(x + " +
              std::to_string(level) + ") * 3 & 0xffffff; }\n";
  }
  expectSame(source +
                 "kernel void k(global int* out) { int g = get_global_id(0); out[g] = f59(g); }",
             [](size_t item) {
               int x = int(item);
               for (int level = 59; level > 0; --level)
                 x += level;
               x ^= 1;
               for (int level = 1; level < 60; ++level)
                 x = x * 3 & 0xffffff;
               return x;
             });
}

TEST(ControlFlow, manyCallsOfOneFunction) {
  std::string source = "__attribute__((noinline)) int step(int x, int y) { for (int i = 0; i < y % "
                       "5; ++i) x = (x * 7 + i) & 0xffff; return x; }\n"
                       "kernel void k(global int* out) { int g = get_global_id(0), x = g;\n";
  for (int call = 0; call < 100; ++call)
    source += "x = step(x, g + " + std::to_string(call) + ");\n";
  expectSame(source + "out[g] = x; }", [](size_t item) {
    int g = int(item), x = g;
    for (int call = 0; call < 100; ++call)
      for (int i = 0; i < (g + call) % 5; ++i)
        x = (x * 7 + i) & 0xffff;
    return x;
  });
}

TEST(ControlFlow, structuresAndArraysReturnedByFunctions) {
  expectSame(R"(
    typedef struct { int v[6]; float4 f; } Big;
    typedef struct { char a; short b; } Small;
    Big makeBig(int x) {
      Big b;
      for (int i = 0; i < 6; ++i)
        b.v[i] = x + i;
      b.f = (float4)(x);
      return b;
    }
    Small makeSmall(int x) { Small s = {(char)x, (short)(x * 2)}; return s; }
    int x_of(Small s) { return s.b - s.a; }
    int take(Big b, Small s, const Big* p) { return b.v[x_of(s)] + p->v[5] + (int)b.f.z; }
    kernel void k(global int* out) {
      int g = get_global_id(0);
      Big b = makeBig(g), c = b;
      c.v[5] = 1000;
      out[g] = take(b, makeSmall(g % 6), &c);
    })",
             [](size_t g) { return g + g % 6 + 1000 + g; });
}

// Loops whose counters pass the end by and wrap, 1.1e19 rounds and more, which nobody runs: of one
// and of several counters, in a value, in private memory that has an address, across barriers, and
// around each other.
TEST(ControlFlow, loopsThatOnlyCount) {
  const Program program = build(R"(
    struct State { ulong count; ulong other; ulong* p; };
    kernel void k(global int* out) {
      int g = get_global_id(0);
      ulong n = 0;
      for (n = 0; n != 28; n += 5)
        ;
      struct State s = {1, g, 0};
      s.p = g & 1 ? &s.count : &s.other;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (s.count = 0; s.count != 28; s.count += 5)
        ;
      barrier(CLK_LOCAL_MEM_FENCE);
      ulong twice = 0;
      for (ulong i = g; i != 28; i -= 3)
        twice += 2;
      for (uint i = 0; i != 1000; i += 7)
        for (ulong j = i; j != 13; j += 9)
          ;
      out[g] = (int)(n + *s.p + twice * 3);
    })");
  Buffer<cl_int> out(items, -1);
  run(program, "k", {{items}, {25}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(items, [](size_t g) {
              return 28 + (g % 2 != 0 ? 28 : int(g)) + 2 * (int(g) - 28);
            }));
}

// Loops that go through the bits of a number, with the test before or behind, by numbers of all
// widths and with 0 among them.
TEST(ControlFlow, loopsOverBits) {
  SAME_ON_HOST({
    unsigned long wide = (unsigned long)g * 0x9e3779b97f4a7c15ul, rest = wide;
    int sum = 0, steps = 0;
    while (rest) {
      sum += 3;
      rest &= rest - 1;
    }
    unsigned int x = (unsigned int)wide & 0xfff0ffffu;
    do {
      ++steps;
      x >>= 1;
    } while (x);
    return sum * 100 + steps;
  });
  SAME_ON_HOST({
    unsigned short x = (unsigned short)(g * 331);
    unsigned char y = (unsigned char)(g - 7);
    signed char narrow = 100, other = 1;
    for (; x != 0; x &= (unsigned short)(x - 1))
      narrow += 5;
    do {
      other = (signed char)(other * 2 + 1);
      y &= (unsigned char)(y - 1);
    } while (y != 0);
    return narrow * 256 + other;
  });
}

} // namespace
} // namespace quern::tests
