// With QUERN_GUARD a kernel that writes beside a buffer is found: a little by bytes that changed,
// and what goes farther by a fault.
#include <csignal>
#include <cstdlib>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

/// Writes one int at index `arguments[1]` of a buffer of `arguments[0]` bytes.
QUERN_CHILD(writeBesideABuffer) {
  const size_t bytes = std::stoul(arguments[0]);
  const cl_long index = std::stol(arguments[1]);
  Program program = build("kernel void stray(global int* p, long i) { p[i] = 5; }");
  cl_int code = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(Device::get().context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  check(code, "clCreateBuffer");
  Kernel kernel(program, "stray");
  check(clSetKernelArg(kernel.handle(), 0, sizeof(memory), &memory), "clSetKernelArg");
  check(clSetKernelArg(kernel.handle(), 1, sizeof(index), &index), "clSetKernelArg");
  const size_t one = 1;
  check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &one, &one, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(Device::get().queue), "clFinish");
  clReleaseMemObject(memory);
  return 0;
}

ChildResult writeAt(size_t bytes, long index) {
  auto environment = leavingFaultsToTheProcess();
  environment.emplace_back("QUERN_GUARD", "on");
  return runChild(
      {"writeBesideABuffer", {std::to_string(bytes), std::to_string(index)}, environment});
}

void expectError(const ChildResult& result, const std::string& text) {
  EXPECT_NE(result.errors.find(text), std::string::npos) << result;
}

TEST(Guard, findsWritesJustPastABuffer) {
  for (const size_t bytes : {4u, 100u, 4000u, 1u << 20 | 4u}) {
    const ChildResult result = writeAt(bytes, static_cast<long>(bytes / 4));
    EXPECT_EQ(result.exitCode, 0) << result;
    expectError(result, "the kernel 'stray'");
    expectError(result, " 0 bytes past the end of a buffer of " + std::to_string(bytes) + " bytes");
  }
}

TEST(Guard, findsWritesJustBeforeABuffer) {
  const ChildResult result = writeAt(256, -1);
  EXPECT_EQ(result.exitCode, 0) << result;
  expectError(result, " 4 bytes before a buffer of 256 bytes");
}

TEST(Guard, letsWritesFartherAwayFault) {
  for (const long index : {64l, 1000l, -1500l}) {
    const ChildResult result = writeAt(256, index);
    EXPECT_EQ(result.signal, SIGSEGV) << result;
    expectError(result, "the kernel 'stray' wrote to address 0x");
    expectError(result, "a buffer of 256 bytes");
  }
}

TEST(Guard, saysNothingOfWritesWithin) {
  for (const long index : {0l, 24l}) {
    const ChildResult result = writeAt(100, index);
    EXPECT_EQ(result.exitCode, 0) << result;
    EXPECT_EQ(result.errors, "") << result;
  }
}

} // namespace
} // namespace quern::tests
