// Rows, columns and other parts of ids, in code that knows where ids begin (QUERN_VARIANTS) and in
// code that does not.
#include <algorithm>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr const char* idsSource = R"(
  kernel void global_ids(global const int* t, global int* out, int width) {
    int i = get_global_id(0);
    uint u = get_global_id(0);
    size_t s = get_global_id(0);
    int sum = t[i & 15] + 2 * t[i % 16] + 3 * t[i / 16] + 5 * t[i >> 3] + 7 * t[i ^ 5];
    sum += 11 * t[u % 12] + 13 * t[u / 12] + 17 * t[u & ~15] + 19 * t[u & 48] + 23 * t[u >> 5];
    sum += 29 * t[i % width] + 31 * t[i / width] + 37 * t[s % 7] + 41 * t[s / 8 * 8 + 7 - s % 8];
    sum += 43 * t[i >> 2 & ~3] + 47 * t[i << 2 & 60] + 53 * t[(u << 1 ^ 6) & 31];
    sum += 59 * t[(s << 3 & 127) + 1] + 61 * t[(u >> 1) % 8] + 67 * t[(i << 1) % 96];
    out[s - get_global_offset(0)] = sum;
  }
  kernel void group_and_local_id(global const int* t, global int* out, local int* shared) {
    int me = get_local_id(0);
    int i = get_group_id(0) * 48 + me, j = get_group_id(0) * get_local_size(0) + me;
    shared[me] = t[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = shared[me] + 3 * t[i] + 5 * t[i & 15] + 7 * t[i >> 4] + 11 * t[j / 6] + 13 * t[j ^ 1];
    out[get_global_id(0) - get_global_offset(0)] = sum + i - j;
  }
  // As many work-items as columns, of which a quarter have a row, and begin in it at different ones.
  kernel __attribute__((reqd_work_group_size(64, 1, 1)))
  void rotated_rows(global const int* t, global int* out) {
    int y = get_local_id(0), sum = 0;
    if (y < 16) {
      for (int i = 0; i < 64; ++i)
        sum += (i + 1) * (t[64 * y + (i + y) % 64] & 0xffff);
      out[16 * get_group_id(0) + y] = sum;
    }
  })";

/// What the kernels read.
int tableAt(size_t place) {
  return static_cast<int>(place * 2654435761u % 1000003);
}

int expectedOfGlobalId(size_t i, size_t width) {
  const auto t = tableAt;
  return t(i & 15) + 2 * t(i % 16) + 3 * t(i / 16) + 5 * t(i >> 3) + 7 * t(i ^ 5) + 11 * t(i % 12) +
         13 * t(i / 12) + 17 * t(i & ~size_t{15}) + 19 * t(i & 48) + 23 * t(i >> 5) +
         29 * t(i % width) + 31 * t(i / width) + 37 * t(i % 7) + 41 * t(i / 8 * 8 + 7 - i % 8) +
         43 * t(i >> 2 & ~size_t{3}) + 47 * t(i << 2 & 60) + 53 * t((i << 1 ^ 6) & 31) +
         59 * t((i << 3 & 127) + 1) + 61 * t((i >> 1) % 8) + 67 * t((i << 1) % 96);
}

int expectedOfGroupId(size_t group, size_t local, size_t localSize) {
  const auto t = tableAt;
  const size_t i = group * 48 + local, j = group * localSize + local;
  return t(j) + 3 * t(i) + 5 * t(i & 15) + 7 * t(i >> 4) + 11 * t(j / 6) + 13 * t(j ^ 1) +
         static_cast<int>(i) - static_cast<int>(j);
}

bool runGlobalIds(const Program& program, const Buffer<cl_int>& table, size_t global, size_t local,
                  size_t offset, cl_int width) {
  const Buffer<cl_int> out(global);
  Range range{{global}, {}, {offset}};
  if (local != 0)
    range.local = {local};
  run(program, "global_ids", range, table, out, width);
  return out.read() == tabulate<cl_int>(global, [&](size_t i) {
           return expectedOfGlobalId(offset + i, static_cast<size_t>(width));
         });
}

bool runGroupIds(const Program& program, const Buffer<cl_int>& table, size_t groups, size_t local,
                 size_t offset) {
  const Buffer<cl_int> out(groups * local);
  run(program, "group_and_local_id", {{groups * local}, {local}, {offset}}, table, out,
      LocalBytes{local * sizeof(cl_int)});
  return out.read() == tabulate<cl_int>(groups * local, [&](size_t i) {
           return expectedOfGroupId(i / local, i % local, local);
         });
}

bool runRotatedRows(const Program& program, const Buffer<cl_int>& table) {
  const Buffer<cl_int> out(64);
  run(program, "rotated_rows", {{256}, {64}}, table, out);
  return out.read() == tabulate<cl_int>(64, [](size_t place) {
           const size_t y = place % 16;
           cl_int sum = 0;
           for (size_t i = 0; i < 64; ++i)
             sum += static_cast<cl_int>(i + 1) * (tableAt(64 * y + (i + y) % 64) & 0xffff);
           return sum;
         });
}

/// A program for each size, whose kernels have variants of their own.
QUERN_CHILD(runPartsOfIds) {
  const Buffer<cl_int> table(tabulate<cl_int>(1 << 16, tableAt));
  for (size_t local : {0, 1, 3, 4, 8, 12, 16, 48, 64}) {
    const Program program = build(idsSource, openClC3);
    const size_t unit = std::max<size_t>(local, 1);
    for (size_t global : {unit, 40 * unit, 192 * unit + unit / 2})
      for (size_t offset : {0, 5, 16})
        for (cl_int width : {16, 48, 50})
          if (!runGlobalIds(program, table, global, local, offset, width))
            return 1;
    for (size_t groups : {1, 7, 100})
      for (size_t offset : {0, 6, 64})
        if (local != 0 && !runGroupIds(program, table, groups, local, offset))
          return 2;
  }
  // Tiles that are no multiples of anything.
  const Program program = build(idsSource, openClC3);
  for (size_t global = 1; global < 2000; global = global * 5 / 4 + 1)
    if (!runGlobalIds(program, table, global, 0, 0, 32))
      return 3;
  return runRotatedRows(program, table) ? 0 : 4;
}

TEST(PartsOfIds, areTheSameWhateverIsKnownOfTheLaunch) {
  // Only code for CPUs is compiled twice.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  for (const char* variants : {"now", "off"})
    for (const char* packets : {"off", "auto", "all", "4", "8", "16"}) {
      const ChildResult result = runChild({"runPartsOfIds",
                                           {},
                                           {{"QUERN_VARIANTS", variants},
                                            {"QUERN_CPU_PACKETS", packets},
                                            {"QUERN_LOG", "info"},
                                            {"QUERN_CACHE", "off"}}});
      EXPECT_EQ(result.exitCode, 0) << variants << ", packets " << packets << ": " << result;
      EXPECT_EQ(result.errors.find("ids from 0") != std::string::npos,
                std::string(variants) == "now")
          << result;
    }
}

} // namespace
} // namespace quern::tests
