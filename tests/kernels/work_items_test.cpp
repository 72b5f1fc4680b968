#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

/// What one work-item sees, dimension 3 (out of range) included. Matches the kernel's struct.
struct Seen {
  cl_ulong globalId[4], localId[4], groupId[4], globalSize[4], localSize[4], groupCount[4],
      offset[4];
  cl_ulong workDim, visits;
};

constexpr const char* seenSource = R"(
typedef struct {
  ulong globalId[4], localId[4], groupId[4], globalSize[4], localSize[4], groupCount[4], offset[4];
  ulong workDim, visits;
} Seen;
kernel void look(global Seen* seen) {
  ulong slot = 0;
  for (int d = 2; d >= 0; --d)
    slot = slot * get_global_size(d) + (get_global_id(d) - get_global_offset(d));
  global Seen* s = seen + slot;
  for (uint d = 0; d < 4; ++d) {
    s->globalId[d] = get_global_id(d);
    s->localId[d] = get_local_id(d);
    s->groupId[d] = get_group_id(d);
    s->globalSize[d] = get_global_size(d);
    s->localSize[d] = get_local_size(d);
    s->groupCount[d] = get_num_groups(d);
    s->offset[d] = get_global_offset(d);
  }
  s->workDim = get_work_dim();
  s->visits += 1;
}
kernel void lookConstant(global ulong* out) {
  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  out[i] = get_local_id(0) + 100 * get_local_id(1) + 10000 * get_local_id(2) +
           1000000 * get_group_id(0) + 10000000 * get_group_id(1) + 100000000 * get_group_id(2) +
           1000000000UL * (get_global_id(7) + get_local_id(100) + get_group_id(3));
})";

size_t at(const std::vector<size_t>& sizes, size_t dimension, size_t otherwise) {
  return dimension < sizes.size() ? sizes[dimension] : otherwise;
}

void expectIds(const Range& range, const std::string& options) {
  const size_t dimensions = range.global.size();
  size_t total = 1;
  for (size_t size : range.global)
    total *= size;
  Program program = build(seenSource, options);
  Buffer<Seen> seen(total);
  run(program, "look", range, seen);
  std::vector<Seen> items = seen.read();
  size_t index = 0;
  for (const Seen& item : items) {
    SCOPED_TRACE("work-item " + std::to_string(index));
    EXPECT_EQ(item.visits, 1u);
    EXPECT_EQ(item.workDim, dimensions);
    size_t rest = index++;
    for (size_t d = 0; d < 4; ++d) {
      SCOPED_TRACE("dimension " + std::to_string(d));
      size_t size = at(range.global, d, 1), offset = at(range.offset, d, 0);
      // With the driver's choice the local size is whatever the item reports, which must be
      // consistent.
      size_t local = range.local.empty() ? items[0].localSize[d] : at(range.local, d, 1);
      size_t position = rest % size;
      rest /= size;
      ASSERT_GT(local, 0u);
      ASSERT_EQ(item.globalId[d], position + offset);
      ASSERT_EQ(item.localId[d], position % local);
      ASSERT_EQ(item.groupId[d], position / local);
      ASSERT_EQ(item.globalSize[d], size);
      ASSERT_EQ(item.groupCount[d], (size + local - 1) / local);
      ASSERT_EQ(item.localSize[d], std::min(local, size - position / local * local));
      ASSERT_EQ(item.offset[d], offset);
    }
  }
}

TEST(WorkItems, oneDimension) {
  expectIds({{60}, {12}}, "");
}
TEST(WorkItems, twoDimensions) {
  expectIds({{24, 10}, {8, 5}}, "");
}
TEST(WorkItems, threeDimensions) {
  expectIds({{6, 4, 10}, {3, 2, 5}}, "");
}
TEST(WorkItems, groupsThatMustHaveOneItem) {
  expectIds({{5, 3, 2}, {1, 1, 1}}, "");
}
TEST(WorkItems, groupLongInTheLastDimension) {
  expectIds({{2, 2, 16}, {1, 1, 16}}, "");
}
TEST(WorkItems, singleItem) {
  expectIds({{1}}, "");
}
TEST(WorkItems, localSizeChosenByTheDriver) {
  expectIds({{64, 3}}, "");
}
TEST(WorkItems, localSizeChosenForPrimeSizes) {
  expectIds({{127, 3, 5}}, "");
}
TEST(WorkItems, offsetInOneDimension) {
  expectIds({{32}, {8}, {1000}}, "");
}
TEST(WorkItems, offsetInThreeDimensions) {
  expectIds({{4, 6, 2}, {2, 3, 1}, {7, 0, 100000}}, "");
}
TEST(WorkItems, offsetBeyond32Bits) {
  expectIds({{8}, {4}, {size_t{1} << 40}}, "");
}

TEST(WorkItems, nonUniformSizes) {
  QUERN_NEEDS("CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT");
  expectIds({{13}, {8}}, openClC3);
  expectIds({{3}, {8}}, openClC3);
  expectIds({{13, 7}, {4, 4}}, openClC3);
  expectIds({{5, 9, 7}, {2, 4, 3}, {10, 20, 30}}, openClC3);
}

TEST(WorkItems, constantDimensionArguments) {
  Program program = build(seenSource);
  Buffer<cl_ulong> out(8 * 6 * 4);
  run(program, "lookConstant", {{8, 6, 4}, {4, 3, 2}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_ulong>(8 * 6 * 4, [](size_t i) {
              size_t x = i % 8, y = i / 8 % 6, z = i / 48;
              return x % 4 + 100 * (y % 3) + 10000 * (z % 2) + 1000000 * (x / 4) +
                     10000000 * (y / 3) + 100000000 * (z / 2);
            }));
}

TEST(WorkItems, linearIdsAndEnqueuedSizes) {
  QUERN_NEEDS("CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT");
  Program program = build(R"(
    kernel void k(global ulong4* out) {
      size_t i = get_global_linear_id();
      out[i] = (ulong4)(i, get_local_linear_id(), get_enqueued_local_size(0), get_enqueued_local_size(1));
    })",
                          openClC3);
  Buffer<cl_ulong> out(7 * 5 * 4);
  run(program, "k", {{7, 5}, {4, 3}, {3, 9}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_ulong>(7 * 5 * 4, [](size_t i) -> cl_ulong {
              size_t item = i / 4, x = item % 7, y = item / 7;
              size_t width = x < 4 ? 4 : 3;
              cl_ulong values[] = {item, y % 3 * width + x % 4, 4, 3};
              return values[i % 4];
            }));
}

TEST(WorkItems, requiredWorkGroupSizeIsUsedWhenNoneIsGiven) {
  Program program = build(R"(
    kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(global uint* out) {
      out[get_global_id(1) * 16 + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1);
    })");
  Buffer<cl_uint> out(16 * 4);
  run(program, "k", {{16, 4}}, out);
  EXPECT_EQ(out.read(), std::vector<cl_uint>(16 * 4, 42));
  run(program, "k", {{16, 4}, {4, 2}}, out);
  EXPECT_EQ(out.read(), std::vector<cl_uint>(16 * 4, 42));
}

TEST(WorkItems, largeRangeVisitsEveryItemOnce) {
  Program program = build("kernel void k(global uchar* out) { out[get_global_id(0)] += 1; }");
  constexpr size_t count = 1 << 22;
  Buffer<cl_uchar> out(count);
  run(program, "k", {{count}, {64}}, out);
  run(program, "k", {{count}}, out);
  EXPECT_EQ(out.read(), std::vector<cl_uchar>(count, 2));
}

/// Every work-item of a range in three dimensions writes what it knows of its place, as many times
/// as it runs.
void expectEveryPlaceOnce(const Program& program, const Range& range) {
  const size_t x = range.global[0], y = range.global[1], z = range.global[2];
  Buffer<cl_uint> out(x * y * z);
  run(program, "k", range, out);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(x * y * z, [&](size_t i) -> size_t {
              return 1 + (range.offset[0] + i % x) + 1000 * (range.offset[1] + i / x % y) +
                     100000 * (range.offset[2] + i / x / y);
            }));
}

constexpr const char* placesWithoutGroups = R"(
    kernel REQUIRED void k(global uint* out) {
      size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
      size_t i = (z - get_global_offset(2)) * get_global_size(1) + y - get_global_offset(1);
      out[i * get_global_size(0) + x - get_global_offset(0)] += 1 + x + 1000 * y + 100000 * z;
    })";

TEST(WorkItems, groupsThatNobodySees) {
  const Program program = build(placesWithoutGroups, "-DREQUIRED=");
  for (const Range& range : {
           Range{{70, 6, 2}, {1, 1, 1}, {0, 0, 0}},
           Range{{70, 6, 2}, {7, 3, 2}, {3, 5, 7}},
           Range{{64, 48, 3}, {8, 8, 1}, {0, 1, 0}},
           Range{{3, 500, 2}, {1, 250, 1}, {1, 0, 0}},
           Range{{1, 1, 700}, {1, 1, 50}, {0, 2, 0}},
           Range{{300, 20, 1}, {300, 1, 1}, {0, 0, 4}},
           Range{{257, 1, 1}, {1, 1, 1}, {0, 0, 0}},
       })
    expectEveryPlaceOnce(program, range);
}

TEST(WorkItems, groupsThatNobodySeesMayBeRequired) {
  const Program program =
      build(placesWithoutGroups, "-DREQUIRED=__attribute__((reqd_work_group_size(6,2,1)))");
  expectEveryPlaceOnce(program, {{66, 34, 3}, {6, 2, 1}, {5, 0, 1}});
}

TEST(WorkItems, groupsThatNobodySeesMayBeCutOff) {
  QUERN_NEEDS("CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT");
  const Program program = build(placesWithoutGroups, "-cl-std=CL3.0 -DREQUIRED=");
  expectEveryPlaceOnce(program, {{67, 35, 5}, {8, 8, 2}, {5, 0, 1}});
}

TEST(WorkItems, idsFromGroupAndLocalId) {
  const Program program = build(R"(
    kernel void k(global uint* out) {
      int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
      int y = get_local_id(1) + get_local_size(1) * get_group_id(1);
      out[y * get_global_size(0) + x] += get_num_groups(0) + 10 * x + 1000 * y;
    })");
  for (const Range& range : {Range{{40, 30}, {1, 1}, {0, 0}}, Range{{40, 30}, {8, 5}, {9, 11}},
                             Range{{40, 30}, {20, 30}, {0, 100}}}) {
    Buffer<cl_uint> out(40 * 30);
    run(program, "k", range, out);
    EXPECT_EQ(out.read(), tabulate<cl_uint>(40 * 30, [&](size_t i) -> size_t {
                return 40 / range.local[0] + 10 * (i % 40) + 1000 * (i / 40);
              }));
  }
}

TEST(WorkItems, groupsOfOneItem) {
  const Program program = build(R"(
    kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global uint* out, global const uint* in, local uint* given) {
      local uint own[3];
      local uint sum;
      size_t x = get_group_id(0), y = get_group_id(1), i = y * get_num_groups(0) + x;
      own[get_local_id(0)] = in[i];
      own[get_local_id(1) + 1] = x;
      given[get_local_linear_id()] = y;
      sum = 0;
      for (uint round = 0; round < 3; ++round) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += own[round % 2] * (round + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[i] += sum + 1000 * given[0] + get_local_size(0);
    })",
                                openClC3);
  constexpr size_t width = 70, height = 9;
  const std::vector<cl_uint> values =
      tabulate<cl_uint>(width * height, [](size_t i) { return i * 7; });
  Buffer<cl_uint> out(width * height), in(values);
  run(program, "k", {{width, height}, {1, 1}, {5, 3}}, out, in, LocalBytes{4});
  EXPECT_EQ(out.read(), tabulate<cl_uint>(width * height, [&](size_t i) -> size_t {
              return values[i] * 4 + i % width * 2 + 1000 * (i / width) + 1;
            }));
}

TEST(WorkItems, groupsThatMustHaveOneItemRunTogether) {
  const Program program = build(R"(
    kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global uint* out, global const uint* in, uint n) {
      local uint tile[1][1];
      uint sum = 0;
      for (uint i = 0; i < n; ++i) {
        tile[get_local_id(1)][get_local_id(0)] = in[i] + get_group_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = sum * 3 + tile[0][0];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
    })");
  constexpr cl_uint width = 67, height = 5, rounds = 10;
  const std::vector<cl_uint> values = tabulate<cl_uint>(rounds, [](size_t i) { return i * i + 3; });
  Buffer<cl_uint> out(width * height), in(values);
  run(program, "k", {{width, height}, {1, 1}}, out, in, rounds);
  EXPECT_EQ(out.read(), tabulate<cl_uint>(width * height, [&](size_t i) {
              cl_uint sum = 0;
              for (cl_uint value : values)
                sum = sum * 3 + value + cl_uint(i % width);
              return sum;
            }));
}

TEST(WorkItems, manyEmptyGroups) {
  Program program = build(R"(kernel void k(global uint* sum) {
    if (get_local_id(0) == 0 && get_group_id(1) % 7 == 0)
      atomic_add(sum, (uint)get_group_id(1));
  })");
  Buffer<cl_uint> sum(1);
  run(program, "k", {{2, 10000}, {2, 1}}, sum);
  cl_uint expected = 0;
  for (cl_uint i = 0; i < 10000; i += 7)
    expected += i;
  EXPECT_EQ(sum.read()[0], expected);
}

} // namespace
} // namespace quern::tests
