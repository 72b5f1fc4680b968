// Sub-groups: their ids, barriers and the functions of cl_khr_subgroups.
#include "kernels/sub_group_fixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quern::tests {
namespace {

TEST_F(SubGroups, idsAndSizes) {
  const Program program = build(R"(
    kernel void k(global uint* out) {
      global uint* own = out + 6 * get_global_linear_id();
      own[0] = get_sub_group_id();
      own[1] = get_sub_group_local_id();
      own[2] = get_sub_group_size();
      own[3] = get_max_sub_group_size();
      own[4] = get_num_sub_groups();
      own[5] = get_enqueued_num_sub_groups();
    })",
                                openClC3);
  // Work-groups of 6 x 5 and, at the edges, fewer work-items.
  const size_t width = 14, height = 8, local[2] = {6, 5};
  const size_t full = sizeIn(30);
  Buffer<cl_uint> out(width * height * 6);
  run(program, "k", {{width, height}, {local[0], local[1]}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(width * height * 6, [&](size_t i) -> size_t {
              const size_t x = i / 6 % width, y = i / 6 / width;
              const size_t sizeX = std::min(local[0], width - x / local[0] * local[0]);
              const size_t sizeY = std::min(local[1], height - y / local[1] * local[1]);
              const size_t id = y % local[1] * sizeX + x % local[0], items = sizeX * sizeY;
              switch (i % 6) {
              case 0:
                return id / full;
              case 1:
                return id % full;
              case 2:
                return std::min(full, items - id / full * full);
              case 3:
                return full;
              case 4:
                return (items + full - 1) / full;
              default:
                return (local[0] * local[1] + full - 1) / full;
              }
            }));
}

// The others pass on a variable that they have not written, which does not make them write it.
TEST_F(SubGroups, oneWorkItemTakesATicketForAll) {
  const Program program = build(R"(
    int same(int value) { return value; }
    kernel void k(global atomic_int* tickets, global int* out) {
      size_t g = get_global_id(0);
      int forSubGroup, forGroup;
      if (get_sub_group_local_id() == 0)
        forSubGroup = atomic_fetch_add(&tickets[0], 1);
      forSubGroup = sub_group_broadcast(forSubGroup, 0);
      if (get_local_id(0) == 0)
        forGroup = atomic_fetch_add(&tickets[1], 1);
      out[g] = forSubGroup;
      out[get_global_size(0) + g] = work_group_broadcast(same(forGroup), 0);
    })",
                                openClC3);
  constexpr size_t items = 512, local = 128;
  Buffer<cl_int> tickets(2, 0), out(2 * items);
  run(program, "k", {{items}, {local}}, tickets, out);
  const size_t size = sizeIn(local);
  EXPECT_EQ(tickets.read(), (std::vector<cl_int>{cl_int(items / size), cl_int(items / local)}));
  const std::vector<cl_int> taken = out.read();
  const auto expectOneForEach = [&](size_t first, size_t together) {
    std::vector<cl_int> numbers;
    for (size_t i = 0; i < items; i += together) {
      numbers.push_back(taken[first + i]);
      EXPECT_EQ(
          std::vector<cl_int>(taken.begin() + first + i, taken.begin() + first + i + together),
          std::vector<cl_int>(together, taken[first + i]));
    }
    std::ranges::sort(numbers);
    EXPECT_EQ(numbers, tabulate<cl_int>(items / together, [](size_t i) { return i; }));
  };
  expectOneForEach(0, size);
  expectOneForEach(items, local);
}

TEST_F(SubGroups, barriersShowWhatOthersWrote) {
  const Program program = build(R"(
    kernel void k(global int* out) {
      local int values[64];
      uint l = get_local_id(0), s = get_sub_group_local_id(), size = get_sub_group_size();
      uint first = l - s;
      values[l] = get_global_id(0) * 3;
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      int neighbour = values[first + (s + 1) % size];
      sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
      values[l] = -1;
      out[get_global_id(0)] = neighbour;
    })",
                                openClC3);
  constexpr size_t local = 44, count = 132;
  const size_t full = sizeIn(local);
  std::vector<cl_int> expected(count);
  forEachSubGroup(count, local, full, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      expected[i] = 3 * cl_int(i + 1 < end ? i + 1 : begin);
  });
  Buffer<cl_int> out(count);
  run(program, "k", {{count}, {local}}, out);
  EXPECT_EQ(out.read(), expected);
}

TEST_F(SubGroups, eachGoesItsOwnWay) {
  // Sub-groups meet among themselves different numbers of times, some never; then the whole group
  // meets.
  const Program program = build(R"(
    kernel void k(global int* out) {
      local int total;
      uint id = get_sub_group_id();
      int sum = 0;
      if (get_local_id(0) == 0)
        total = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0; round < id; ++round) {
        sum += sub_group_reduce_add((int)(round + get_sub_group_local_id()));
        if (id % 2 == 1)
          sum += sub_group_scan_exclusive_add(1);
      }
      if (id == 2)
        sum = sub_group_broadcast(sum, 1) + 1000;
      atomic_add(&total, sum);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = sum + total;
    })",
                                openClC3);
  constexpr size_t local = 60, count = 180;
  const size_t full = sizeIn(local);
  std::vector<cl_int> expected(count);
  for (size_t group = 0; group < count; group += local) {
    cl_int total = 0;
    forEachSubGroup(local, local, full, [&](size_t begin, size_t end) {
      const cl_int id = cl_int(begin / full), size = cl_int(end - begin);
      for (size_t i = begin; i < end; ++i) {
        cl_int sum = 0;
        for (cl_int round = 0; round < id; ++round)
          sum += round * size + size * (size - 1) / 2 + (id % 2 == 1 ? cl_int(i - begin) : 0);
        if (id == 2)
          sum += 1000;
        expected[group + i] = sum;
        total += sum;
      }
    });
    for (size_t i = group; i < group + local; ++i)
      expected[i] += total;
  }
  Buffer<cl_int> out(count);
  run(program, "k", {{count}, {local}}, out);
  EXPECT_EQ(out.read(), expected);
}

TEST_F(SubGroups, reductionsScansBroadcastsAndVotes) {
  const Program program = build(R"(
    kernel void k(global const float* in, global float* out) {
      float x = in[get_global_id(0)];
      global float* own = out + 8 * get_global_id(0);
      own[0] = sub_group_reduce_add(x);
      own[1] = sub_group_reduce_min(x);
      own[2] = sub_group_reduce_max(x);
      own[3] = sub_group_scan_inclusive_add(x);
      own[4] = sub_group_scan_exclusive_max(x);
      own[5] = sub_group_broadcast(x, 2);
      own[6] = sub_group_all(x > -90);
      own[7] = sub_group_any(x > 80);
    })",
                                openClC3);
  for (const size_t local : {3, 16, 50, 128}) {
    SCOPED_TRACE("local size " + std::to_string(local));
    const size_t count = local * 3, full = sizeIn(local);
    const std::vector<cl_float> in =
        tabulate<cl_float>(count, [](size_t i) { return int(i * 7919 % 201) - 100; });
    std::vector<cl_float> expected(count * 8);
    forEachSubGroup(count, local, full, [&](size_t begin, size_t end) {
      const auto first = in.begin() + std::ptrdiff_t(begin),
                 last = in.begin() + std::ptrdiff_t(end);
      for (auto own = first; own != last; ++own) {
        const cl_float values[8] = {
            std::accumulate(first, last, 0.0f),
            *std::min_element(first, last),
            *std::max_element(first, last),
            std::accumulate(first, own + 1, 0.0f),
            own == first ? -INFINITY : *std::max_element(first, own),
            end - begin > 2 ? first[2] : *own,
            float(std::all_of(first, last, [](float x) { return x > -90; })),
            float(std::any_of(first, last, [](float x) { return x > 80; }))};
        std::copy(values, values + 8, expected.begin() + (own - in.begin()) * 8);
      }
    });
    Buffer<cl_float> input(in), out(count * 8);
    run(program, "k", {{count}, {local}}, input, out);
    EXPECT_EQ(out.read(), expected);
  }
}

// Sub-groups go through rows and columns of a work-group, whose size the kernel requires or does
// not, and which may be smaller at the edges.
TEST_F(SubGroups, goThroughRowsAndColumns) {
  const std::string body = R"(
    kernel void k(global const int* in, global int* out, local int* shared) {
      const size_t g = (get_global_id(2) * get_global_size(1) + get_global_id(1)) *
                       get_global_size(0) + get_global_id(0);
      const int x = in[g];
      global int* own = out + 7 * g;
      own[0] = sub_group_broadcast(x, 0);
      own[1] = sub_group_scan_inclusive_add(x);
      own[2] = sub_group_broadcast((int)(get_local_id(0) + 100 * get_local_id(1)), 0);
      own[3] = get_sub_group_local_id() + 1000 * get_sub_group_id();
      own[4] = get_sub_group_size();
      own[5] = get_local_id(0) + 100 * get_local_id(1) + 10000 * get_local_id(2);
      const size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
      shared[get_local_linear_id()] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      own[6] = shared[(get_local_linear_id() + 5) % items];
    })";
  using Size = std::array<size_t, 3>;
  const Program anySize = build(body, openClC3);
  for (const Size& local : {Size{1, 8, 1}, Size{1, 8, 4}, Size{4, 4, 1}, Size{3, 5, 7},
                            Size{4, 2, 8}, Size{16, 6, 1}, Size{1, 1, 20}, Size{2, 1, 12}}) {
    SCOPED_TRACE("local size " + std::to_string(local[0]) + " x " + std::to_string(local[1]) +
                 " x " + std::to_string(local[2]));
    const size_t inGroup = local[0] * local[1] * local[2], full = sizeIn(inGroup);
    const Program thisSize =
        build("__attribute__((reqd_work_group_size(" + std::to_string(local[0]) + "," +
                  std::to_string(local[1]) + "," + std::to_string(local[2]) + "))) " + body,
              openClC3);
    for (const size_t edge : {0, 1}) {
      SCOPED_TRACE(edge);
      const Size size = {local[0] * 2, local[1] * 2 + (local[1] > 1 ? edge : 0), local[2] * 2};
      const auto place = [&](const Size& id) {
        return (id[2] * size[1] + id[1]) * size[0] + id[0];
      };
      const size_t count = size[0] * size[1] * size[2];
      const std::vector<cl_int> in =
          tabulate<cl_int>(count, [](size_t i) { return int(i * 7919 % 201) - 100; });
      std::vector<cl_int> expected(count * 7);
      for (size_t i = 0; i < count; ++i) {
        const Size id = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        Size first, own, extent;
        for (size_t d = 0; d < 3; ++d) {
          first[d] = id[d] / local[d] * local[d];
          own[d] = id[d] - first[d];
          extent[d] = std::min(local[d], size[d] - first[d]);
        }
        const auto ofLinear = [&](size_t linear) -> Size {
          return {linear % extent[0], linear / extent[0] % extent[1],
                  linear / extent[0] / extent[1]};
        };
        const auto valueOf = [&](size_t linear) {
          const Size at = ofLinear(linear);
          return in[place({first[0] + at[0], first[1] + at[1], first[2] + at[2]})];
        };
        const size_t linear = (own[2] * extent[1] + own[1]) * extent[0] + own[0];
        const size_t items = extent[0] * extent[1] * extent[2], begin = linear / full * full;
        cl_int sum = 0;
        for (size_t j = begin; j <= linear; ++j)
          sum += valueOf(j);
        const cl_int values[7] = {valueOf(begin),
                                  sum,
                                  cl_int(ofLinear(begin)[0] + 100 * ofLinear(begin)[1]),
                                  cl_int(linear % full + 1000 * (linear / full)),
                                  cl_int(std::min(full, items - begin)),
                                  cl_int(own[0] + 100 * own[1] + 10000 * own[2]),
                                  valueOf((linear + 5) % items)};
        std::copy(values, values + 7, expected.begin() + std::ptrdiff_t(i * 7));
      }
      for (const Program* program : {&anySize, &thisSize}) {
        SCOPED_TRACE(program == &thisSize ? "required" : "not required");
        Buffer<cl_int> input(in), out(count * 7);
        run(*program, "k", {{size[0], size[1], size[2]}, {local[0], local[1], local[2]}}, input,
            out, LocalBytes{inGroup * sizeof(cl_int)});
        EXPECT_EQ(out.read(), expected);
      }
    }
  }
}

} // namespace
} // namespace quern::tests
