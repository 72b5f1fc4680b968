// The extensions of sub-groups, in control flow that work-items of a sub-group do not share.
#include "kernels/sub_group_fixture.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace quern::tests {
namespace {

class SubGroupExtensions : public SubGroups {
protected:
  static constexpr size_t local = 52, count = 208;

  void SetUp() override {
    SubGroups::SetUp();
    if (IsSkipped())
      return;
    QUERN_NEEDS("cl_khr_subgroup_extended_types", "cl_khr_subgroup_ballot",
                "cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_non_uniform_arithmetic",
                "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
                "cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_rotate");
  }

  using Members = std::vector<size_t>;
  /// Calls `body(item, members)` for each work-item that `takesPart`, with those of its sub-group
  /// that do.
  template <typename TakesPart, typename Body>
  void forEachMember(const TakesPart& takesPart, const Body& body) {
    forEachSubGroup(count, local, sizeIn(local), [&](size_t begin, size_t end) {
      Members members;
      for (size_t i = begin; i < end; ++i)
        if (takesPart(i))
          members.push_back(i);
      for (size_t i : members)
        body(i, members, begin);
    });
  }
};

TEST_F(SubGroupExtensions, nonUniformArithmetic) {
  const Program program = build(R"(
    kernel void k(global const int* in, global int* out) {
      int x = in[get_global_id(0)];
      global int* own = out + 6 * get_global_id(0);
      if (x % 3 != 0) {
        own[0] = sub_group_non_uniform_reduce_add(x);
        own[1] = sub_group_non_uniform_scan_inclusive_min(x);
        own[2] = sub_group_non_uniform_scan_exclusive_mul(x);
      } else {
        own[0] = sub_group_non_uniform_reduce_xor(x);
        own[1] = sub_group_non_uniform_scan_exclusive_max((char)x);
        own[2] = sub_group_non_uniform_reduce_logical_and(x % 5 != 0);
      }
      own[3] = sub_group_non_uniform_reduce_add(1);
      if (x % 2 == 0)
        own[4] = sub_group_elect() + 2 * sub_group_non_uniform_all(x % 4 == 0);
      else
        own[5] = sub_group_non_uniform_all_equal(x < 100) + 2 * sub_group_non_uniform_any(x > 150);
    })",
                                openClC3);
  const std::vector<cl_int> in =
      tabulate<cl_int>(count, [](size_t i) { return i * 7919 % 211 % 200 + 1; });
  std::vector<cl_int> expected(count * 6);
  const auto fold = [&](const Members& members, size_t end, cl_int start, const auto& operation) {
    for (size_t m : members)
      if (m < end)
        start = cl_int(operation(cl_uint(start), cl_uint(in[m])));
    return start;
  };
  forEachMember([&](size_t i) { return in[i] % 3 != 0; },
                [&](size_t i, const Members& members, size_t) {
                  cl_int* own = &expected[6 * i];
                  own[0] = fold(members, count, 0, std::plus<cl_uint>());
                  own[1] = in[i];
                  for (size_t m : members)
                    own[1] = m <= i ? std::min(own[1], in[m]) : own[1];
                  own[2] = fold(members, i, 1, std::multiplies<cl_uint>());
                });
  forEachMember([&](size_t i) { return in[i] % 3 == 0; },
                [&](size_t i, const Members& members, size_t) {
                  cl_int* own = &expected[6 * i];
                  own[0] = fold(members, count, 0, std::bit_xor<cl_uint>());
                  own[1] = -128;
                  for (size_t m : members)
                    own[1] = m < i ? std::max(own[1], cl_int(cl_char(in[m]))) : own[1];
                  own[2] = std::all_of(members.begin(), members.end(),
                                       [&](size_t m) { return in[m] % 5 != 0; });
                });
  forEachMember([](size_t) { return true; },
                [&](size_t i, const Members& members, size_t) {
                  expected[6 * i + 3] = cl_int(members.size());
                });
  forEachMember([&](size_t i) { return in[i] % 2 == 0; },
                [&](size_t i, const Members& members, size_t) {
                  expected[6 * i + 4] = (i == members.front()) +
                                        2 * std::all_of(members.begin(), members.end(),
                                                        [&](size_t m) { return in[m] % 4 == 0; });
                });
  forEachMember([&](size_t i) { return in[i] % 2 == 1; },
                [&](size_t i, const Members& members, size_t) {
                  const bool low = in[members.front()] < 100;
                  expected[6 * i + 5] =
                      std::all_of(members.begin(), members.end(),
                                  [&](size_t m) { return (in[m] < 100) == low; }) +
                      2 * std::any_of(members.begin(), members.end(),
                                      [&](size_t m) { return in[m] > 150; });
                });
  Buffer<cl_int> input(in), out(count * 6);
  run(program, "k", {{count}, {local}}, input, out);
  EXPECT_EQ(out.read(), expected);
}

TEST_F(SubGroupExtensions, loopsThatSomeLeaveEarly) {
  // Each round counts those that are still there.
  const Program program = build(R"(
    kernel void k(global const int* in, global int* out) {
      int left = in[get_global_id(0)], sum = 0;
      for (int round = 1; left > 0; ++round) {
        sum += round * sub_group_non_uniform_reduce_add(1);
        if (left % 3 == 0)
          sum += 100 * sub_group_non_uniform_reduce_add(1);
        --left;
      }
      out[get_global_id(0)] = sum;
    })",
                                openClC3);
  const std::vector<cl_int> in = tabulate<cl_int>(count, [](size_t i) { return i * 5 % 9; });
  std::vector<cl_int> expected(count);
  forEachMember([](size_t) { return true; },
                [&](size_t i, const Members& members, size_t) {
                  for (cl_int round = 1; round <= in[i]; ++round) {
                    const cl_int left = in[i] - round + 1;
                    for (size_t m : members) {
                      const cl_int others = in[m] - round + 1;
                      expected[i] += others > 0 ? round : 0;
                      expected[i] += left % 3 == 0 && others > 0 && others % 3 == 0 ? 100 : 0;
                    }
                  }
                });
  Buffer<cl_int> input(in), out(count);
  run(program, "k", {{count}, {local}}, input, out);
  EXPECT_EQ(out.read(), expected);
}

TEST_F(SubGroupExtensions, shufflesAndRotations) {
  const Program program = build(R"(
    kernel void k(global const long* in, global long* out) {
      long x = in[get_global_id(0)];
      uint id = get_sub_group_local_id(), size = get_sub_group_size();
      global long* own = out + 8 * get_global_id(0);
      own[0] = sub_group_shuffle(x, size - 1 - id);
      long partner = sub_group_shuffle_xor(x, 1);
      own[1] = (id ^ 1) < size ? partner : 0;
      long below = sub_group_shuffle_up(x, 2);
      own[2] = id >= 2 ? below : 0;
      long above = sub_group_shuffle_down(x, 3);
      own[3] = id + 3 < size ? above : 0;
      long rotated = sub_group_rotate(x, 1);
      own[4] = size == get_max_sub_group_size() ? rotated : 0;
      long clustered = sub_group_clustered_rotate(x, -1, 2);
      own[5] = (size & 1) == 0 ? clustered : 0;
      long sum = sub_group_clustered_reduce_add(x, 4);
      own[6] = sum;
      short4 v = sub_group_broadcast((short4)(x, id, -1, 7), 1);
      own[7] = v.x + 1000 * v.y + 100000 * v.z + v.w;
    })",
                                openClC3);
  const std::vector<cl_long> in =
      tabulate<cl_long>(count, [](size_t i) { return cl_long(i) * 7919 % 1009; });
  const size_t full = sizeIn(local);
  std::vector<cl_long> expected(count * 8);
  forEachSubGroup(count, local, full, [&](size_t begin, size_t end) {
    const size_t size = end - begin;
    for (size_t i = begin; i < end; ++i) {
      cl_long* own = &expected[8 * i];
      const size_t id = i - begin;
      own[0] = in[end - 1 - id];
      own[1] = (id ^ 1) < size ? in[begin + (id ^ 1)] : 0;
      own[2] = id >= 2 ? in[i - 2] : 0;
      own[3] = id + 3 < size ? in[i + 3] : 0;
      own[4] = size == full ? in[begin + (id + 1) % size] : 0;
      own[5] = size % 2 == 0 ? in[begin + (id ^ 1)] : 0;
      for (size_t k = id / 4 * 4; k < std::min(id / 4 * 4 + 4, size); ++k)
        own[6] += in[begin + k];
      own[7] = in[begin + 1] + 1000 - 100000 + 7;
    }
  });
  Buffer<cl_long> input(in), out(count * 8);
  run(program, "k", {{count}, {local}}, input, out);
  EXPECT_EQ(out.read(), expected);
}

TEST_F(SubGroupExtensions, ballots) {
  const Program program = build(R"(
    kernel void k(global const int* in, global uint* out) {
      int x = in[get_global_id(0)];
      global uint* own = out + 12 * get_global_id(0);
      uint4 set = sub_group_ballot(x % 3 == 1);
      own[0] = set.x;
      own[1] = set.y | set.z | set.w;
      own[2] = sub_group_inverse_ballot(set) != 0;
      own[3] = sub_group_ballot_bit_extract(set, 2) != 0;
      own[4] = sub_group_ballot_bit_count(set);
      own[5] = sub_group_ballot_inclusive_scan(set);
      own[6] = sub_group_ballot_exclusive_scan(set);
      own[7] = set.x ? sub_group_ballot_find_lsb(set) : 77;
      own[8] = set.x ? sub_group_ballot_find_msb(set) : 77;
      own[9] = get_sub_group_eq_mask().x | get_sub_group_lt_mask().x << 16;
      own[10] = get_sub_group_ge_mask().x ^ get_sub_group_gt_mask().x ^ get_sub_group_le_mask().x;
      if (x % 2)
        own[11] = sub_group_broadcast_first(x) + 1000 * sub_group_ballot(1).x;
    })",
                                openClC3);
  const std::vector<cl_int> in = tabulate<cl_int>(count, [](size_t i) { return i * 7919 % 211; });
  const size_t full = sizeIn(local);
  std::vector<cl_uint> expected(count * 12);
  const auto bitsOf = [&](size_t begin, size_t end, const auto& condition) {
    cl_uint bits = 0;
    for (size_t i = begin; i < end; ++i)
      bits |= condition(in[i]) ? 1u << (i - begin) : 0;
    return bits;
  };
  forEachSubGroup(count, local, full, [&](size_t begin, size_t end) {
    const cl_uint set = bitsOf(begin, end, [](cl_int x) { return x % 3 == 1; });
    const cl_uint odd = bitsOf(begin, end, [](cl_int x) { return x % 2 == 1; });
    for (size_t i = begin; i < end; ++i) {
      cl_uint* own = &expected[12 * i];
      const cl_uint bit = 1u << (i - begin), below = bit - 1;
      own[0] = set;
      own[2] = (set & bit) != 0;
      own[3] = (set & 4) != 0;
      own[4] = cl_uint(std::popcount(set));
      own[5] = cl_uint(std::popcount(set & (below | bit)));
      own[6] = cl_uint(std::popcount(set & below));
      own[7] = set ? cl_uint(std::countr_zero(set)) : 77;
      own[8] = set ? 31 - cl_uint(std::countl_zero(set)) : 77;
      own[9] = bit | below << 16;
      own[10] = bit ^ (below | bit);
      if (in[i] % 2)
        own[11] = cl_uint(in[begin + size_t(std::countr_zero(odd))]) + 1000 * odd;
    }
  });
  Buffer<cl_int> input(in);
  Buffer<cl_uint> out(count * 12);
  run(program, "k", {{count}, {local}}, input, out);
  EXPECT_EQ(out.read(), expected);
}

} // namespace
} // namespace quern::tests
