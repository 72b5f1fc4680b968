// Programs read the element beside a buffer or an array in local memory before they test whether it
// is theirs.
#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

/// Reads the elements on either side of a buffer of `arguments[0]` bytes.
QUERN_CHILD(readBesideABuffer) {
  const size_t count = std::stoul(arguments[0]) / sizeof(cl_int);
  Buffer<cl_int> numbers(tabulate<cl_int>(count, [](size_t i) { return static_cast<cl_int>(i); }));
  Buffer<cl_int> sum(1);
  const Program program =
      build("kernel void k(global const int* p, int n, global int* out) {"
            "  int sum = 0;"
            "  for (int i = n; (p[i] != 7 || i == n) && i > n - 4; --i) sum += i < n ? p[i] : 0;"
            "  for (int i = -1; (p[i] != 7 || i < 0) && i < 3; ++i) sum += i >= 0 ? p[i] : 0;"
            "  out[0] = sum; }");
  run(program, "k", {{1}}, numbers, static_cast<cl_int>(count), sum);
  const auto last = static_cast<cl_int>(count) - 1;
  return sum.read()[0] == last + (last - 1) + (last - 2) + 0 + 1 + 2 ? 0 : 1;
}

TEST(Margins, mayBeRead) {
  for (const size_t bytes :
       {4096u, 64u << 10, 256u << 10, 1u << 20, 2u << 20, 4u << 20, 16u << 20}) {
    const ChildResult result = runChild({"readBesideABuffer", {std::to_string(bytes)}, {}});
    EXPECT_EQ(result.exitCode, 0) << bytes << " bytes: " << result;
  }
}

/// Reads the row before a tile in local memory, and the one behind it.
QUERN_CHILD(readBesideLocalMemory) {
  const Program program =
      build("kernel void k(global int* out, local int* given) {"
            "  local int own[16][16]; int x = get_local_id(0), y = get_local_id(1);"
            "  local int (*tile)[16] = ROWS;"
            "  tile[y][x] = y; barrier(CLK_LOCAL_MEM_FENCE);"
            "  int above = tile[y - 1][x], below = tile[y + 1][x]; barrier(CLK_LOCAL_MEM_FENCE);"
            "  out[get_global_id(1) * 16 + x] = (y > 0 ? above : 0) + (y < 15 ? below : 15); }",
            arguments[0]);
  Buffer<cl_int> out(16 * 64);
  run(program, "k", {{16, 64}, {16, 16}}, out, LocalBytes(16 * 16 * sizeof(cl_int)));
  return out.read() == tabulate<cl_int>(16 * 64,
                                        [](size_t i) {
                                          const auto y = static_cast<cl_int>(i / 16 % 16);
                                          return (y > 0 ? y - 1 : 0) + (y < 15 ? y + 1 : 15);
                                        })
             ? 0
             : 1;
}

TEST(Margins, ofLocalMemoryMayBeRead) {
  for (const char* rows : {"own", "(local int (*)[16])given"})
    for (const char* packets : {"off", "8"}) {
      const ChildResult result = runChild({"readBesideLocalMemory",
                                           {std::string("-DROWS=\"") + rows + "\""},
                                           {{"QUERN_CPU_PACKETS", packets}}});
      EXPECT_EQ(result.exitCode, 0) << rows << ", packets " << packets << ": " << result;
    }
}

} // namespace
} // namespace quern::tests
