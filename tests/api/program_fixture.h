#pragma once

#include "opencl_test.h"

namespace quern::test {

using Program = Owned<cl_program, clReleaseProgram>;
using Kernel = Owned<cl_kernel, clReleaseKernel>;

/// Adds programs and kernels to the fixture.
class ProgramTest : public OpenClTest {
protected:
  /// From source, not built.
  Program makeProgram(const std::string& source) const;
  /// Built for the one device; fails the test with the build log when that does not work.
  Program buildProgram(const std::string& source, const char* options = "") const;
  /// Compiled with clCompileProgram.
  Program compileProgram(const std::string& source, const char* options = "") const;
  /// From `binary`, not built.
  Program programFromBinary(const std::vector<unsigned char>& binary) const;
  Kernel makeKernel(const Program& program, const char* name) const;

  std::string logOf(const Program& program) const;
  template <typename T> T buildInfo(const Program& program, cl_program_build_info name) const {
    T value = {};
    EXPECT_EQ(CL_SUCCESS,
              clGetProgramBuildInfo(program.get(), device, name, sizeof(T), &value, nullptr));
    return value;
  }
  /// What clGetProgramInfo returns for the one device.
  std::vector<unsigned char> binaryOf(const Program& program) const;

  /// Sets the arguments of `kernel` in order: cl_mem handles and plain values.
  template <typename... Values>
  void setArguments(const Kernel& kernel, const Values&... values) const {
    cl_uint index = 0;
    const auto set = [&](const auto& value) {
      EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), index++, sizeof(value), &value));
    };
    (set(values), ...);
  }
  /// Runs `kernel` over `items` work-items and waits.
  void run(const Kernel& kernel, size_t items) const;
};

/// A handle of another kind than a function expects.
template <typename Handle> Handle foreignHandle(const Context& context) {
  return reinterpret_cast<Handle>(context.get());
}

} // namespace quern::test
