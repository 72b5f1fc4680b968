// Memory of a CUDA program, exported as a descriptor, in OpenCL buffers: on machines with a GPU.
#include <dlfcn.h>

#include "external_memory_fixture.h"

namespace quern::test {
namespace {

using Address = unsigned long long;
using Handle = unsigned long long;

struct Location {
  int type = 1; ///< of a device
  int device = 0;
};

/// CUmemAllocationProp: pinned memory of the GPU that can be exported as a descriptor.
struct Properties {
  int type = 1;
  int handleTypes = 1;
  Location location;
  void* windows = nullptr;
  unsigned char flags[8] = {};
};

struct Access {
  Location location;
  int readAndWrite = 3;
};

/// The part of CUDA's driver API that a program needs to make memory, write it and export it.
struct Cuda {
  int (*init)(unsigned);
  int (*retainContext)(void** context, int device);
  int (*setContext)(void* context);
  int (*granularity)(size_t* bytes, const Properties*, int option);
  int (*create)(Handle*, size_t bytes, const Properties*, unsigned long long flags);
  int (*exportHandle)(void* file, Handle, int type, unsigned long long flags);
  int (*reserve)(Address*, size_t bytes, size_t alignment, Address, unsigned long long flags);
  int (*map)(Address, size_t bytes, size_t offset, Handle, unsigned long long flags);
  int (*setAccess)(Address, size_t bytes, const Access*, size_t count);
  int (*set)(Address, unsigned value, size_t count);
  int (*read)(void*, Address, size_t bytes);
  int (*unmap)(Address, size_t bytes);
  int (*release)(Handle);

  bool load() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    const auto find = [library](auto& function, const char* name) {
      function =
          library
              ? reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name))
              : nullptr;
      return function != nullptr;
    };
    return find(init, "cuInit") && find(retainContext, "cuDevicePrimaryCtxRetain") &&
           find(setContext, "cuCtxSetCurrent") &&
           find(granularity, "cuMemGetAllocationGranularity") && find(create, "cuMemCreate") &&
           find(exportHandle, "cuMemExportToShareableHandle") &&
           find(reserve, "cuMemAddressReserve") && find(map, "cuMemMap") &&
           find(setAccess, "cuMemSetAccess") && find(set, "cuMemsetD32_v2") &&
           find(read, "cuMemcpyDtoH_v2") && find(unmap, "cuMemUnmap") &&
           find(release, "cuMemRelease");
  }
};

TEST(CudaMemory, isThatOfAnOpenClBuffer) {
  Cuda cuda;
  if (!cuda.load())
    GTEST_SKIP() << "no NVIDIA driver with cuMemCreate";
  const cl_platform_id platform = quernPlatform();
  cl_device_id device = nullptr;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr) != CL_SUCCESS)
    GTEST_SKIP() << "no GPU";
  void* cudaContext = nullptr;
  ASSERT_EQ(0, cuda.init(0));
  ASSERT_EQ(0, cuda.retainContext(&cudaContext, 0));
  ASSERT_EQ(0, cuda.setContext(cudaContext));
  const Properties properties;
  size_t bytes = 0;
  Handle handle = 0;
  Address address = 0;
  int file = -1;
  ASSERT_EQ(0, cuda.granularity(&bytes, &properties, 0));
  ASSERT_EQ(0, cuda.create(&handle, bytes, &properties, 0));
  ASSERT_EQ(0, cuda.exportHandle(&file, handle, 1, 0));
  ASSERT_EQ(0, cuda.reserve(&address, bytes, 0, 0, 0));
  ASSERT_EQ(0, cuda.map(address, bytes, 0, handle, 0));
  const Access access;
  ASSERT_EQ(0, cuda.setAccess(address, bytes, &access, 1));
  ASSERT_EQ(0, cuda.set(address, 12345, bytes / 4));

  const Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
  const Queue queue(clCreateCommandQueueWithProperties(context.get(), device, nullptr, nullptr));
  const cl_mem_properties imported[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                        static_cast<cl_mem_properties>(file), 0};
  cl_int code = 0;
  Memory buffer(clCreateBufferWithProperties(context.get(), imported, 0, bytes, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  std::vector<cl_uint> values(bytes / 4);
  ASSERT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queue.get(), buffer.get(), CL_TRUE, 0, bytes,
                                            values.data(), 0, nullptr, nullptr));
  EXPECT_EQ(std::vector<cl_uint>(bytes / 4, 12345), values);
  const cl_uint value = 54321;
  ASSERT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), buffer.get(), &value, sizeof(value), 0,
                                            bytes, 0, nullptr, nullptr));
  ASSERT_EQ(CL_SUCCESS, clFinish(queue.get()));
  ASSERT_EQ(0, cuda.read(values.data(), address, bytes));
  EXPECT_EQ(std::vector<cl_uint>(bytes / 4, 54321), values);
  buffer.reset();
  EXPECT_EQ(0, cuda.unmap(address, bytes));
  EXPECT_EQ(0, cuda.release(handle));
}

} // namespace
} // namespace quern::test
