// Code that is made when a kernel is needed, where that fails.
#include <gtest/gtest.h>

#include "runtime/process.h"
#include "runtime/program_code.h"

namespace quern::test {
namespace {

using namespace quern::runtime;

TEST(ProgramCodeTest, SaysWhichKernelCannotBeCompiled) {
  Device& device = *Process::current().devices().front();
  auto binary = std::make_shared<ProgramBinary>();
  binary->ir = Bytes(100, std::byte{7});
  binary->image.kernels.resize(2);
  binary->image.kernels[1].name = "second";
  const Result<std::shared_ptr<ProgramCode>> code = ProgramCode::load(device, binary);
  ASSERT_TRUE(code.ok());
  for (int i = 0; i < 2; ++i) { // It may be tried again.
    const Result<const KernelOnDevice*> kernel = code.value()->kernel(1);
    ASSERT_FALSE(kernel.ok());
    EXPECT_EQ(CL_OUT_OF_RESOURCES, kernel.status().code());
    EXPECT_NE(std::string::npos, kernel.status().sentence().find("the kernel 'second' cannot be"))
        << kernel.status().sentence();
  }
}

} // namespace
} // namespace quern::test
