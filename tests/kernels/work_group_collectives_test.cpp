// The collective functions of work-groups, against sums made by the host.
#include "kernels/collectives_fixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace quern::tests {
namespace {

TEST_F(WorkGroupCollectives, allAndAny) {
  const Program program = build(R"(
    kernel void k(global const int* in, global int* out) {
      int x = in[get_global_id(0)];
      int all = work_group_all(x), any = work_group_any(x);
      out[get_global_id(0)] = all * 2 + any;
    })",
                                openClC3);
  forEachLocalSize({1, 3, 16, 64}, [&](size_t local) {
    const size_t count = local * 12;
    const std::vector<cl_int> in = tabulate<cl_int>(count, [local](size_t i) {
      const size_t group = i / local;
      return group % 4 == 0   ? 0
             : group % 4 == 1 ? -int(i) - 1
             : group % 4 == 2 ? i % local == 1
                              : 0x10000;
    });
    Buffer<cl_int> input(in), output(count);
    run(program, "k", {{count}, {local}}, input, output);
    EXPECT_EQ(output.read(), tabulate<cl_int>(count, [&](size_t i) {
                const auto begin = in.begin() + std::ptrdiff_t(i / local * local);
                const auto isSet = [](cl_int x) { return x != 0; };
                return std::all_of(begin, begin + std::ptrdiff_t(local), isSet) * 2 +
                       std::any_of(begin, begin + std::ptrdiff_t(local), isSet);
              }));
  });
}

/// What a host computation of one group gives: reduce, inclusive and exclusive scan.
template <typename T, typename Operation>
std::vector<T> expectedArithmetic(const std::vector<T>& in, size_t local, T identity,
                                  Operation operation) {
  std::vector<T> out(in.size() * 3);
  for (size_t begin = 0; begin < in.size(); begin += local) {
    const size_t end = std::min(begin + local, in.size());
    T total = identity;
    for (size_t i = begin; i < end; ++i) {
      out[3 * i + 2] = total;
      total = operation(total, in[i]);
      out[3 * i + 1] = total;
    }
    for (size_t i = begin; i < end; ++i)
      out[3 * i] = total;
  }
  return out;
}

template <typename T> constexpr const char* nameOfType = nullptr;
template <> constexpr const char* nameOfType<cl_int> = "int";
template <> constexpr const char* nameOfType<cl_uint> = "uint";
template <> constexpr const char* nameOfType<cl_long> = "long";
template <> constexpr const char* nameOfType<cl_ulong> = "ulong";
template <> constexpr const char* nameOfType<cl_float> = "float";
template <> constexpr const char* nameOfType<cl_double> = "double";

template <typename T> class WorkGroupArithmetic : public WorkGroupCollectives {};
using ReducedTypes = testing::Types<cl_int, cl_uint, cl_long, cl_ulong, cl_float, cl_double>;
TYPED_TEST_SUITE(WorkGroupArithmetic, ReducedTypes);

TYPED_TEST(WorkGroupArithmetic, reductionsAndScans) {
  using T = TypeParam;
  if (std::is_same_v<T, cl_double>)
    QUERN_NEEDS("cl_khr_fp64");
  // Integers wrap around; floating-point numbers are small integers, so that every order of
  // additions is exact.
  const auto value = [](size_t i) {
    if constexpr (std::is_floating_point_v<T>)
      return T(int(i * 7919 % 2001) - 1000);
    else
      return T(i * 0x9e3779b97f4a7c15u);
  };
  struct Functions {
    const char *reduce, *inclusive, *exclusive;
  };
  constexpr Functions additions = {"work_group_reduce_add", "work_group_scan_inclusive_add",
                                   "work_group_scan_exclusive_add"};
  constexpr Functions minima = {"work_group_reduce_min", "work_group_scan_inclusive_min",
                                "work_group_scan_exclusive_min"};
  constexpr Functions maxima = {"work_group_reduce_max", "work_group_scan_inclusive_max",
                                "work_group_scan_exclusive_max"};
  for (const Functions* functions : {&additions, &minima, &maxima}) {
    SCOPED_TRACE(functions->reduce);
    const Program program =
        build(R"(
    kernel void k(global const T* in, global T* out) {
      size_t i = get_global_id(0);
      out[3 * i] = REDUCE(in[i]);
      out[3 * i + 1] = INCLUSIVE(in[i]);
      out[3 * i + 2] = EXCLUSIVE(in[i]);
    })",
              std::string(openClC3) + " -DT=" + nameOfType<T> + " -DREDUCE=" + functions->reduce +
                  " -DINCLUSIVE=" + functions->inclusive + " -DEXCLUSIVE=" + functions->exclusive);
    using Limits = std::numeric_limits<T>;
    const bool add = functions == &additions, min = functions == &minima;
    const T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    const T highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
    const T identity = add ? T(0) : min ? highest : lowest;
    const auto combine = [&](T a, T b) {
      using Unsigned = std::conditional_t<std::is_integral_v<T>, cl_ulong, T>;
      return add ? T(Unsigned(a) + Unsigned(b)) : min ? std::min(a, b) : std::max(a, b);
    };
    forEachLocalSize({1, 7, 64, 256}, [&](size_t local) {
      const size_t count = local * 5 + local / 2; // the last group is smaller
      const std::vector<T> in = tabulate<T>(count, value);
      Buffer<T> input(in), output(count * 3);
      run(program, "k", {{count}, {local}}, input, output);
      EXPECT_EQ(output.read(), expectedArithmetic<T>(in, local, identity, combine));
    });
  }
}

// A sum of one value is a product, and may be made in a wider type.
TEST_F(WorkGroupCollectives, sumsWrapAroundBeforeTheyAreWidened) {
  const Program program = build(R"(
    kernel __attribute__((reqd_work_group_size(32, 1, 1)))
    void k(global const int* in, global long* out) {
      int sum = work_group_reduce_add(in[1]);
      long before = work_group_scan_exclusive_add(1l);
      barrier(CLK_GLOBAL_MEM_FENCE);
      out[get_global_id(0)] = before * 1000 + sum;
    })",
                                std::string(openClC3) + " -cl-uniform-work-group-size");
  for (const cl_int x : {123456789, std::numeric_limits<cl_int>::max(), -1234567890}) {
    Buffer<cl_int> input(std::vector<cl_int>{0, x});
    Buffer<cl_long> output(64);
    run(program, "k", {{64}, {32}}, input, output);
    EXPECT_EQ(output.read(), tabulate<cl_long>(64, [x](size_t i) {
                return cl_long(i % 32 * 1000) + cl_int(cl_uint(x) * 32);
              }));
  }
}

TEST_F(WorkGroupCollectives, everyPositionOfTwoAndThreeDimensions) {
  const Program program = build(R"(
    kernel void k(global const int* in, global int* out) {
      size_t i = get_global_linear_id();
      out[4 * i] = work_group_reduce_add(in[i]);
      out[4 * i + 1] = work_group_scan_inclusive_add(in[i]);
      out[4 * i + 2] = work_group_scan_exclusive_max(in[i]);
      out[4 * i + 3] = work_group_all(in[i]) * 2 + work_group_any(in[i] > 90);
    })",
                                openClC3);
  struct Sizes {
    std::vector<size_t> global, local;
  };
  for (const Sizes& sizes : {Sizes{{32, 8}, {16, 4}}, Sizes{{21, 10}, {7, 5}},
                             Sizes{{3, 34, 4}, {1, 17, 2}}, Sizes{{8, 6, 4}, {4, 3, 4}}}) {
    const size_t width = sizes.global[0], height = sizes.global[1];
    const size_t depth = sizes.global.size() > 2 ? sizes.global[2] : 1;
    const size_t count = width * height * depth;
    const std::array<size_t, 3> local = {sizes.local[0], sizes.local[1],
                                         sizes.local.size() > 2 ? sizes.local[2] : 1};
    const std::vector<cl_int> in = tabulate<cl_int>(count, [](size_t i) { return i * 37 % 97; });
    std::vector<cl_int> expected(4 * count);
    for (size_t group = 0; group < count / (local[0] * local[1] * local[2]); ++group) {
      const size_t groupX = group % (width / local[0]) * local[0];
      const size_t groupY = group / (width / local[0]) % (height / local[1]) * local[1];
      const size_t groupZ = group / (width / local[0]) / (height / local[1]) * local[2];
      std::vector<size_t> items;
      for (size_t z = 0; z < local[2]; ++z)
        for (size_t y = 0; y < local[1]; ++y)
          for (size_t x = 0; x < local[0]; ++x)
            items.push_back(((groupZ + z) * height + groupY + y) * width + groupX + x);
      cl_int sum = 0, most = INT32_MIN, all = 1, any = 0;
      for (size_t i : items) {
        expected[4 * i + 2] = most;
        expected[4 * i + 1] = sum += in[i];
        most = std::max(most, in[i]);
        all &= in[i] != 0;
        any |= in[i] > 90;
      }
      for (size_t i : items) {
        expected[4 * i] = sum;
        expected[4 * i + 3] = all * 2 + any;
      }
    }
    Buffer<cl_int> input(in), output(4 * count);
    run(program, "k", {sizes.global, sizes.local}, input, output);
    EXPECT_EQ(output.read(), expected) << width << " x " << height << " x " << depth;
  }
}

TEST_F(WorkGroupCollectives, minimaAndMaximaPassOverWhatIsNoNumber) {
  const Program program = build(R"(
    kernel void k(global const float* in, global float* out) {
      float x = in[get_global_id(0)];
      global float* own = out + 4 * get_global_id(0);
      own[0] = work_group_reduce_min(x);
      own[1] = work_group_reduce_max(x);
      own[2] = work_group_scan_inclusive_max(x);
      own[3] = work_group_scan_exclusive_min(x);
    })",
                                openClC3);
  forEachLocalSize({5, 16, 40, 100}, [&](size_t local) {
    const size_t count = local * 3;
    const std::vector<cl_float> in = tabulate<cl_float>(
        count, [](size_t i) { return i % 3 == 0 ? NAN : float(int(i * 29 % 61) - 30); });
    std::vector<cl_float> expected(4 * count);
    for (size_t begin = 0; begin < count; begin += local) {
      float least = INFINITY, most = -INFINITY;
      for (size_t i = begin; i < begin + local; ++i) {
        expected[4 * i + 3] = least;
        least = std::fmin(least, in[i]);
        expected[4 * i + 2] = most = std::fmax(most, in[i]);
      }
      for (size_t i = begin; i < begin + local; ++i) {
        expected[4 * i] = least;
        expected[4 * i + 1] = most;
      }
    }
    Buffer<cl_float> input(in), output(4 * count);
    run(program, "k", {{count}, {local}}, input, output);
    EXPECT_EQ(output.read(), expected);
  });
}

TEST_F(WorkGroupCollectives, sumsOfNothingArePositiveZero) {
  const Program program = build(R"(
    kernel void k(global float* out) {
      out[get_global_id(0)] = work_group_scan_exclusive_add(1.0f);
    })",
                                openClC3);
  Buffer<cl_float> out(40);
  run(program, "k", {{40}, {20}}, out);
  const std::vector<cl_float> result = out.read();
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(result[i], float(i % 20)) << i;
    EXPECT_FALSE(std::signbit(result[i])) << i;
  }
}

TEST_F(WorkGroupCollectives, broadcastInEveryDimension) {
  const Program program = build(R"(
    kernel void one(global int* out, ulong from) {
      out[get_global_id(0)] = work_group_broadcast((int)get_global_id(0), from);
    }
    kernel void two(global float* out, ulong x, ulong y) {
      float own = get_global_id(0) + 100.0f * get_global_id(1);
      out[get_global_linear_id()] = work_group_broadcast(own, x, y);
    }
    kernel void three(global ulong* out, ulong x, ulong y, ulong z) {
      ulong own = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
      out[get_global_linear_id()] = work_group_broadcast(own, x, y, z);
    })",
                                openClC3);
  Buffer<cl_int> first(40);
  run(program, "one", {{40}, {8}}, first, cl_ulong{5});
  EXPECT_EQ(first.read(), tabulate<cl_int>(40, [](size_t i) { return i / 8 * 8 + 5; }));
  Buffer<cl_float> second(12 * 6);
  run(program, "two", {{12, 6}, {4, 3}}, second, cl_ulong{3}, cl_ulong{1});
  EXPECT_EQ(second.read(), tabulate<cl_float>(72, [](size_t i) {
              return float(i % 12 / 4 * 4 + 3) + 100.0f * float(i / 12 / 3 * 3 + 1);
            }));
  Buffer<cl_ulong> third(4 * 4 * 4);
  run(program, "three", {{4, 4, 4}, {4, 2, 2}}, third, cl_ulong{2}, cl_ulong{1}, cl_ulong{0});
  EXPECT_EQ(third.read(), tabulate<cl_ulong>(64, [](size_t i) {
              return 2 + 100 * (i / 4 % 4 / 2 * 2 + 1) + 10000 * (i / 16 / 2 * 2);
            }));
}

TEST_F(WorkGroupCollectives, half) {
  QUERN_NEEDS("cl_khr_fp16");
  const Program program = build(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global float* out) {
      half x = (half)get_local_id(0) - 7;
      global float* own = out + 5 * get_global_id(0);
      own[0] = work_group_reduce_add(x);
      own[1] = work_group_scan_inclusive_max(-x);
      own[2] = work_group_scan_exclusive_min(x);
      own[3] = work_group_broadcast(x, 3);
      own[4] = sub_group_broadcast(x, 1) + sub_group_reduce_max((half)2);
    })",
                                openClC3);
  constexpr size_t local = 16, count = 48;
  Buffer<cl_float> out(5 * count);
  run(program, "k", {{count}, {local}}, out);
  const std::vector<cl_float> result = out.read();
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(result[5 * i], 8) << i;
    EXPECT_EQ(result[5 * i + 1], 7) << i;
    EXPECT_EQ(result[5 * i + 2], i % local == 0 ? INFINITY : -7) << i;
    EXPECT_EQ(result[5 * i + 3], -4) << i;
  }
  EXPECT_EQ(result[4], -4);
}

TEST_F(WorkGroupCollectives, inLoopsAndBranches) {
  // The result decides whether all go on: it must be known to be the same for all.
  const Program program = build(R"(
    kernel void k(global const int* in, global int* rounds, global int* out) {
      int left = in[get_global_id(0)], round = 0, sum = 0;
      while (work_group_any(left > 0)) {
        int before = work_group_scan_exclusive_add(left > 0);
        if (round % 2 == 1)
          sum += work_group_reduce_max(left) + before;
        else
          sum -= before;
        --left;
        ++round;
      }
      rounds[get_global_id(0)] = round;
      out[get_global_id(0)] = sum;
    })",
                                openClC3);
  forEachLocalSize({1, 8, 32}, [&](size_t local) {
    const size_t count = 96;
    const std::vector<cl_int> in = tabulate<cl_int>(count, [](size_t i) { return i * 5 % 11; });
    std::vector<cl_int> rounds(count), sums(count);
    for (size_t begin = 0; begin < count; begin += local) {
      std::vector<cl_int> left(in.begin() + begin, in.begin() + begin + local);
      for (cl_int round = 0; *std::max_element(left.begin(), left.end()) > 0; ++round) {
        const cl_int most = *std::max_element(left.begin(), left.end());
        cl_int before = 0;
        for (size_t i = 0; i < local; ++i) {
          sums[begin + i] += round % 2 == 1 ? most + before : -before;
          before += left[i] > 0;
          ++rounds[begin + i];
        }
        for (cl_int& x : left)
          --x;
      }
    }
    Buffer<cl_int> input(in), roundsOut(count), sumsOut(count);
    run(program, "k", {{count}, {local}}, input, roundsOut, sumsOut);
    EXPECT_EQ(roundsOut.read(), rounds);
    EXPECT_EQ(sumsOut.read(), sums);
  });
}

TEST_F(WorkGroupCollectives, votesAndBroadcastsBesideWorkOfFewItems) {
  // What only some work-items do before must not keep the others from having a say.
  const Program program = build(R"(
    kernel void k(global const int* in, global int* out, global int* few, int n) {
      size_t l = get_local_id(1) * get_local_size(0) + get_local_id(0);
      size_t items = get_local_size(0) * get_local_size(1);
      size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
      int x = in[group * items + l], sum = 0;
      if (l < n)
        few[group * items + l] = x;
      for (int round = 0; round < 3; ++round) {
        sum = sum * 3 + work_group_broadcast(x, get_local_size(0) - 1, round % get_local_size(1));
        if (work_group_any(l == items - 1 && x % 2 == round % 2))
          sum += 7;
        if (work_group_all(l != items / 2 || x % 3 != round))
          ++x;
      }
      out[group * items + l] = sum;
    })",
                                openClC3);
  struct Size {
    size_t x, y;
  };
  for (const Size size : {Size{256, 1}, Size{40, 1}, Size{16, 4}, Size{7, 9}, Size{3, 2}}) {
    const size_t items = size.x * size.y, count = 6 * items;
    constexpr cl_int n = 5;
    const std::vector<cl_int> in = tabulate<cl_int>(count, [](size_t i) { return i * 37 % 101; });
    std::vector<cl_int> expected(count), few(count, -1);
    for (size_t begin = 0; begin < count; begin += items) {
      std::vector<cl_int> x(in.begin() + std::ptrdiff_t(begin),
                            in.begin() + std::ptrdiff_t(begin + items));
      std::copy_n(x.begin(), std::min<size_t>(n, items), few.begin() + std::ptrdiff_t(begin));
      cl_int sum = 0;
      for (cl_int round = 0; round < 3; ++round) {
        sum = sum * 3 + x[size_t(round) % size.y * size.x + size.x - 1];
        if (x[items - 1] % 2 == round % 2)
          sum += 7;
        if (x[items / 2] % 3 != round)
          for (cl_int& one : x)
            ++one;
      }
      std::fill_n(expected.begin() + std::ptrdiff_t(begin), items, sum);
    }
    Buffer<cl_int> input(in), output(count), fewOut(count, -1);
    run(program, "k", {{2 * size.x, 3 * size.y}, {size.x, size.y}}, input, output, fewOut, n);
    EXPECT_EQ(output.read(), expected) << size.x << " x " << size.y;
    EXPECT_EQ(fewOut.read(), few) << size.x << " x " << size.y;
  }
}

TEST_F(WorkGroupCollectives, inFunctionsAndBesideBarriers) {
  const Program program = build(R"(
    float mean(float x) { return work_group_reduce_add(x) / get_local_size(0); }
    kernel void k(global float* data, local float* copy) {
      size_t l = get_local_id(0);
      float x = data[get_global_id(0)];
      copy[l] = x - mean(x);
      barrier(CLK_LOCAL_MEM_FENCE);
      float mirrored = copy[get_local_size(0) - 1 - l];
      data[get_global_id(0)] = mirrored + 2 * mean(mirrored * mirrored);
    })",
                                openClC3);
  constexpr size_t local = 16, count = 64;
  const std::vector<cl_float> in = tabulate<cl_float>(count, [](size_t i) { return i * i % 64; });
  std::vector<cl_float> expected(count);
  for (size_t begin = 0; begin < count; begin += local) {
    const float mean = std::accumulate(&in[begin], &in[begin] + local, 0.0f) / local;
    float squares = 0;
    for (size_t i = 0; i < local; ++i)
      squares += (in[begin + i] - mean) * (in[begin + i] - mean);
    for (size_t i = 0; i < local; ++i)
      expected[begin + i] = in[begin + local - 1 - i] - mean + 2 * squares / local;
  }
  Buffer<cl_float> data(in);
  run(program, "k", {{count}, {local}}, data, LocalBytes{local * sizeof(float)});
  const std::vector<cl_float> out = data.read();
  for (size_t i = 0; i < count; ++i)
    EXPECT_NEAR(out[i], expected[i], 1e-3f * std::abs(expected[i])) << i;
}

TEST_F(WorkGroupCollectives, resultsThatNobodyUses) {
  const Program program = build(R"(
    kernel void k(global int* out) {
      work_group_reduce_add(1);
      work_group_any(0);
      out[get_global_id(0)] = get_local_id(0);
    })",
                                openClC3);
  Buffer<cl_int> out(32);
  run(program, "k", {{32}, {8}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_int>(32, [](size_t i) { return i % 8; }));
}

} // namespace
} // namespace quern::tests
