// cl_ext_buffer_device_address.
#include "program_fixture.h"
#include "svm_memory.h"

namespace quern::test {
namespace {

// Newer than the headers of some systems.
constexpr cl_mem_properties privateAddress = 0x5000;
constexpr cl_mem_info deviceAddress = 0x5001;
constexpr cl_kernel_exec_info devicePointers = 0x5002;

class BufferAddressTest : public ProgramTest {
protected:
  static constexpr const char* source = R"(
  kernel void address(global int* buffer, global ulong* out) { *out = (ulong)buffer; }
  kernel void follow(global int* global* pointer, global int* out) { *out = **pointer + 1; }
  kernel void before(global int* pointer, global int* out) { *out = pointer[-2]; }
  kernel void other(int value, local int* scratch, constant int* table) {}
)";

  void SetUp() override {
    ProgramTest::SetUp();
    setPointer = reinterpret_cast<SetPointer>(clGetExtensionFunctionAddressForPlatform(
        quernPlatform(), "clSetKernelArgDevicePointerEXT"));
    ASSERT_TRUE(setPointer);
    program = buildProgram(source, "-cl-std=CL3.0");
  }
  Memory make(cl_mem_flags flags, void* hostPointer = nullptr) const {
    const cl_mem_properties properties[] = {privateAddress, CL_TRUE, 0};
    cl_int code = -1;
    Memory buffer(
        clCreateBufferWithProperties(context.get(), properties, flags, 4096, hostPointer, &code));
    EXPECT_EQ(CL_SUCCESS, code);
    return buffer;
  }
  static cl_ulong addressOf(const Memory& buffer) {
    return info<cl_ulong>(clGetMemObjectInfo, buffer.get(), deviceAddress);
  }

  using SetPointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_ulong);
  SetPointer setPointer = nullptr;
  Program program;
};

TEST_F(BufferAddressTest, isWhatKernelsSee) {
  const Memory buffer = make(CL_MEM_READ_WRITE);
  const Memory out = makeBuffer(sizeof(cl_ulong));
  const Kernel kernel = makeKernel(program, "address");
  setArguments(kernel, buffer.get(), out.get());
  run(kernel, 1);
  EXPECT_EQ(addressOf(buffer), contents<cl_ulong>(out.get())[0]);
  const cl_buffer_region region = {1024, 512};
  const Memory part(
      clCreateSubBuffer(buffer.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(addressOf(buffer) + 1024, addressOf(part));
  EXPECT_EQ((std::vector<cl_mem_properties>{privateAddress, CL_TRUE, 0}),
            infoList<cl_mem_properties>(clGetMemObjectInfo, buffer.get(), CL_MEM_PROPERTIES));
}

TEST_F(BufferAddressTest, isThatOfSharedVirtualMemory) {
  const SvmMemory svm(context, 4096);
  EXPECT_EQ(reinterpret_cast<cl_ulong>(svm.get()), addressOf(make(CL_MEM_USE_HOST_PTR, svm.get())));
}

TEST_F(BufferAddressTest, kernelsFollowIt) {
  std::vector<cl_int> values(1024, 41);
  const Memory buffer = make(CL_MEM_COPY_HOST_PTR, values.data());
  cl_ulong address = addressOf(buffer);
  const Memory pointer = makeBuffer(sizeof(address), CL_MEM_COPY_HOST_PTR, &address);
  const Memory out = makeBuffer(sizeof(cl_int));
  const Kernel follow = makeKernel(program, "follow");
  setArguments(follow, pointer.get(), out.get());
  EXPECT_EQ(CL_SUCCESS,
            clSetKernelExecInfo(follow.get(), devicePointers, sizeof(address), &address));
  run(follow, 1);
  EXPECT_EQ(42, contents<cl_int>(out.get())[0]);
  const Kernel before = makeKernel(program, "before");
  EXPECT_EQ(CL_SUCCESS, setPointer(before.get(), 0, address + 2 * sizeof(cl_int)));
  const cl_mem memory = out.get();
  EXPECT_EQ(CL_SUCCESS, clSetKernelArg(before.get(), 1, sizeof(memory), &memory));
  run(before, 1);
  EXPECT_EQ(41, contents<cl_int>(out.get())[0]);
}

TEST_F(BufferAddressTest, refusesWhatTheSpecificationRefuses) {
  const auto refused = [&](std::vector<cl_mem_properties> properties) {
    cl_int code = 0;
    EXPECT_EQ(nullptr, clCreateBufferWithProperties(context.get(), properties.data(), 0, 4096,
                                                    nullptr, &code));
    EXPECT_EQ(CL_INVALID_PROPERTY, code);
  };
  refused({privateAddress, 2, 0});
  refused({privateAddress, CL_TRUE, privateAddress, CL_TRUE, 0});
  const Memory plain = makeBuffer(64);
  cl_ulong address = 0;
  EXPECT_EQ(CL_INVALID_OPERATION,
            clGetMemObjectInfo(plain.get(), deviceAddress, sizeof(address), &address, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetMemObjectInfo(make(0).get(), deviceAddress, 4, &address, nullptr));
  const Kernel follow = makeKernel(program, "follow");
  EXPECT_EQ(CL_INVALID_KERNEL, setPointer(nullptr, 0, 64));
  EXPECT_EQ(CL_INVALID_ARG_INDEX, setPointer(follow.get(), 2, 64));
  const Kernel other = makeKernel(program, "other");
  for (const cl_uint index : {0u, 1u, 2u})
    EXPECT_EQ(CL_INVALID_ARG_INDEX, setPointer(other.get(), index, 64));
  EXPECT_EQ(CL_INVALID_VALUE,
            clSetKernelExecInfo(follow.get(), devicePointers, sizeof(address) - 1, &address));
  EXPECT_EQ(CL_INVALID_VALUE,
            clSetKernelExecInfo(follow.get(), devicePointers, sizeof(address), nullptr));
  // A pointer that leads nowhere may be set, as long as no kernel follows it.
  EXPECT_EQ(CL_SUCCESS, setPointer(follow.get(), 0, 64));
}

TEST_F(BufferAddressTest, imagesHaveNone) {
  const cl_mem_properties properties[] = {privateAddress, CL_TRUE, 0};
  const cl_image_format format = {CL_R, CL_FLOAT};
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 8;
  cl_int code = 0;
  EXPECT_EQ(nullptr, clCreateImageWithProperties(context.get(), properties, 0, &format,
                                                 &description, nullptr, &code));
  EXPECT_EQ(CL_INVALID_PROPERTY, code);
}

} // namespace
} // namespace quern::test
