#include "program_fixture.h"

#include <algorithm>

namespace quern::test {
namespace {

constexpr const char* twoKernels = "kernel void first(global int* out) { out[0] = 1; }\n"
                                   "kernel void second(global int* out) { out[0] = 2; }\n";

using Binary = std::vector<unsigned char>;

class ProgramObjectTest : public ProgramTest {
protected:
  cl_int tryCreateWithSource(cl_context where, cl_uint count, const char** strings) {
    cl_int code = 0;
    Program made(clCreateProgramWithSource(where, count, strings, nullptr, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
  cl_int tryCreateWithBinary(const Binary& binary, cl_int* status = nullptr) {
    const unsigned char* bytes = binary.data();
    const size_t size = binary.size();
    cl_int code = 0;
    Program made(
        clCreateProgramWithBinary(context.get(), 1, &device, &size, &bytes, status, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
};

TEST_F(ProgramObjectTest, withSourceChecksItsArguments) {
  const char* strings[] = {twoKernels, nullptr};
  EXPECT_EQ(CL_INVALID_CONTEXT, tryCreateWithSource(nullptr, 1, strings));
  EXPECT_EQ(CL_INVALID_CONTEXT,
            tryCreateWithSource(reinterpret_cast<cl_context>(device), 1, strings));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreateWithSource(context.get(), 0, strings));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreateWithSource(context.get(), 1, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreateWithSource(context.get(), 2, strings));
  EXPECT_EQ(CL_SUCCESS, tryCreateWithSource(context.get(), 1, strings));
}

TEST_F(ProgramObjectTest, sourceIsTheConcatenationOfItsStrings) {
  const char* strings[] = {"kernel void ", "f(???", ") {}"};
  const size_t lengths[] = {0, 2, 4};
  cl_int code = 0;
  Program made(clCreateProgramWithSource(context.get(), 3, strings, lengths, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ("kernel void f() {}", infoString(clGetProgramInfo, made.get(), CL_PROGRAM_SOURCE));
  // A length that counts the terminating zero: the zero is no part of the source.
  const size_t tooLong[] = {13, 2, 5};
  made.reset(clCreateProgramWithSource(context.get(), 3, strings, tooLong, &code));
  EXPECT_EQ("kernel void f() {}", infoString(clGetProgramInfo, made.get(), CL_PROGRAM_SOURCE));
}

TEST_F(ProgramObjectTest, countsReferences) {
  const Program made = makeProgram(twoKernels);
  EXPECT_EQ(1u, info<cl_uint>(clGetProgramInfo, made.get(), CL_PROGRAM_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clRetainProgram(made.get()));
  EXPECT_EQ(2u, info<cl_uint>(clGetProgramInfo, made.get(), CL_PROGRAM_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseProgram(made.get()));
  EXPECT_EQ(CL_INVALID_PROGRAM, clRetainProgram(nullptr));
  EXPECT_EQ(CL_INVALID_PROGRAM, clRetainProgram(foreignHandle<cl_program>(context)));
  EXPECT_EQ(CL_INVALID_PROGRAM, clReleaseProgram(nullptr));
  EXPECT_EQ(CL_INVALID_PROGRAM, clReleaseProgram(foreignHandle<cl_program>(context)));
}

TEST_F(ProgramObjectTest, answersEveryQuery) {
  const Program made = buildProgram(twoKernels);
  EXPECT_EQ(context.get(), info<cl_context>(clGetProgramInfo, made.get(), CL_PROGRAM_CONTEXT));
  EXPECT_EQ(1u, info<cl_uint>(clGetProgramInfo, made.get(), CL_PROGRAM_NUM_DEVICES));
  EXPECT_EQ(device, info<cl_device_id>(clGetProgramInfo, made.get(), CL_PROGRAM_DEVICES));
  EXPECT_EQ(twoKernels, infoString(clGetProgramInfo, made.get(), CL_PROGRAM_SOURCE));
  EXPECT_EQ(2u, info<size_t>(clGetProgramInfo, made.get(), CL_PROGRAM_NUM_KERNELS));
  EXPECT_EQ("first;second", infoString(clGetProgramInfo, made.get(), CL_PROGRAM_KERNEL_NAMES));
  EXPECT_FALSE(info<cl_bool>(clGetProgramInfo, made.get(), CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT));
  EXPECT_FALSE(info<cl_bool>(clGetProgramInfo, made.get(), CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT));
  EXPECT_LT(0u, info<size_t>(clGetProgramInfo, made.get(), CL_PROGRAM_BINARY_SIZES));
  EXPECT_TRUE(infoList<char>(clGetProgramInfo, made.get(), CL_PROGRAM_IL).empty());
  expectQueryErrors(clGetProgramInfo, made.get(), CL_PROGRAM_SOURCE);
  expectQueryErrors(clGetProgramInfo, made.get(), CL_PROGRAM_BINARIES);
  EXPECT_EQ(CL_INVALID_PROGRAM, clGetProgramInfo(nullptr, CL_PROGRAM_SOURCE, 0, nullptr, nullptr));
}

TEST_F(ProgramObjectTest, kernelsAreUnknownBeforeABuild) {
  const Program made = makeProgram(twoKernels);
  for (cl_program_info name :
       {CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT,
        CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT}) {
    char value[100];
    EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE,
              clGetProgramInfo(made.get(), name, sizeof(value), value, nullptr));
  }
  EXPECT_EQ(0u, info<size_t>(clGetProgramInfo, made.get(), CL_PROGRAM_BINARY_SIZES));
}

TEST_F(ProgramObjectTest, binaryMakesTheSameProgram) {
  const Program original = buildProgram(twoKernels, "-cl-mad-enable");
  const Binary binary = binaryOf(original);
  const Program made = programFromBinary(binary);
  EXPECT_EQ(CL_BUILD_NONE, buildInfo<cl_build_status>(made, CL_PROGRAM_BUILD_STATUS));
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE},
            buildInfo<cl_program_binary_type>(made, CL_PROGRAM_BINARY_TYPE));
  EXPECT_EQ("", infoString(clGetProgramInfo, made.get(), CL_PROGRAM_SOURCE));
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateKernel(made.get(), "second", &code));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, code);

  ASSERT_EQ(CL_SUCCESS, clBuildProgram(made.get(), 1, &device, nullptr, nullptr, nullptr));
  EXPECT_EQ(binary, binaryOf(made));
  const Memory out = makeBuffer(sizeof(cl_int));
  const Kernel kernel = makeKernel(made, "second");
  setArguments(kernel, out.get());
  run(kernel, 1);
  EXPECT_EQ(std::vector<cl_int>{2}, contents<cl_int>(out.get()));
  // A program from a binary can be built again.
  const_cast<Kernel&>(kernel).reset();
  EXPECT_EQ(CL_SUCCESS, clBuildProgram(made.get(), 0, nullptr, nullptr, nullptr, nullptr));
}

TEST_F(ProgramObjectTest, withBinaryChecksItsArguments) {
  const Binary binary = binaryOf(buildProgram(twoKernels));
  const unsigned char* bytes = binary.data();
  const size_t size = binary.size(), none = 0;
  const unsigned char* nothing = nullptr;
  const auto tryCreate = [&](cl_context where, cl_uint count, const cl_device_id* devices,
                             const size_t* lengths, const unsigned char** binaries) {
    cl_int code = 0;
    EXPECT_EQ(nullptr,
              clCreateProgramWithBinary(where, count, devices, lengths, binaries, nullptr, &code));
    return code;
  };
  EXPECT_EQ(CL_INVALID_CONTEXT, tryCreate(nullptr, 1, &device, &size, &bytes));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 0, &device, &size, &bytes));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 1, nullptr, &size, &bytes));
  const auto notADevice = foreignHandle<cl_device_id>(context);
  EXPECT_EQ(CL_INVALID_DEVICE, tryCreate(context.get(), 1, &notADevice, &size, &bytes));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 1, &device, nullptr, &bytes));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 1, &device, &size, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 1, &device, &none, &bytes));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 1, &device, &size, &nothing));
}

TEST_F(ProgramObjectTest, deviceOfAnotherContextIsRefused) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  if (clCreateSubDevices(device, equally, 0, nullptr, &count) != CL_SUCCESS)
    GTEST_SKIP() << "the device has only one compute unit";
  std::vector<cl_device_id> subDevices(count);
  ASSERT_EQ(CL_SUCCESS, clCreateSubDevices(device, equally, count, subDevices.data(), nullptr));
  const std::vector<SubDevice> owners(subDevices.begin(), subDevices.end());
  const Binary binary = binaryOf(buildProgram(twoKernels));
  const unsigned char* bytes = binary.data();
  const size_t size = binary.size();
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateProgramWithBinary(context.get(), 1, subDevices.data(), &size, &bytes,
                                               nullptr, &code));
  EXPECT_EQ(CL_INVALID_DEVICE, code);
}

TEST_F(ProgramObjectTest, eachBinaryHasItsStatus) {
  const Binary good = binaryOf(buildProgram(twoKernels));
  Binary bad = good;
  bad[bad.size() / 2] ^= 1;
  const cl_device_id devices[] = {device, device, device};
  const unsigned char* binaries[] = {good.data(), bad.data(), good.data()};
  const size_t sizes[] = {good.size(), bad.size(), good.size()};
  cl_int status[] = {1, 1, 1}, code = 0;
  EXPECT_EQ(nullptr,
            clCreateProgramWithBinary(context.get(), 3, devices, sizes, binaries, status, &code));
  EXPECT_EQ(CL_INVALID_BINARY, code);
  EXPECT_TRUE(
      std::ranges::equal(status, std::vector<cl_int>{CL_SUCCESS, CL_INVALID_BINARY, CL_SUCCESS}));

  const size_t someEmpty[] = {good.size(), good.size(), 0};
  EXPECT_EQ(nullptr, clCreateProgramWithBinary(context.get(), 3, devices, someEmpty, binaries,
                                               status, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_TRUE(
      std::ranges::equal(status, std::vector<cl_int>{CL_SUCCESS, CL_SUCCESS, CL_INVALID_VALUE}));
}

TEST_F(ProgramObjectTest, damagedBinariesAreRefused) {
  const Binary good = binaryOf(buildProgram(twoKernels));
  for (size_t length = 1; length < good.size(); length += good.size() / 50 + 1)
    EXPECT_EQ(CL_INVALID_BINARY,
              tryCreateWithBinary(Binary(good.begin(), good.begin() + static_cast<long>(length))));
  for (size_t at = 0; at < good.size(); at += good.size() / 50 + 1) {
    Binary bad = good;
    bad[at] ^= 0x40;
    cl_int status = 0;
    EXPECT_EQ(CL_INVALID_BINARY, tryCreateWithBinary(bad, &status));
    EXPECT_EQ(CL_INVALID_BINARY, status);
  }
  EXPECT_EQ(CL_INVALID_BINARY, tryCreateWithBinary(Binary{'x'}));
}

TEST_F(ProgramObjectTest, compiledObjectsComeBackFromTheirBinary) {
  const Binary binary = binaryOf(compileProgram(twoKernels));
  const Program made = programFromBinary(binary);
  EXPECT_EQ(cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT},
            buildInfo<cl_program_binary_type>(made, CL_PROGRAM_BINARY_TYPE));
  // Only an executable can be built; a compiled object is linked.
  EXPECT_EQ(CL_INVALID_BINARY, clBuildProgram(made.get(), 1, &device, nullptr, nullptr, nullptr));
  const cl_program input = made.get();
  cl_int code = 0;
  Program linked(
      clLinkProgram(context.get(), 1, &device, nullptr, 1, &input, nullptr, nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  makeKernel(linked, "first");
}

TEST_F(ProgramObjectTest, featuresThatNoDeviceHasAreRefused) {
  const Program made = makeProgram(twoKernels);
  const auto ignore = [](cl_program, void*) {};
  EXPECT_EQ(CL_INVALID_OPERATION, clSetProgramReleaseCallback(made.get(), ignore, nullptr));
  EXPECT_EQ(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(nullptr, ignore, nullptr));
}

TEST_F(ProgramObjectTest, compilerCanBeUnloaded) {
  EXPECT_EQ(CL_SUCCESS, clUnloadPlatformCompiler(platform));
  EXPECT_EQ(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(foreignHandle<cl_platform_id>(context)));
  buildProgram("kernel void afterUnloading() {}");
}

} // namespace
} // namespace quern::test
