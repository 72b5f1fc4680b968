#include "program_fixture.h"

namespace quern::test {
namespace {

class PipeArgumentTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    program = buildProgram("kernel void f(read_only pipe int in, write_only pipe int2 out,\n"
                           "              global int* g) {}",
                           "-cl-std=CL3.0 -cl-kernel-arg-info");
    kernel = makeKernel(program, "f");
    pipe = makePipe(context);
  }
  static Memory makePipe(const Context& owner) {
    return Memory(clCreatePipe(owner.get(), 0, 4, 4, nullptr, nullptr));
  }
  cl_int set(cl_uint index, cl_mem object, size_t size = sizeof(cl_mem)) {
    return clSetKernelArg(kernel.get(), index, size, &object);
  }
  template <typename T> T argument(cl_uint index, cl_kernel_arg_info name) {
    T value = {};
    EXPECT_EQ(CL_SUCCESS,
              clGetKernelArgInfo(kernel.get(), index, name, sizeof(value), &value, nullptr));
    return value;
  }

  Program program;
  Kernel kernel;
  Memory pipe;
};

TEST_F(PipeArgumentTest, isDescribed) {
  for (const cl_uint index : {0u, 1u}) {
    EXPECT_EQ(cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE},
              argument<cl_kernel_arg_type_qualifier>(index, CL_KERNEL_ARG_TYPE_QUALIFIER));
    EXPECT_EQ(cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_GLOBAL},
              argument<cl_kernel_arg_address_qualifier>(index, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  }
  EXPECT_EQ(cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_READ_ONLY},
            argument<cl_kernel_arg_access_qualifier>(0, CL_KERNEL_ARG_ACCESS_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
            argument<cl_kernel_arg_access_qualifier>(1, CL_KERNEL_ARG_ACCESS_QUALIFIER));
}

TEST_F(PipeArgumentTest, errors) {
  const Memory buffer = makeBuffer(64), foreign = makePipe(otherContext);
  EXPECT_EQ(CL_SUCCESS, set(0, pipe.get()));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel.get(), 0, sizeof(cl_mem), nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(0, nullptr));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(0, buffer.get()));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(0, foreignHandle<cl_mem>(context)));
  EXPECT_EQ(CL_INVALID_ARG_SIZE, set(0, pipe.get(), sizeof(cl_mem) - 1));
  EXPECT_EQ(CL_INVALID_ARG_SIZE, set(0, pipe.get(), sizeof(cl_mem) + 1));
  EXPECT_EQ(CL_INVALID_CONTEXT, set(0, foreign.get()));
  // Nor is a pipe a buffer.
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set(2, pipe.get()));
}

TEST_F(PipeArgumentTest, mustBeThereAtTheLaunch) {
  const Memory buffer = makeBuffer(64);
  const size_t one = 1;
  const auto enqueue = [&] {
    return clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &one, nullptr, 0, nullptr,
                                  nullptr);
  };
  setArguments(kernel, pipe.get());
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, enqueue());
  setArguments(kernel, pipe.get(), pipe.get(), buffer.get());
  EXPECT_EQ(CL_SUCCESS, enqueue());
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  pipe.reset();
  EXPECT_EQ(CL_INVALID_KERNEL_ARGS, enqueue());
}

TEST_F(PipeArgumentTest, areOfTheirLanguageVersions) {
  const char* uses = "kernel void f(read_only pipe int p) { int x; read_pipe(p, &x); }";
  buildProgram(uses, "-cl-std=CL2.0");
  buildProgram(uses, "-cl-std=CL3.0");
  buildProgram("#ifndef __opencl_c_pipes\n#error\n#endif", "-cl-std=CL3.0");
  buildProgram("#ifdef __opencl_c_pipes\n#error\n#endif", "-cl-std=CL1.2");
}

} // namespace
} // namespace quern::test
