// Programs read the element beside a buffer before they test whether it is theirs.
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

} // namespace
} // namespace quern::tests
