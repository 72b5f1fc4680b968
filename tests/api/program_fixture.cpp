#include "program_fixture.h"

namespace quern::test {

Program ProgramTest::makeProgram(const std::string& source) const {
  const char* text = source.c_str();
  cl_int code = 0;
  Program made(clCreateProgramWithSource(context.get(), 1, &text, nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  return made;
}

Program ProgramTest::buildProgram(const std::string& source, const char* options) const {
  Program made = makeProgram(source);
  EXPECT_EQ(CL_SUCCESS, clBuildProgram(made.get(), 1, &device, options, nullptr, nullptr))
      << logOf(made);
  return made;
}

Program ProgramTest::compileProgram(const std::string& source, const char* options) const {
  Program made = makeProgram(source);
  EXPECT_EQ(CL_SUCCESS, clCompileProgram(made.get(), 1, &device, options, 0, nullptr, nullptr,
                                         nullptr, nullptr))
      << logOf(made);
  return made;
}

Program ProgramTest::programFromBinary(const std::vector<unsigned char>& binary) const {
  const unsigned char* bytes = binary.data();
  const size_t size = binary.size();
  cl_int status = 1, code = 0;
  Program made(clCreateProgramWithBinary(context.get(), 1, &device, &size, &bytes, &status, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(CL_SUCCESS, status);
  return made;
}

Kernel ProgramTest::makeKernel(const Program& program, const char* name) const {
  cl_int code = 0;
  Kernel made(clCreateKernel(program.get(), name, &code));
  EXPECT_EQ(CL_SUCCESS, code) << name;
  return made;
}

std::string ProgramTest::logOf(const Program& program) const {
  size_t size = 0;
  EXPECT_EQ(CL_SUCCESS,
            clGetProgramBuildInfo(program.get(), device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
  std::string log(size, '\0');
  EXPECT_EQ(CL_SUCCESS, clGetProgramBuildInfo(program.get(), device, CL_PROGRAM_BUILD_LOG, size,
                                              log.data(), nullptr));
  return log.c_str();
}

std::vector<unsigned char> ProgramTest::binaryOf(const Program& program) const {
  const auto size = info<size_t>(clGetProgramInfo, program.get(), CL_PROGRAM_BINARY_SIZES);
  std::vector<unsigned char> binary(size);
  unsigned char* destination = binary.data();
  EXPECT_EQ(CL_SUCCESS, clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof(destination),
                                         &destination, nullptr));
  return binary;
}

void ProgramTest::run(const Kernel& kernel, size_t items) const {
  EXPECT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &items,
                                               nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
}

} // namespace quern::test
