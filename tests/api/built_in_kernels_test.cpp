#include "program_fixture.h"

#include <array>
#include <cstring>

namespace quern::test {
namespace {

class BuiltInKernelsTest : public ProgramTest {
protected:
  static constexpr const char* sum = "quern_reduce_sum_i32";

  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> names;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(';', begin), text.size());
      names.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return names;
  }

  Program create(const char* names) const {
    cl_int code = 0;
    Program program(clCreateProgramWithBuiltInKernels(context.get(), 1, &device, names, &code));
    EXPECT_EQ(CL_SUCCESS, code);
    return program;
  }
  static cl_int tryCreate(cl_context where, cl_uint count, const cl_device_id* devices,
                          const char* names) {
    cl_int code = 0;
    EXPECT_EQ(nullptr, clCreateProgramWithBuiltInKernels(where, count, devices, names, &code));
    return code;
  }
};

TEST_F(BuiltInKernelsTest, areListedWithVersions) {
  const std::vector<std::string> names =
      split(infoString(clGetDeviceInfo, device, CL_DEVICE_BUILT_IN_KERNELS));
  size_t bytes = 0;
  EXPECT_EQ(CL_SUCCESS,
            clGetDeviceInfo(device, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0, nullptr, &bytes));
  std::vector<cl_name_version> versions(bytes / sizeof(cl_name_version));
  EXPECT_EQ(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, bytes,
                                        versions.data(), nullptr));
  ASSERT_EQ(names.size(), versions.size());
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names[i], versions[i].name);
    EXPECT_EQ(cl_version{CL_MAKE_VERSION(1, 0, 0)}, versions[i].version);
  }
  EXPECT_NE(names.end(), std::find(names.begin(), names.end(), sum));
}

TEST_F(BuiltInKernelsTest, creationChecksItsArguments) {
  EXPECT_EQ(CL_INVALID_CONTEXT, tryCreate(nullptr, 1, &device, sum));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 0, &device, sum));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 1, nullptr, sum));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 1, &device, nullptr));
  const auto notADevice = foreignHandle<cl_device_id>(context);
  EXPECT_EQ(CL_INVALID_DEVICE, tryCreate(context.get(), 1, &notADevice, sum));
}

TEST_F(BuiltInKernelsTest, everyNameMustBeOfAKernel) {
  for (const char* names : {"", ";", "x", "quern_reduce_sum_i3", "quern_reduce_sum_i32;",
                            ";quern_reduce_sum_i32", "quern_reduce_sum_i32;;quern_reduce_sum_i64",
                            "quern_reduce_sum_i32; quern_reduce_sum_i64", "quern_reduce_sum_i32;x"})
    EXPECT_EQ(CL_INVALID_VALUE, tryCreate(context.get(), 1, &device, names)) << names;
}

TEST_F(BuiltInKernelsTest, programsHaveTheKernelsThatWereNamed) {
  const Program program = create("quern_reduce_sum_i64;quern_reduce_sum_i32;quern_reduce_sum_i64");
  EXPECT_EQ(2u, info<size_t>(clGetProgramInfo, program.get(), CL_PROGRAM_NUM_KERNELS));
  std::vector<std::string> names =
      split(infoString(clGetProgramInfo, program.get(), CL_PROGRAM_KERNEL_NAMES));
  std::ranges::sort(names);
  EXPECT_EQ((std::vector<std::string>{"quern_reduce_sum_i32", "quern_reduce_sum_i64"}), names);
  EXPECT_EQ("", infoString(clGetProgramInfo, program.get(), CL_PROGRAM_SOURCE));
  EXPECT_EQ(cl_build_status{CL_BUILD_SUCCESS},
            buildInfo<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS));
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateKernel(program.get(), "quern_reduce_max_i32", &code));
  EXPECT_EQ(CL_INVALID_KERNEL_NAME, code);
}

TEST_F(BuiltInKernelsTest, programsCannotBeBuiltCompiledOrLinked) {
  const Program program = create(sum);
  EXPECT_EQ(CL_INVALID_OPERATION,
            clBuildProgram(program.get(), 1, &device, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION, clCompileProgram(program.get(), 1, &device, nullptr, 0, nullptr,
                                                   nullptr, nullptr, nullptr));
  const cl_program input = program.get();
  cl_int code = 0;
  EXPECT_EQ(nullptr,
            clLinkProgram(context.get(), 1, &device, nullptr, 1, &input, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

TEST_F(BuiltInKernelsTest, kernelsAnswerQueries) {
  const Program program = create(sum);
  const Kernel kernel = makeKernel(program, sum);
  EXPECT_EQ(sum, infoString(clGetKernelInfo, kernel.get(), CL_KERNEL_FUNCTION_NAME));
  EXPECT_EQ("", infoString(clGetKernelInfo, kernel.get(), CL_KERNEL_ATTRIBUTES));
  EXPECT_EQ(7u, info<cl_uint>(clGetKernelInfo, kernel.get(), CL_KERNEL_NUM_ARGS));
  const auto argument = [&](cl_uint index, cl_kernel_arg_info what) {
    std::array<char, 64> text = {};
    EXPECT_EQ(CL_SUCCESS,
              clGetKernelArgInfo(kernel.get(), index, what, text.size(), text.data(), nullptr));
    return std::string(text.data());
  };
  EXPECT_EQ("in", argument(1, CL_KERNEL_ARG_NAME));
  EXPECT_EQ("int*", argument(1, CL_KERNEL_ARG_TYPE_NAME));
  EXPECT_EQ("n", argument(0, CL_KERNEL_ARG_NAME));
  EXPECT_EQ("ulong", argument(0, CL_KERNEL_ARG_TYPE_NAME));
}

TEST_F(BuiltInKernelsTest, kernelsSayHowLargeARangeIsOfUse) {
  const Program program = create(sum);
  const Kernel kernel = makeKernel(program, sum);
  std::array<size_t, 3> global = {}, local = {};
  EXPECT_EQ(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel.get(), device, CL_KERNEL_GLOBAL_WORK_SIZE,
                                                 sizeof(global), global.data(), nullptr));
  EXPECT_EQ(CL_SUCCESS,
            clGetKernelWorkGroupInfo(kernel.get(), device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                     sizeof(local), local.data(), nullptr));
  ASSERT_GT(local[0], 0u);
  EXPECT_GE(global[0], local[0]);
  EXPECT_EQ(0u, global[0] % local[0]);
  EXPECT_EQ(1u, global[1]);
  EXPECT_EQ(1u, global[2]);
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetKernelWorkGroupInfo(kernel.get(), device, CL_KERNEL_GLOBAL_WORK_SIZE,
                                     sizeof(size_t), global.data(), nullptr));
  const Program own = buildProgram("kernel void own() {}");
  EXPECT_EQ(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(makeKernel(own, "own").get(), device,
                                                       CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(global),
                                                       global.data(), nullptr));
}

} // namespace
} // namespace quern::test
