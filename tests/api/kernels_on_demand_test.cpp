// Programs of several kernels, whose code is made when each is needed.
#include <thread>

#include "program_fixture.h"

namespace quern::test {
namespace {

constexpr const char* source =
    "kernel void add(global int* p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void reversed(global const int* p, global int* q) {\n"
    "  local int part[16];\n"
    "  part[get_local_id(0)] = p[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  q[get_global_id(0)] = part[get_local_size(0) - 1 - get_local_id(0)];\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fours(global int* p) {\n"
    "  p[get_global_id(0)] = get_local_size(0);\n"
    "}\n";

class KernelsOnDemandTest : public ProgramTest {
protected:
  /// `reversed` after `add` of 5 to 0, 1, 2, ... 15.
  void expectResults(const Program& program) const {
    std::vector<cl_int> numbers(16), expected(16);
    for (cl_int i = 0; i < 16; ++i) {
      numbers[i] = i;
      expected[i] = 20 - i;
    }
    const Memory from = makeBuffer(numbers), to = makeBuffer(numbers);
    const Kernel add = makeKernel(program, "add");
    setArguments(add, from.get(), cl_int{5});
    run(add, 16);
    const Kernel reversed = makeKernel(program, "reversed");
    setArguments(reversed, from.get(), to.get());
    const size_t items = 16;
    ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), reversed.get(), 1, nullptr, &items,
                                                 &items, 0, nullptr, nullptr));
    EXPECT_EQ(expected, contents<cl_int>(to.get()));
  }
};

TEST_F(KernelsOnDemandTest, run) {
  expectResults(buildProgram(source));
}

TEST_F(KernelsOnDemandTest, runFromABinary) {
  const Program built = buildProgram(source);
  for (int i = 0; i < 2; ++i) { // before and after kernels have code
    const Program program = programFromBinary(binaryOf(built));
    ASSERT_EQ(CL_SUCCESS, clBuildProgram(program.get(), 1, &device, nullptr, nullptr, nullptr));
    expectResults(program);
    expectResults(built);
  }
}

TEST_F(KernelsOnDemandTest, runAfterLinking) {
  const Program compiled = compileProgram(source);
  cl_program input = compiled.get();
  cl_int error = CL_SUCCESS;
  const Program linked(
      clLinkProgram(context.get(), 1, &device, nullptr, 1, &input, nullptr, nullptr, &error));
  ASSERT_EQ(CL_SUCCESS, error);
  expectResults(linked);
}

TEST_F(KernelsOnDemandTest, knowTheirLimitsBeforeTheyRun) {
  const Program program = buildProgram(source);
  const Kernel reversed = makeKernel(program, "reversed"), fours = makeKernel(program, "fours");
  cl_ulong localBytes = 0;
  EXPECT_EQ(CL_SUCCESS, clGetKernelWorkGroupInfo(reversed.get(), device, CL_KERNEL_LOCAL_MEM_SIZE,
                                                 sizeof(localBytes), &localBytes, nullptr));
  EXPECT_LE(16 * sizeof(cl_int), localBytes);
  size_t required[3] = {};
  EXPECT_EQ(CL_SUCCESS,
            clGetKernelWorkGroupInfo(fours.get(), device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                     sizeof(required), required, nullptr));
  EXPECT_EQ(4u, required[0]);
  const Memory out = makeBuffer(16 * sizeof(cl_int));
  setArguments(fours, out.get());
  run(fours, 16);
  EXPECT_EQ(std::vector<cl_int>(16, 4), contents<cl_int>(out.get()));
}

TEST_F(KernelsOnDemandTest, areWaitedForByEveryThread) {
  const Program program = buildProgram(source);
  const Memory out = makeBuffer(std::vector<cl_int>(64, 0));
  std::vector<std::thread> threads;
  for (cl_int i = 1; i <= 4; ++i)
    threads.emplace_back([&, i] {
      const Kernel add = makeKernel(program, "add");
      setArguments(add, out.get(), i);
      const size_t items = 64;
      EXPECT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), add.get(), 1, nullptr, &items,
                                                   nullptr, 0, nullptr, nullptr));
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(std::vector<cl_int>(64, 10), contents<cl_int>(out.get()));
}

TEST_F(KernelsOnDemandTest, outliveTheirProgram) {
  Program program = buildProgram(source);
  const Kernel add = makeKernel(program, "add");
  program = Program();
  const Memory out = makeBuffer(std::vector<cl_int>(8, 1));
  setArguments(add, out.get(), cl_int{2});
  run(add, 8);
  EXPECT_EQ(std::vector<cl_int>(8, 3), contents<cl_int>(out.get()));
}

} // namespace
} // namespace quern::test
