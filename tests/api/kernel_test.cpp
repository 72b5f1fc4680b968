#include "program_fixture.h"

namespace quern::test {
namespace {

class KernelTest : public ProgramTest {
protected:
  static constexpr const char* source = R"(
kernel void copy(global const int* restrict from, global int* to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void mixed(constant float4* table, local uint* scratch, volatile global uchar* bytes, const unsigned int count, float3 vector) {}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void sized(global int* out) { out[get_global_id(0)] = 0; }
kernel void uses(global int* out, local int* given) {
  local int own[64];
  own[get_local_id(0)] = 1;
  given[get_local_id(0)] = 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = own[0] + given[0];
}
)";

  void SetUp() override {
    ProgramTest::SetUp();
    program = buildProgram(source, "-cl-kernel-arg-info");
  }
  cl_int tryCreate(cl_program where, const char* name) {
    cl_int code = 0;
    Kernel made(clCreateKernel(where, name, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
  template <typename T>
  T argumentInfo(const Kernel& kernel, cl_uint index, cl_kernel_arg_info name) {
    T value = {};
    EXPECT_EQ(CL_SUCCESS,
              clGetKernelArgInfo(kernel.get(), index, name, sizeof(T), &value, nullptr));
    return value;
  }
  std::string argumentText(const Kernel& kernel, cl_uint index, cl_kernel_arg_info name) {
    char text[100] = {};
    EXPECT_EQ(CL_SUCCESS,
              clGetKernelArgInfo(kernel.get(), index, name, sizeof(text), text, nullptr));
    return text;
  }
  template <typename T> T workGroupInfo(const Kernel& kernel, cl_kernel_work_group_info name) {
    T value = {};
    EXPECT_EQ(CL_SUCCESS,
              clGetKernelWorkGroupInfo(kernel.get(), device, name, sizeof(T), &value, nullptr));
    return value;
  }

  Program program;
};

TEST_F(KernelTest, createChecksItsArguments) {
  EXPECT_EQ(CL_INVALID_PROGRAM, tryCreate(nullptr, "copy"));
  EXPECT_EQ(CL_INVALID_PROGRAM, tryCreate(foreignHandle<cl_program>(context), "copy"));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, tryCreate(makeProgram(source).get(), "copy"));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, tryCreate(compileProgram(source).get(), "copy"));
  EXPECT_EQ(CL_INVALID_KERNEL_NAME, tryCreate(program.get(), "no_such_kernel"));
  EXPECT_EQ(CL_INVALID_KERNEL_NAME, tryCreate(program.get(), ""));
  EXPECT_EQ(CL_INVALID_VALUE, tryCreate(program.get(), nullptr));
  EXPECT_EQ(CL_SUCCESS, tryCreate(program.get(), "copy"));
}

TEST_F(KernelTest, allKernelsOfAProgram) {
  cl_uint count = 0;
  EXPECT_EQ(CL_SUCCESS, clCreateKernelsInProgram(program.get(), 0, nullptr, &count));
  ASSERT_EQ(4u, count);
  std::vector<cl_kernel> handles(6, nullptr);
  EXPECT_EQ(CL_INVALID_VALUE, clCreateKernelsInProgram(program.get(), 3, handles.data(), &count));
  EXPECT_EQ(CL_INVALID_PROGRAM, clCreateKernelsInProgram(nullptr, 6, handles.data(), &count));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE,
            clCreateKernelsInProgram(makeProgram(source).get(), 6, handles.data(), &count));
  EXPECT_EQ(nullptr, handles[0]);
  ASSERT_EQ(CL_SUCCESS, clCreateKernelsInProgram(program.get(), 6, handles.data(), nullptr));
  EXPECT_EQ(nullptr, handles[4]);
  std::vector<std::string> names;
  for (int i = 0; i < 4; ++i) {
    const Kernel owner(handles[i]);
    EXPECT_EQ(1u, info<cl_uint>(clGetKernelInfo, handles[i], CL_KERNEL_REFERENCE_COUNT));
    names.push_back(infoString(clGetKernelInfo, handles[i], CL_KERNEL_FUNCTION_NAME));
  }
  EXPECT_EQ((std::vector<std::string>{"copy", "mixed", "sized", "uses"}), names);
}

TEST_F(KernelTest, countsReferences) {
  const Kernel kernel = makeKernel(program, "copy");
  EXPECT_EQ(CL_SUCCESS, clRetainKernel(kernel.get()));
  EXPECT_EQ(2u, info<cl_uint>(clGetKernelInfo, kernel.get(), CL_KERNEL_REFERENCE_COUNT));
  EXPECT_EQ(CL_SUCCESS, clReleaseKernel(kernel.get()));
  EXPECT_EQ(CL_INVALID_KERNEL, clRetainKernel(nullptr));
  EXPECT_EQ(CL_INVALID_KERNEL, clReleaseKernel(foreignHandle<cl_kernel>(context)));
}

TEST_F(KernelTest, answersEveryQuery) {
  const Kernel kernel = makeKernel(program, "sized");
  EXPECT_EQ("sized", infoString(clGetKernelInfo, kernel.get(), CL_KERNEL_FUNCTION_NAME));
  EXPECT_EQ(1u, info<cl_uint>(clGetKernelInfo, kernel.get(), CL_KERNEL_NUM_ARGS));
  EXPECT_EQ(context.get(), info<cl_context>(clGetKernelInfo, kernel.get(), CL_KERNEL_CONTEXT));
  EXPECT_EQ(program.get(), info<cl_program>(clGetKernelInfo, kernel.get(), CL_KERNEL_PROGRAM));
  EXPECT_EQ("reqd_work_group_size(4,2,1)",
            infoString(clGetKernelInfo, kernel.get(), CL_KERNEL_ATTRIBUTES));
  expectQueryErrors(clGetKernelInfo, kernel.get(), CL_KERNEL_NUM_ARGS);
  EXPECT_EQ(CL_INVALID_KERNEL, clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, 0, nullptr, nullptr));
}

TEST_F(KernelTest, describesItsArguments) {
  struct Expected {
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier qualifier;
    const char* type;
    const char* name;
  };
  const Expected rows[] = {
      {CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST, "float4*", "table"},
      {CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE, "uint*", "scratch"},
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_VOLATILE, "uchar*", "bytes"},
      {CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE, "uint", "count"},
      {CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE, "float3", "vector"},
  };
  const Kernel kernel = makeKernel(program, "mixed");
  for (cl_uint i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(rows[i].address, argumentInfo<cl_kernel_arg_address_qualifier>(
                                   kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
    EXPECT_EQ(
        cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE},
        argumentInfo<cl_kernel_arg_access_qualifier>(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER));
    EXPECT_EQ(rows[i].qualifier,
              argumentInfo<cl_kernel_arg_type_qualifier>(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER))
        << i;
    EXPECT_EQ(rows[i].type, argumentText(kernel, i, CL_KERNEL_ARG_TYPE_NAME));
    EXPECT_EQ(rows[i].name, argumentText(kernel, i, CL_KERNEL_ARG_NAME));
  }
  const Kernel copy = makeKernel(program, "copy");
  EXPECT_EQ(cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
            argumentInfo<cl_kernel_arg_type_qualifier>(copy, 0, CL_KERNEL_ARG_TYPE_QUALIFIER));
}

TEST_F(KernelTest, argumentInfoChecksItsArguments) {
  const Kernel kernel = makeKernel(program, "copy");
  char text[100];
  EXPECT_EQ(CL_INVALID_KERNEL,
            clGetKernelArgInfo(nullptr, 0, CL_KERNEL_ARG_NAME, sizeof(text), text, nullptr));
  EXPECT_EQ(CL_INVALID_ARG_INDEX,
            clGetKernelArgInfo(kernel.get(), 2, CL_KERNEL_ARG_NAME, sizeof(text), text, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetKernelArgInfo(kernel.get(), 0, 0xdead, sizeof(text), text, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetKernelArgInfo(kernel.get(), 0, CL_KERNEL_ARG_NAME, 4, text, nullptr));
  const Program plain = buildProgram(source);
  EXPECT_EQ(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
            clGetKernelArgInfo(makeKernel(plain, "copy").get(), 0, CL_KERNEL_ARG_NAME, sizeof(text),
                               text, nullptr));
}

TEST_F(KernelTest, workGroupInfo) {
  const Kernel kernel = makeKernel(program, "uses");
  const auto maxSize = workGroupInfo<size_t>(kernel, CL_KERNEL_WORK_GROUP_SIZE);
  EXPECT_LE(1u, maxSize);
  EXPECT_GE(info<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE), maxSize);
  EXPECT_LE(1u, workGroupInfo<size_t>(kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
  workGroupInfo<cl_ulong>(kernel, CL_KERNEL_PRIVATE_MEM_SIZE);
  const auto before = workGroupInfo<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE);
  EXPECT_LE(64 * sizeof(cl_int), before);
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 1, 1000, nullptr));
  EXPECT_EQ(before + 1000, workGroupInfo<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE));
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 1, 400, nullptr));
  EXPECT_EQ(before + 400, workGroupInfo<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE));

  using Sizes = std::array<size_t, 3>;
  EXPECT_EQ((Sizes{0, 0, 0}), workGroupInfo<Sizes>(kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE));
  EXPECT_EQ((Sizes{4, 2, 1}),
            workGroupInfo<Sizes>(makeKernel(program, "sized"), CL_KERNEL_COMPILE_WORK_GROUP_SIZE));
}

TEST_F(KernelTest, workGroupInfoChecksItsArguments) {
  const Kernel kernel = makeKernel(program, "copy");
  size_t value[3];
  const auto query = [&](cl_kernel which, cl_device_id on, cl_kernel_work_group_info name,
                         size_t size) {
    return clGetKernelWorkGroupInfo(which, on, name, size, value, nullptr);
  };
  EXPECT_EQ(CL_INVALID_KERNEL, query(nullptr, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(value)));
  EXPECT_EQ(CL_INVALID_DEVICE, query(kernel.get(), foreignHandle<cl_device_id>(context),
                                     CL_KERNEL_WORK_GROUP_SIZE, sizeof(value)));
  EXPECT_EQ(CL_INVALID_VALUE, query(kernel.get(), device, 0xdead, sizeof(value)));
  EXPECT_EQ(CL_INVALID_VALUE,
            query(kernel.get(), device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t) - 1));
  EXPECT_EQ(CL_INVALID_VALUE,
            query(kernel.get(), device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(value)));
  // The one device of the program needs no name.
  EXPECT_EQ(CL_SUCCESS, query(kernel.get(), nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof(value)));
}

TEST_F(KernelTest, cloneHasItsOwnArguments) {
  cl_int code = 0;
  const std::vector<cl_int> values = {1, 2, 3};
  const Memory from = makeBuffer(values), to = makeBuffer(sizeof(cl_int) * 3),
               other = makeBuffer(sizeof(cl_int) * 3);
  const Kernel kernel = makeKernel(program, "copy");
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(kernel.get(), 0, sizeof(cl_mem),
                                       &static_cast<const cl_mem&>(from.get())));
  setArguments(kernel, from.get(), to.get());
  const Kernel clone(clCloneKernel(kernel.get(), &code));
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(1u, info<cl_uint>(clGetKernelInfo, clone.get(), CL_KERNEL_REFERENCE_COUNT));
  setArguments(kernel, from.get(), other.get());
  run(clone, 3);
  EXPECT_EQ(values, contents<cl_int>(to.get()));
  EXPECT_EQ(nullptr, clCloneKernel(nullptr, &code));
  EXPECT_EQ(CL_INVALID_KERNEL, code);
}

TEST_F(KernelTest, cloneOfAKernelWithoutArgumentsNeedsThem) {
  const Kernel clone(clCloneKernel(makeKernel(program, "copy").get(), nullptr));
  const size_t one = 1;
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue.get(), clone.get(), 1, nullptr,
                                                           &one, nullptr, 0, nullptr, nullptr));
}

TEST_F(KernelTest, executionInformation) {
  const Kernel kernel = makeKernel(program, "copy");
  void* pointer = nullptr;
  const cl_bool no = CL_FALSE;
  EXPECT_EQ(CL_INVALID_KERNEL,
            clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointer), &pointer));
  EXPECT_EQ(CL_SUCCESS, clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                            sizeof(no), &no));
  EXPECT_EQ(CL_INVALID_VALUE,
            clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &no));
  EXPECT_EQ(CL_INVALID_VALUE,
            clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(no),
                                nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clSetKernelExecInfo(kernel.get(), 0xdead, sizeof(no), &no));
}

} // namespace
} // namespace quern::test
