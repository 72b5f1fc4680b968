// More memory than there is: a clean error from the call that asked for it.
#include <cstdio>
#include <sys/resource.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

bool isAllocationError(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
         code == CL_OUT_OF_HOST_MEMORY;
}

/// Makes buffers of `bytes` until that fails. Returns the error.
cl_int fill(size_t bytes, std::vector<cl_mem>& buffers, size_t limit) {
  cl_int code = CL_SUCCESS;
  while (code == CL_SUCCESS && buffers.size() < limit) {
    cl_mem buffer = clCreateBuffer(Device::get().context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    if (code == CL_SUCCESS)
      buffers.push_back(buffer);
  }
  return code;
}

QUERN_CHILD(allocateEverything) {
  const auto global = Device::get().info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto largest = Device::get().info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  if (largest > global || largest < global / 4)
    return 1;
  cl_int code = CL_SUCCESS;
  if (clCreateBuffer(Device::get().context, 0, largest + 4096, nullptr, &code) ||
      code != CL_INVALID_BUFFER_SIZE)
    return 2;
  for (int round = 0; round < 3; ++round) {
    std::vector<cl_mem> buffers;
    const size_t part = global / 16;
    // Untouched pages cost nothing, so only a ledger can tell that there is no more.
    code = fill(part, buffers, 40);
    if (!isAllocationError(code) || buffers.size() < 8 || buffers.size() > 16)
      return std::printf("round %d: code %d after %zu buffers", round, code, buffers.size()), 3;
    for (cl_mem buffer : buffers)
      check(clReleaseMemObject(buffer), "clReleaseMemObject");
  }
  Buffer<cl_int> small(1000, 4);
  return small.read() == std::vector<cl_int>(1000, 4) ? 0 : 4;
}

TEST(MemoryLimits, allocationsFailBeforeTheMachineDoes) {
  ChildResult result = runChild({"allocateEverything"});
  EXPECT_EQ(result.exitCode, 0) << result;
}

QUERN_CHILD(allocateUnderAnAddressSpaceLimit) {
  const rlim_t limit = rlim_t{3} << 30;
  const rlimit limits = {limit, limit};
  setrlimit(RLIMIT_AS, &limits);
  if (Device::get().info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE) > limit)
    return 1;
  std::vector<cl_mem> buffers;
  cl_int code = fill(size_t{256} << 20, buffers, 100);
  if (!isAllocationError(code))
    return 2;
  for (cl_mem buffer : buffers)
    check(clReleaseMemObject(buffer), "clReleaseMemObject");
  Buffer<cl_int> out(4);
  run(build("kernel void k(global int* out) { out[get_global_id(0)] = 5; }"), "k", {{4}}, out);
  return out.read() == std::vector<cl_int>(4, 5) ? 0 : 3;
}

TEST(MemoryLimits, addressSpaceLimitIsRespected) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers reserve more address space than the limit";
#endif
#endif
  ChildResult result = runChild({"allocateUnderAnAddressSpaceLimit"});
  EXPECT_EQ(result.exitCode, 0) << result;
}

} // namespace
} // namespace quern::tests
