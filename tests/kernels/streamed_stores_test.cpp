// Outputs that no cache holds, which kernels may store past the caches (QUERN_STREAM_BYTES): every
// element has its value and no other is written, wherever rows begin.
#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

constexpr const char* streamingSource = R"(
  kernel void scaled(global const int* in, global int* out, int begin, int n) {
    int i = get_global_id(0);
    if (i < n)
      out[begin + i] = in[i] * 3 + 1;
  }
  kernel void bytes(global const int* in, global uchar* out, int begin) {
    int i = get_global_id(0);
    out[begin + i] = (uchar)(in[i] >> 3);
  }
  kernel void vectors(global const int4* in, global int4* out, int begin) {
    int i = get_global_id(0);
    out[begin + i] = in[i].wzyx + in[i];
  }
  kernel void border(global const int* in, global int* out, int columns, int rows) {
    int x = get_global_id(0), y = get_global_id(1), i = y * columns + x;
    if (x > 0 && x < columns - 1 && y > 0 && y < rows - 1)
      out[i] = in[i - 1] + in[i + 1] * 2 + in[i - columns] * 3 + in[i + columns] * 5;
    else
      out[i] = -in[i];
  }
  kernel void turned(global const int* in, global int* out, int columns, int rows) {
    local int tile[8][9];
    int x = get_local_id(0), y = get_local_id(1);
    int left = get_group_id(0) * 8, top = get_group_id(1) * 8;
    tile[y][x] = in[(top + y) * columns + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(left + y) * rows + top + x] = tile[x][y];
  })";

constexpr cl_int unwritten = 0x5a5a5a5a;
constexpr size_t most = 16, after = 40;

cl_int numberAt(size_t place) {
  return static_cast<cl_int>(place * 2654435761u % 1000003);
}

bool runScaled(const Program& program, const Buffer<cl_int>& in, size_t n, size_t begin) {
  const Buffer<cl_int> out(n + most + after, unwritten);
  run(program, "scaled", {{n + 21}}, in, out, static_cast<cl_int>(begin), static_cast<cl_int>(n));
  return out.read() == tabulate<cl_int>(n + most + after, [&](size_t i) {
           return i >= begin && i < begin + n ? numberAt(i - begin) * 3 + 1 : unwritten;
         });
}

bool runBytes(const Program& program, const Buffer<cl_int>& in, size_t n, size_t begin) {
  const Buffer<cl_uchar> out(n + most + after, 0x5a);
  run(program, "bytes", {{n}}, in, out, static_cast<cl_int>(begin));
  return out.read() == tabulate<cl_uchar>(n + most + after, [&](size_t i) {
           return static_cast<cl_uchar>(i >= begin && i < begin + n ? numberAt(i - begin) >> 3
                                                                    : 0x5a);
         });
}

bool runVectors(const Program& program, const Buffer<cl_int>& in, size_t n, size_t begin) {
  const Buffer<cl_int> out(4 * n + most + after, unwritten);
  run(program, "vectors", {{n}}, in, out, static_cast<cl_int>(begin));
  return out.read() == tabulate<cl_int>(4 * n + most + after, [&](size_t i) {
           const size_t place = i - 4 * begin;
           return i >= 4 * begin && place < 4 * n
                      ? numberAt(place) + numberAt(place / 4 * 4 + 3 - place % 4)
                      : unwritten;
         });
}

bool runBorder(const Program& program, const Buffer<cl_int>& in, size_t columns, size_t rows) {
  const size_t points = columns * rows;
  const Buffer<cl_int> out(points + after, unwritten);
  run(program, "border", {{columns, rows}}, in, out, static_cast<cl_int>(columns),
      static_cast<cl_int>(rows));
  return out.read() == tabulate<cl_int>(points + after, [&](size_t i) {
           const size_t x = i % columns, y = i / columns;
           if (i >= points)
             return unwritten;
           if (x == 0 || x == columns - 1 || y == 0 || y == rows - 1)
             return -numberAt(i);
           return numberAt(i - 1) + numberAt(i + 1) * 2 + numberAt(i - columns) * 3 +
                  numberAt(i + columns) * 5;
         });
}

bool runTurned(const Program& program, const Buffer<cl_int>& in, size_t columns, size_t rows) {
  const Buffer<cl_int> out(columns * rows + after, unwritten);
  run(program, "turned", {{columns, rows}, {8, 8}}, in, out, static_cast<cl_int>(columns),
      static_cast<cl_int>(rows));
  return out.read() == tabulate<cl_int>(columns * rows + after, [&](size_t i) {
           return i < columns * rows ? numberAt(i % rows * columns + i / rows) : unwritten;
         });
}

QUERN_CHILD(runStreamedStores) {
  const Buffer<cl_int> in(tabulate<cl_int>(1 << 17, numberAt));
  const Program program = build(streamingSource);
  for (size_t n : {1, 15, 16, 100, 1000, 20011})
    for (size_t begin : {0, 1, 4, 16}) {
      if (!runScaled(program, in, n, begin))
        return 1;
      if (!runBytes(program, in, n, begin))
        return 2;
      if (begin <= 4 && !runVectors(program, in, n, begin))
        return 3;
    }
  for (size_t columns : {3, 16, 64, 77, 1000})
    for (size_t rows : {2, 3, 65})
      if (!runBorder(program, in, columns, rows))
        return 4;
  for (size_t columns : {8, 64, 264})
    if (!runTurned(program, in, columns, 136))
      return 5;
  return 0;
}

TEST(StreamedStores, areWhatOthersAre) {
  // Only kernels for CPUs choose whether their stores go past the caches.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  for (const char* isa : {"native", "avx2", "sse42"})
    for (const char* packets : {"off", "auto", "all", "4", "8", "16"}) {
      const ChildResult result = runChild({"runStreamedStores",
                                           {},
                                           {{"QUERN_VARIANTS", "now"},
                                            {"QUERN_STREAM_BYTES", "1"},
                                            {"QUERN_CPU_ISA", isa},
                                            {"QUERN_CPU_PACKETS", packets},
                                            {"QUERN_LOG", "info"},
                                            {"QUERN_CACHE", "off"}}});
      EXPECT_EQ(result.exitCode, 0) << isa << ", packets " << packets << ": " << result;
      EXPECT_NE(result.errors.find("1 bytes stored or more"), std::string::npos) << result;
    }
}

/// Small outputs in the order in which they come, large ones past the caches: the kernel had a
/// variant when the first large one came.
QUERN_CHILD(runLargeAfterSmall) {
  const Buffer<cl_int> in(tabulate<cl_int>(1 << 17, numberAt));
  const Program program = build(streamingSource);
  return runScaled(program, in, 100, 0) && runScaled(program, in, 60000, 0) &&
                 runScaled(program, in, 200, 0) && runScaled(program, in, 60000, 3)
             ? 0
             : 1;
}

TEST(StreamedStores, areForLaunchesOfWhichThereIsMuchOutput) {
  // Only kernels for CPUs choose whether their stores go past the caches.
  QUERN_NEEDS("CL_DEVICE_TYPE CL_DEVICE_TYPE_CPU");
  const ChildResult result = runChild({"runLargeAfterSmall",
                                       {},
                                       {{"QUERN_VARIANTS", "now"},
                                        {"QUERN_STREAM_BYTES", "200000"},
                                        {"QUERN_LOG", "info"},
                                        {"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
  const std::string made = "the kernel 'scaled' has been compiled again";
  const size_t first = result.errors.find(made);
  ASSERT_NE(first, std::string::npos) << result;
  const std::string line = result.errors.substr(first, result.errors.find('\n', first) - first);
  EXPECT_EQ(line.find("stored or more"), std::string::npos) << result;
  const size_t second = result.errors.find(made, first + 1);
  ASSERT_NE(second, std::string::npos) << result;
  EXPECT_NE(result.errors.find("200000 bytes stored or more", second), std::string::npos) << result;
  EXPECT_EQ(result.errors.find(made, second + 1), std::string::npos) << result;
}

} // namespace
} // namespace quern::tests
