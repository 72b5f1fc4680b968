#pragma once

#include "opencl_test.h"

namespace quern::test {

/// The functions of cl_intel_unified_shared_memory, found as programs find them.
struct UnifiedMemoryFunctions {
  decltype(&clHostMemAllocINTEL) hostAlloc;
  decltype(&clDeviceMemAllocINTEL) deviceAlloc;
  decltype(&clSharedMemAllocINTEL) sharedAlloc;
  decltype(&clMemFreeINTEL) free;
  decltype(&clMemBlockingFreeINTEL) blockingFree;
  decltype(&clGetMemAllocInfoINTEL) info;
  decltype(&clSetKernelArgMemPointerINTEL) setArgument;
  decltype(&clEnqueueMemFillINTEL) fill;
  decltype(&clEnqueueMemcpyINTEL) copy;
  decltype(&clEnqueueMigrateMemINTEL) migrate;
  decltype(&clEnqueueMemAdviseINTEL) advise;

  UnifiedMemoryFunctions() {
    const auto find = [](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(quernPlatform(), name));
      EXPECT_TRUE(function) << name;
    };
    find(hostAlloc, "clHostMemAllocINTEL");
    find(deviceAlloc, "clDeviceMemAllocINTEL");
    find(sharedAlloc, "clSharedMemAllocINTEL");
    find(free, "clMemFreeINTEL");
    find(blockingFree, "clMemBlockingFreeINTEL");
    find(info, "clGetMemAllocInfoINTEL");
    find(setArgument, "clSetKernelArgMemPointerINTEL");
    find(fill, "clEnqueueMemFillINTEL");
    find(copy, "clEnqueueMemcpyINTEL");
    find(migrate, "clEnqueueMigrateMemINTEL");
    find(advise, "clEnqueueMemAdviseINTEL");
  }
};

/// Owns memory of one of the allocation functions; fails the test when there is none.
class UnifiedAllocation {
public:
  UnifiedAllocation(const UnifiedMemoryFunctions& functions, const Context& context, void* pointer)
      : free_(functions.free), context_(context.get()), pointer_(pointer) {
    EXPECT_NE(nullptr, pointer);
  }
  UnifiedAllocation(const UnifiedAllocation&) = delete;
  UnifiedAllocation& operator=(const UnifiedAllocation&) = delete;
  ~UnifiedAllocation() { EXPECT_EQ(CL_SUCCESS, free_(context_, pointer_)); }

  void* get() const { return pointer_; }
  template <typename T> T* as() const { return static_cast<T*>(pointer_); }

private:
  decltype(&clMemFreeINTEL) free_;
  cl_context context_;
  void* pointer_;
};

} // namespace quern::test
