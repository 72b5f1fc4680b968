#pragma once

#include "opencl_test.h"

namespace quern::test {

/// Owns memory of clSVMAlloc; fails the test when there is none.
class SvmMemory {
public:
  SvmMemory(const Context& context, size_t bytes, cl_svm_mem_flags flags = 0)
      : context_(context.get()), pointer_(clSVMAlloc(context.get(), flags, bytes, 0)) {
    EXPECT_NE(nullptr, pointer_);
  }
  SvmMemory(const SvmMemory&) = delete;
  SvmMemory& operator=(const SvmMemory&) = delete;
  ~SvmMemory() { clSVMFree(context_, pointer_); }

  void* get() const { return pointer_; }
  /// Somebody else frees it.
  void* give() { return std::exchange(pointer_, nullptr); }

private:
  cl_context context_;
  void* pointer_;
};

} // namespace quern::test
