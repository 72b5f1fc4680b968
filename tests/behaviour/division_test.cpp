// Division never traps, and no signal handler stands behind it: not even where the host has
// floating-point traps on.
#include <cfenv>
#include <csignal>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

QUERN_CHILD(divideWithTraps) {
  struct sigaction before;
  sigaction(SIGFPE, nullptr, &before);
  // Floating-point exceptions trap in every thread that is started from now on.
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  Program program = build(R"(
    kernel void k(global const int* a, global const int* b, global int* out, global float* f) {
      size_t g = get_global_id(0);
      out[g] = a[g] / b[g] + a[g] % b[g];
      long4 wide = (long4)(a[g]) / (long4)(b[g]);
      f[g] = (float)a[g] / (float)b[g] + sqrt((float)(a[g] % 3)) + exp((float)a[g]);
      out[g] += (int)wide.z;
    })");
  constexpr size_t count = 4096;
  std::vector<cl_int> a =
      tabulate<cl_int>(count, [](size_t i) { return i % 5 ? int(i) - 2000 : INT32_MIN; });
  std::vector<cl_int> b = tabulate<cl_int>(count, [](size_t i) { return int(i % 7) - 3; });
  Buffer<cl_int> bufferA(a), bufferB(b), out(count);
  Buffer<cl_float> f(count);
  for (size_t local : {1, 16, 128})
    run(program, "k", {{count}, {local}}, bufferA, bufferB, out, f);
  std::vector<cl_int> result = out.read();
  for (size_t i = 0; i < count; ++i) {
    if (b[i] == 0 || (a[i] == INT32_MIN && b[i] == -1))
      continue;
    if (result[i] != cl_int(cl_uint(a[i] / b[i]) * 2 + cl_uint(a[i] % b[i])))
      return 1;
  }
  struct sigaction after;
  sigaction(SIGFPE, nullptr, &after);
  return after.sa_handler == before.sa_handler ? 0 : 2;
}

TEST(Division, neverTraps) {
  ChildResult result = runChild({"divideWithTraps"});
  EXPECT_EQ(result.exitCode, 0) << result;
}

} // namespace
} // namespace quern::tests
