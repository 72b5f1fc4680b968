// Barriers in every place that OpenCL C allows them: straight code, loops, conditions that all
// work-items of a group take.
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr size_t meetingItems = 240;
const std::initializer_list<size_t> meetingLocalSizes = {1, 2, 3, 5, 8, 16, 20, 60, 240};

/// Runs `kernel(in, out, local, argument)` under several local sizes. `expected` computes one
/// group: it receives the group's input and returns its output.
template <typename GroupFunction>
void expectGroups(const char* source, cl_int argument, const GroupFunction& expected) {
  Program program = build(source);
  std::vector<cl_int> input =
      tabulate<cl_int>(meetingItems, [](size_t i) { return (i * 2654435761u >> 7) % 1000; });
  Buffer<cl_int> in(input);
  forEachLocalSize(meetingLocalSizes, [&](size_t local) {
    Buffer<cl_int> out(meetingItems, -1);
    run(program, "k", {{meetingItems}, {local}}, in, out, LocalBytes{local * sizeof(cl_int)},
        argument);
    std::vector<cl_int> result;
    for (size_t start = 0; start < meetingItems; start += local) {
      std::vector<cl_int> group(input.begin() + start, input.begin() + start + local);
      std::vector<cl_int> output = expected(group);
      result.insert(result.end(), output.begin(), output.end());
    }
    EXPECT_EQ(out.read(), result);
  });
}

using Group = std::vector<cl_int>;

TEST(Barriers, straightCode) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = l[n - 1 - i];
  })",
               0, [](const Group& in) { return Group(in.rbegin(), in.rend()); });
}

TEST(Barriers, severalInSequence) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    l[i] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = l[(i + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    l[i] = x * 2;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = l[(i + 1) % n] + x;
    barrier(0);
  })",
               0, [](const Group& in) {
                 size_t n = in.size();
                 return tabulate<cl_int>(
                     n, [&](size_t i) { return in[(i + 2) % n] * 2 + in[(i + 1) % n]; });
               });
}

TEST(Barriers, throughGlobalMemory) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    out[g] = in[g] * 3;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int x = out[g - i + (i + n / 2) % n];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = x + 1;
  })",
               0, [](const Group& in) {
                 size_t n = in.size();
                 return tabulate<cl_int>(n, [&](size_t i) { return in[(i + n / 2) % n] * 3 + 1; });
               });
}

/// Each step every item takes its right neighbour's value, times 3, plus the step.
Group rotate(Group values, int steps) {
  size_t n = values.size();
  for (int t = 0; t < steps; ++t)
    values = tabulate<cl_int>(n, [&](size_t i) { return (values[(i + 1) % n] * 3 + t) & 0xffff; });
  return values;
}

TEST(Barriers, uniformLoop) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int steps) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    for (int t = 0; t < steps; ++t) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int x = l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = (x * 3 + t) & 0xffff;
    }
    out[g] = l[i];
  })",
               7, [](const Group& in) { return rotate(in, 7); });
}

TEST(Barriers, loopThatNeverRuns) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int steps) {
    int x = in[get_global_id(0)];
    for (int t = 0; t < steps; ++t) {
      barrier(CLK_LOCAL_MEM_FENCE);
      x += t + 1;
    }
    out[get_global_id(0)] = x;
  })",
               0, [](const Group& in) { return in; });
}

TEST(Barriers, doWhileLoop) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int steps) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    int t = 0;
    do {
      barrier(CLK_LOCAL_MEM_FENCE);
      int x = l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = (x * 3 + t) & 0xffff;
    } while (++t < steps);
    out[g] = l[i];
  })",
               4, [](const Group& in) { return rotate(in, 4); });
}

TEST(Barriers, whileLoopWithBarrierAtItsEnd) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int steps) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x = in[g], t = 0;
    while (t < steps) {
      l[i] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x = (l[(i + 1) % n] * 3 + t) & 0xffff;
      ++t;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = x;
  })",
               5, [](const Group& in) { return rotate(in, 5); });
}

TEST(Barriers, endlessLoopLeftByBreak) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int steps) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x = in[g];
    for (int t = 0;; ++t) {
      l[i] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (t == steps)
        break;
      x = (l[(i + 1) % n] * 3 + t) & 0xffff;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = x;
  })",
               6, [](const Group& in) { return rotate(in, 6); });
}

TEST(Barriers, nestedLoopsWithBreakAndContinue) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x = in[g];
    for (int p = 0; p < 5; ++p) {
      if (p == a)
        continue;
      for (int q = 0; q < 6; ++q) {
        l[i] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        int y = l[(i + q) % n];
        if (q == 4 && p > 1)
          break;
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((p + q) % 3 == 2)
          continue;
        x = (x + y * 5 + p) & 0xfffff;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      x ^= p;
    }
    out[g] = x;
  })",
               2, [](Group x) {
                 size_t n = x.size();
                 for (int p = 0; p < 5; ++p) {
                   if (p == 2)
                     continue;
                   for (int q = 0; q < 6 && !(q == 4 && p > 1); ++q)
                     if ((p + q) % 3 != 2)
                       x = tabulate<cl_int>(
                           n, [&](size_t i) { return (x[i] + x[(i + q) % n] * 5 + p) & 0xfffff; });
                   for (cl_int& value : x)
                     value ^= p;
                 }
                 return x;
               });
}

TEST(Barriers, inBothBranchesOfAUniformCondition) {
  const char* source = R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    int x;
    if (a > 10) {
      barrier(CLK_LOCAL_MEM_FENCE);
      x = l[(i + 1) % n];
    } else {
      x = 1000;
      barrier(CLK_LOCAL_MEM_FENCE);
      x += l[(i + 2) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x = l[n - 1 - i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = x - a;
  })";
  expectGroups(source, 11, [](const Group& in) {
    return tabulate<cl_int>(in.size(), [&](size_t i) { return in[(i + 1) % in.size()] - 11; });
  });
  expectGroups(source, 10, [](const Group& in) {
    size_t n = in.size();
    return tabulate<cl_int>(n, [&](size_t i) { return in[(n - 1 - i + 2) % n] + 1000 - 10; });
  });
}

TEST(Barriers, inNestedConditionsInsideALoop) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x = in[g];
    for (int t = 0; t < 8; ++t) {
      if (t & 1) {
        l[i] = x;
        if (t & 2) {
          barrier(CLK_LOCAL_MEM_FENCE);
          x = l[n - 1 - i] + t;
        } else if (t & 4) {
          barrier(CLK_LOCAL_MEM_FENCE);
          x -= l[(i + 1) % n];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      } else {
        x = x * 3 & 0xfffff;
      }
    }
    out[g] = x;
  })",
               0, [](Group x) {
                 size_t n = x.size();
                 for (int t = 0; t < 8; ++t)
                   x = tabulate<cl_int>(n, [&](size_t i) {
                     if (!(t & 1))
                       return x[i] * 3 & 0xfffff;
                     if (t & 2)
                       return x[n - 1 - i] + t;
                     return t & 4 ? x[i] - x[(i + 1) % n] : x[i];
                   });
                 return x;
               });
}

// The condition is the same for all items, but nothing in the code says so.
TEST(Barriers, dynamicallyUniformCondition) {
  Program program = build(R"(kernel void k(global int* flag, global int* out, local int* l) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = (int)g;
    int x = -5;
    if (flag[g] > 3) {
      barrier(CLK_LOCAL_MEM_FENCE);
      x = l[(i + 1) % n];
    }
    out[g] = x;
  })");
  for (cl_int flagValue : {3, 4})
    forEachLocalSize(meetingLocalSizes, [&](size_t local) {
      Buffer<cl_int> flag(meetingItems, flagValue), out(meetingItems, 0);
      run(program, "k", {{meetingItems}, {local}}, flag, out, LocalBytes{local * sizeof(cl_int)});
      EXPECT_EQ(out.read(), tabulate<cl_int>(meetingItems, [&](size_t g) -> cl_int {
                  size_t i = g % local;
                  return flagValue > 3 ? cl_int(g - i + (i + 1) % local) : -5;
                }));
    });
}

TEST(Barriers, tripCountReadFromLocalMemory) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int steps = l[0] % 6, x = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 0; t < steps; ++t) {
      l[i] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x = (l[(i + 1) % n] * 3 + t) & 0xffff;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = x;
  })",
               0, [](const Group& in) { return rotate(in, in[0] % 6); });
}

// Each item has its own counter and its own bound; the number of trips agrees.
TEST(Barriers, loopOverOwnElementsInStep) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x = in[g];
    for (size_t j = i; j < 4 * n; j += n) {
      l[i] = x + (int)(j / n);
      barrier(CLK_LOCAL_MEM_FENCE);
      x = l[n - 1 - i];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = x;
  })",
               0, [](const Group& in) {
                 return tabulate<cl_int>(in.size(), [&](size_t i) { return in[i] + 6; });
               });
}

TEST(Barriers, loopUntilTheGroupAgrees) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    local int active;
    size_t i = get_local_id(0), g = get_global_id(0);
    int x = in[g], steps = 0;
    for (;;) {
      if (i == 0)
        active = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (x > 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        ++steps;
        atomic_inc(&active);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      int left = active;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (left == 0)
        break;
    }
    out[g] = steps;
  })",
               0, [](const Group& in) {
                 return tabulate<cl_int>(in.size(), [&](size_t i) {
                   int steps = 0;
                   for (int x = in[i]; x > 1; ++steps)
                     x = x & 1 ? 3 * x + 1 : x / 2;
                   return steps;
                 });
               });
}

TEST(Barriers, divergentLoopsBetweenBarriers) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x = in[g], sum = 0;
    for (int t = 0; t < 3; ++t) {
      for (int j = 0; j < x % 7; ++j) {
        if (j == (int)(i % 5))
          continue;
        if (sum > 900)
          break;
        sum += j * j + t;
      }
      l[i] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      x += l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = x;
  })",
               0, [](Group x) {
                 size_t n = x.size();
                 Group sum(n, 0);
                 for (int t = 0; t < 3; ++t) {
                   for (size_t i = 0; i < n; ++i)
                     for (int j = 0; j < x[i] % 7; ++j) {
                       if (j == int(i % 5))
                         continue;
                       if (sum[i] > 900)
                         break;
                       sum[i] += j * j + t;
                     }
                   for (size_t i = 0; i < n; ++i)
                     x[i] += sum[(i + 1) % n];
                 }
                 return x;
               });
}

// One barrier is followed by different barriers, depending on where the group goes.
TEST(Barriers, severalSuccessors) {
  const char* source = R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    int x = 0, state = a;
    while (state != 9) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int y = l[(i + 1) % n];
      if (state == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] = y + 1;
        state = 2;
      } else if (state == 1) {
        x += 7;
        barrier(CLK_LOCAL_MEM_FENCE);
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] = y * 2;
        state = 0;
      } else {
        x += y;
        state = 9;
      }
    }
    out[g] = x;
  })";
  for (cl_int start : {0, 1, 2, 9})
    expectGroups(source, start, [start](Group l) {
      size_t n = l.size();
      Group x(n, 0);
      for (int state = start; state != 9;) {
        Group y = tabulate<cl_int>(n, [&](size_t i) { return l[(i + 1) % n]; });
        for (size_t i = 0; i < n; ++i) {
          if (state == 0)
            l[i] = y[i] + 1;
          else if (state == 1)
            x[i] += 7, l[i] = y[i] * 2;
          else
            x[i] += y[i];
        }
        state = state == 0 ? 2 : state == 1 ? 0 : 9;
      }
      return x;
    });
}

// The specification leaves undefined what work-items meet at that others have left the
// kernel before; here, as on most devices, these are not waited for.
TEST(Barriers, behindWhatSomeItemsNeverPass) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    if (i < (n + 1) / 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int sum = 0;
      for (int t = 0; t < 4; ++t) {
        sum += l[(i + t) % n] * (t + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[g] = sum;
    }
  })",
               0, [](const Group& in) {
                 const size_t n = in.size(), half = (n + 1) / 2;
                 Group l = in, sum(n, -1);
                 std::fill_n(sum.begin(), half, 0);
                 for (int t = 0; t < 4; ++t) {
                   for (size_t i = 0; i < half; ++i)
                     sum[i] += l[(i + t) % n] * (t + 1);
                   std::copy_n(sum.begin(), half, l.begin());
                 }
                 return sum;
               });
}

// Undefined, too, and relied on by MIOpen's convolutions: who passes by a barrier waits where the
// paths join, as on GPUs in lockstep. NVIDIA's work-items run ahead.
TEST(Barriers, behindThoseThatSomeItemsPassBy) {
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i % 3 == 0) {
      int y = l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = y * 2;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = l[n - 1 - i];
  })",
               0, [](const Group& in) {
                 const size_t n = in.size();
                 Group l = in;
                 for (size_t i = 0; i < n; i += 3)
                   l[i] = in[(i + 1) % n] * 2;
                 std::reverse(l.begin(), l.end());
                 return l;
               });
}

TEST(Barriers, behindLoopsThatSomeItemsLeaveEarly) {
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    l[i] = in[g];
    for (int t = 0; t < (int)(i % 4); ++t) {
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = l[i] * 3 + t;
    }
    out[g] = l[n - 1 - i];
  })",
               0, [](const Group& in) {
                 Group l = in;
                 for (size_t i = 0; i < l.size(); ++i)
                   for (int t = 0; t < static_cast<int>(i % 4); ++t)
                     l[i] = l[i] * 3 + t;
                 std::reverse(l.begin(), l.end());
                 return l;
               });
}

TEST(Barriers, afterSomeItemsHaveReturned) {
  expectGroups(R"(kernel void k(global int* in, global int* out, local int* l, int a) {
    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x = in[g], kept[3] = {x, 1, 2};
    l[i] = x;
    out[g] = 0;
    if (x % 5 == 0)
      return;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 0; t < 5; ++t) {
      int y = l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((x + t) % 7 == 0)
        return;
      kept[t % 3] += y;
      l[i] = y + t;
      out[g] += kept[(t + 1) % 3];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] += 1000000;
  })",
               0, [](const Group& in) {
                 const size_t n = in.size();
                 Group l = in, out(n, 0);
                 std::vector<std::array<int, 3>> kept;
                 for (int x : in)
                   kept.push_back({x, 1, 2});
                 const auto isThere = [&](size_t i, int t) {
                   bool is = in[i] % 5 != 0;
                   for (int s = 0; s <= t; ++s)
                     is = is && (in[i] + s) % 7 != 0;
                   return is;
                 };
                 for (int t = 0; t < 5; ++t) {
                   const Group before = l;
                   for (size_t i = 0; i < n; ++i)
                     if (isThere(i, t)) {
                       const int y = before[(i + 1) % n];
                       kept[i][t % 3] += y;
                       l[i] = y + t;
                       out[i] += kept[i][(t + 1) % 3];
                     }
                 }
                 for (size_t i = 0; i < n; ++i)
                   out[i] += isThere(i, 4) ? 1000000 : 0;
                 return out;
               });
}

// A tiled product of matrices with a guard around its whole body, in groups that go past the edge.
TEST(Barriers, behindGuardsInTwoDimensions) {
  constexpr size_t edge = 8, width = 37, height = 21, depth = 24;
  Program program = build(R"(
  #define EDGE 8
  kernel void k(global const int* a, global const int* b, global int* c, int width, int height,
                int depth) {
    local int la[EDGE][EDGE], lb[EDGE][EDGE];
    int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
    if (x < width && y < height) {
      int sum = 0;
      for (int k = 0; k < depth; k += EDGE) {
        // Those at the edge load what the missing ones would.
        for (int r = j; r < EDGE; r += min(EDGE, height - (y - j)))
          for (int q = i; q < EDGE; q += min(EDGE, width - (x - i))) {
            la[r][q] = y - j + r < height ? a[(y - j + r) * depth + k + q] : 0;
            lb[r][q] = x - i + q < width ? b[(k + r) * width + x - i + q] : 0;
          }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int m = 0; m < EDGE; ++m)
          sum += la[j][m] * lb[m][i];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      c[y * width + x] = sum;
    }
  })");
  const auto number = [](size_t i) { return cl_int(i * 2654435761u >> 27) - 16; };
  const std::vector<cl_int> a = tabulate<cl_int>(height * depth, number);
  const std::vector<cl_int> b =
      tabulate<cl_int>(depth * width, [&](size_t i) { return number(i + 1000); });
  Buffer<cl_int> first(a), second(b), out(width * height, -1);
  const auto up = [](size_t size) { return (size + edge - 1) / edge * edge; };
  run(program, "k", {{up(width), up(height)}, {edge, edge}}, first, second, out, cl_int(width),
      cl_int(height), cl_int(depth));
  EXPECT_EQ(out.read(), tabulate<cl_int>(width * height, [&](size_t place) {
              cl_int sum = 0;
              for (size_t k = 0; k < depth; ++k)
                sum += a[place / width * depth + k] * b[k * width + place % width];
              return sum;
            }));
}

TEST(Barriers, inTwoAndThreeDimensions) {
  Program program = build(R"(kernel void k(global int* out, local int* l) {
    size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    size_t w = get_local_size(0), h = get_local_size(1), d = get_local_size(2);
    l[(z * h + y) * w + x] = (int)(get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2));
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t slot = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    out[slot] = l[((d - 1 - z) * h + (h - 1 - y)) * w + (w - 1 - x)];
  })");
  for (auto [w, h, d] :
       {std::array<size_t, 3>{4, 3, 2}, {12, 1, 1}, {1, 6, 1}, {1, 1, 4}, {3, 2, 4}}) {
    Buffer<cl_int> out(12 * 6 * 4);
    run(program, "k", {{12, 6, 4}, {w, h, d}}, out, LocalBytes{w * h * d * sizeof(cl_int)});
    EXPECT_EQ(out.read(), tabulate<cl_int>(12 * 6 * 4, [&](size_t slot) {
                size_t x = slot % 12, y = slot / 12 % 6, z = slot / 72;
                auto mirror = [](size_t p, size_t size) {
                  return p / size * size + size - 1 - p % size;
                };
                return mirror(x, w) + 100 * mirror(y, h) + 10000 * mirror(z, d);
              }));
  }
}

TEST(Barriers, largestGroup) {
  size_t local = Device::get().maxWorkGroupSize();
  Program program = build(R"(kernel void k(global int* out, local int* l) {
    size_t i = get_local_id(0), n = get_local_size(0);
    l[i] = (int)get_global_id(0);
    for (int t = 0; t < 3; ++t) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int x = l[(i + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = x;
    }
    out[get_global_id(0)] = l[i];
  })");
  Buffer<cl_int> out(2 * local);
  run(program, "k", {{2 * local}, {local}}, out, LocalBytes{local * sizeof(cl_int)});
  EXPECT_EQ(out.read(), tabulate<cl_int>(2 * local, [&](size_t g) {
              return g / local * local + (g % local + 3) % local;
            }));
}

TEST(Barriers, nonUniformLastGroup) {
  QUERN_NEEDS("CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT");
  Program program = build(R"(kernel void k(global int* out, local int* l) {
    size_t i = get_local_id(0), n = get_local_size(0);
    l[i] = (int)get_global_id(0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[n - 1 - i];
  })",
                          openClC3);
  for (size_t local : {7, 16, 50, 200}) {
    Buffer<cl_int> out(107);
    run(program, "k", {{107}, {local}}, out, LocalBytes{local * sizeof(cl_int)});
    EXPECT_EQ(out.read(), tabulate<cl_int>(107, [&](size_t g) {
                size_t start = g / local * local, size = std::min(local, 107 - start);
                return start + size - 1 - g % local;
              }));
  }
}

} // namespace
} // namespace quern::tests
