// Collective functions of work-groups that are one packet each, or nearly, against the host.
#include "kernels/collectives_fixture.h"

#include <algorithm>

namespace quern::tests {
namespace {

class PacketCollectives : public WorkGroupCollectives {};

struct GroupSize {
  size_t x, y;
  size_t items() const { return x * y; }
};

/// For groups that are known to be whole.
std::string optionsFor(GroupSize size) {
  return "-cl-std=CL3.0 -cl-uniform-work-group-size -DX=" + std::to_string(size.x) +
         " -DY=" + std::to_string(size.y);
}

constexpr GroupSize sizes[] = {{16, 1}, {12, 1}, {8, 1}, {5, 1},  {4, 4},
                               {3, 4},  {2, 2},  {1, 7}, {20, 1}, {8, 4}};
constexpr size_t groups = 6;

template <typename T> constexpr const char* typeName = nullptr;
template <> constexpr const char* typeName<cl_int> = "int";
template <> constexpr const char* typeName<cl_uint> = "uint";
template <> constexpr const char* typeName<cl_long> = "long";
template <> constexpr const char* typeName<cl_float> = "float";
template <> constexpr const char* typeName<cl_double> = "double";

template <typename T> class PacketCollectivesOf : public PacketCollectives {};
using Types = testing::Types<cl_int, cl_uint, cl_long, cl_float, cl_double>;
TYPED_TEST_SUITE(PacketCollectivesOf, Types);

TYPED_TEST(PacketCollectivesOf, everyFunction) {
  using T = TypeParam;
  if (std::is_same_v<T, cl_double>)
    QUERN_NEEDS("cl_khr_fp64");
  constexpr size_t results = 7;
  for (const GroupSize size : sizes) {
    SCOPED_TRACE(std::to_string(size.x) + " x " + std::to_string(size.y));
    const Program program = build(R"(
    kernel __attribute__((reqd_work_group_size(X, Y, 1)))
    void k(global const T* in, global T* out, int from) {
      size_t i = get_group_id(0) * X * Y + get_local_linear_id();
      T x = in[i];
      out[7 * i] = work_group_reduce_add(x);
      out[7 * i + 1] = work_group_scan_inclusive_add(x);
      out[7 * i + 2] = work_group_scan_exclusive_add(x);
      out[7 * i + 3] = work_group_reduce_min(x);
      out[7 * i + 4] = work_group_scan_inclusive_max(x);
      out[7 * i + 5] = work_group_broadcast(x, from % X, from / X);
      out[7 * i + 6] = work_group_all(x > 3) * 2 + work_group_any(x > 15);
    })",
                                  optionsFor(size) + " -DT=" + typeName<T>);
    const size_t count = groups * size.items();
    // Small numbers, whose sums are exact in every order; all and none of a group's may be large.
    const std::vector<T> in = tabulate<T>(
        count, [&](size_t i) { return T((i * 7919 % 13) + (i / size.items() % 3) * 4); });
    const size_t from = size.items() - 1;
    std::vector<T> expected(results * count);
    for (size_t begin = 0; begin < count; begin += size.items()) {
      const auto first = in.begin() + std::ptrdiff_t(begin);
      const auto end = first + std::ptrdiff_t(size.items());
      T sum = 0, most = 0;
      for (size_t i = begin; i < begin + size.items(); ++i) {
        expected[results * i + 2] = sum;
        expected[results * i + 1] = sum += in[i];
        expected[results * i + 4] = most = std::max(most, in[i]);
      }
      const T least = *std::min_element(first, end);
      for (size_t i = begin; i < begin + size.items(); ++i) {
        expected[results * i] = sum;
        expected[results * i + 3] = least;
        expected[results * i + 5] = in[begin + from];
        expected[results * i + 6] = T((least > 3) * 2 + (most > 15));
      }
    }
    Buffer<T> input(in), output(results * count);
    run(program, "k", {{groups * size.x, size.y}, {size.x, size.y}}, input, output, cl_int(from));
    EXPECT_EQ(output.read(), expected);
  }
}

TEST_F(PacketCollectives, decideLoopsAndBranches) {
  for (const GroupSize size : sizes) {
    SCOPED_TRACE(std::to_string(size.x) + " x " + std::to_string(size.y));
    const Program program = build(R"(
    kernel __attribute__((reqd_work_group_size(X, Y, 1)))
    void k(global const int* in, global int* out) {
      local int copy[X * Y];
      size_t l = get_local_linear_id(), i = get_group_id(0) * X * Y + l;
      int left = in[i], sum = 0;
      for (int round = 0; work_group_any(left > 0); ++round) {
        int before = work_group_scan_exclusive_add(left > 0);
        if (left % 3 == 1)
          sum += 5;
        if (round % 2 == 1) {
          copy[l] = left;
          barrier(CLK_LOCAL_MEM_FENCE);
          sum += work_group_reduce_max(copy[X * Y - 1 - l]) * copy[X * Y - 1 - l] + before;
          barrier(CLK_LOCAL_MEM_FENCE);
        } else if (work_group_all(left > -2)) {
          sum -= before;
        }
        --left;
      }
      out[i] = sum;
    })",
                                  optionsFor(size));
    const size_t items = size.items(), count = groups * items;
    const std::vector<cl_int> in = tabulate<cl_int>(count, [](size_t i) { return i * 5 % 11; });
    std::vector<cl_int> expected(count);
    for (size_t begin = 0; begin < count; begin += items) {
      std::vector<cl_int> left(in.begin() + std::ptrdiff_t(begin),
                               in.begin() + std::ptrdiff_t(begin + items));
      for (cl_int round = 0; *std::ranges::max_element(left) > 0; ++round) {
        const cl_int most = *std::ranges::max_element(left);
        const cl_int least = *std::ranges::min_element(left);
        cl_int before = 0;
        for (size_t l = 0; l < items; ++l) {
          cl_int& sum = expected[begin + l];
          if (left[l] % 3 == 1)
            sum += 5;
          if (round % 2 == 1)
            sum += most * left[items - 1 - l] + before;
          else if (least > -2)
            sum -= before;
          before += left[l] > 0;
        }
        for (cl_int& one : left)
          --one;
      }
    }
    Buffer<cl_int> input(in), output(count);
    run(program, "k", {{groups * size.x, size.y}, {size.x, size.y}}, input, output);
    EXPECT_EQ(output.read(), expected);
  }
}

TEST_F(PacketCollectives, ofWhatIsTheSameForAll) {
  for (const GroupSize size : sizes) {
    SCOPED_TRACE(std::to_string(size.x) + " x " + std::to_string(size.y));
    const Program program = build(R"(
    kernel __attribute__((reqd_work_group_size(X, Y, 1))) void k(global int* out, int n) {
      size_t l = get_local_linear_id(), i = get_group_id(0) * X * Y + l;
      out[4 * i] = work_group_reduce_add(n);
      out[4 * i + 1] = work_group_scan_exclusive_add(n);
      out[4 * i + 2] = work_group_all(n) * 2 + work_group_any(n == 0);
      out[4 * i + 3] = work_group_broadcast((int)l, n % X, n % Y) + work_group_reduce_max((int)l);
    })",
                                  optionsFor(size));
    Buffer<cl_int> out(4 * groups * size.items());
    constexpr cl_int n = 9;
    run(program, "k", {{groups * size.x, size.y}, {size.x, size.y}}, out, n);
    EXPECT_EQ(
        out.read(), tabulate<cl_int>(4 * groups * size.items(), [&](size_t i) {
          const auto items = cl_int(size.items()), l = cl_int(i / 4) % items;
          const cl_int from = n % cl_int(size.y) * cl_int(size.x) + n % cl_int(size.x);
          return i % 4 == 0 ? n * items : i % 4 == 1 ? n * l : i % 4 == 2 ? 2 : from + items - 1;
        }));
  }
}

} // namespace
} // namespace quern::tests
