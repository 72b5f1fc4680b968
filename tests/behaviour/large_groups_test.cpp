// Large private arrays and large work-groups: they run, or the launch is refused; they never
// overrun a stack.
#include <cstdio>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

/// Arguments: private bytes for each item, local size, whether there are barriers. Prints "ran",
/// "refused" or "wrong".
QUERN_CHILD(largePrivateArray) {
  const size_t bytes = std::stoull(arguments[0]), local = std::stoull(arguments[1]);
  Program program = build(R"(
    kernel void k(global uint* out, uint at) {
      uint data[SIZE];
      uint g = (uint)get_global_id(0);
      data[0] = g;
      data[SIZE - 1] = g * 3;
      data[(g * 977 + at) % SIZE] = g + 5;
    #ifdef BARRIER
      barrier(CLK_LOCAL_MEM_FENCE);
    #endif
      data[at % SIZE] += 1;
      out[g] = data[(g * 977 + at) % SIZE];
    })",
                          "-DSIZE=" + std::to_string(bytes / 4) +
                              (arguments[2] == "barrier" ? " -DBARRIER" : ""));
  const size_t global = 2 * local;
  Buffer<cl_uint> out(global);
  Kernel kernel(program, "k");
  kernel.setAll(out, cl_uint{7});
  cl_int code = clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &global,
                                       &local, 0, nullptr, nullptr);
  if (code == CL_OUT_OF_RESOURCES || code == CL_INVALID_WORK_GROUP_SIZE) {
    // The queue goes on working.
    run(build("kernel void k(global uint* out) { out[0] = 9; }"), "k", {{1}}, out);
    std::printf("%s", out.read()[0] == 9 ? "refused" : "wrong");
    return 0;
  }
  check(code, "clEnqueueNDRangeKernel");
  const size_t count = bytes / 4;
  bool right = out.read() == tabulate<cl_uint>(global, [&](size_t g) {
                 size_t place = (g * 977 + 7) % count;
                 return g + 5 + (place == 7 % count ? 1 : 0);
               });
  std::printf("%s", right ? "ran" : "wrong");
  return 0;
}

std::string outcome(size_t bytes, size_t local, const char* barrier) {
  ChildResult result =
      runChild({"largePrivateArray", {std::to_string(bytes), std::to_string(local), barrier}});
  EXPECT_EQ(result.exitCode, 0) << result;
  return result.output;
}

TEST(LargeGroups, moderateArraysRun) {
  for (const char* barrier : {"plain", "barrier"}) {
    EXPECT_EQ(outcome(64 << 10, 64, barrier), "ran");
    EXPECT_EQ(outcome(1 << 20, 16, barrier), "ran");
    EXPECT_EQ(outcome(16 << 10, 1024, barrier), "ran");
  }
}

TEST(LargeGroups, hugeArraysRunOrAreRefused) {
  for (const char* barrier : {"plain", "barrier"})
    for (size_t bytes : {size_t{64} << 20, size_t{1} << 30}) {
      SCOPED_TRACE(barrier + std::string(", bytes ") + std::to_string(bytes));
      std::string result = outcome(bytes, 256, barrier);
      EXPECT_TRUE(result == "ran" || result == "refused") << result;
    }
}

TEST(LargeGroups, impossibleSizesAreRefused) {
  EXPECT_EQ(outcome(size_t{3} << 30, 1024, "barrier"), "refused");
}

TEST(LargeGroups, workGroupInformationIsTrue) {
  Program program = build(R"(
    kernel void k(global uint* out, local uint* l) {
      uint data[5000];
      local uint shared[300];
      uint g = (uint)get_global_id(0);
      for (uint i = 0; i < 5000; ++i)
        data[i] = g + i;
      shared[get_local_id(0) % 300] = g;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = data[(g + shared[0]) % 5000] - (g + shared[0]) % 5000;
    })");
  Kernel kernel(program, "k");
  auto info = [&]<typename T>(cl_kernel_work_group_info what, T) {
    T value{};
    check(clGetKernelWorkGroupInfo(kernel.handle(), Device::get().id, what, sizeof(value), &value,
                                   nullptr),
          "clGetKernelWorkGroupInfo");
    return value;
  };
  EXPECT_GE(info(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong{}), 20000u);
  EXPECT_GE(info(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{}), 1200u);
  size_t local = info(CL_KERNEL_WORK_GROUP_SIZE, size_t{});
  ASSERT_GE(local, 1u);
  Buffer<cl_uint> out(local);
  kernel.setAll(out, LocalBytes{64});
  EXPECT_GE(info(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{}), 1264u);
  kernel.enqueue({{local}, {local}});
  EXPECT_EQ(out.read(), tabulate<cl_uint>(local, [](size_t g) { return g; }));
}

TEST(LargeGroups, tooMuchLocalMemoryIsRefused) {
  auto bytes = Device::get().info<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  Program program =
      build("kernel void k(local int* l, global int* out) { l[0] = 1; out[0] = l[0]; }");
  Buffer<cl_int> out(1);
  Kernel kernel(program, "k");
  kernel.setAll(LocalBytes{bytes + 1024}, out);
  size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &one, nullptr,
                                   0, nullptr, nullptr),
            CL_OUT_OF_RESOURCES);
}

} // namespace
} // namespace quern::tests
