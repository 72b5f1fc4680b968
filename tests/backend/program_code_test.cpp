// Code that is made when a kernel is needed, where that fails.
#include <gtest/gtest.h>

#include "runtime/process.h"
#include "runtime/program_code.h"

namespace quern::test {
namespace {

using namespace quern::runtime;

/// Of two kernels whose IR is none.
class ProgramCodeTest : public testing::Test {
protected:
  ProgramCodeTest() {
    binary->ir = Bytes(100, std::byte{7});
    binary->image.kernels.resize(2);
    binary->image.kernels[1].name = "second";
    code = *ProgramCode::load(*Process::current().devices().front(), binary);
  }

  const std::shared_ptr<ProgramBinary> binary = std::make_shared<ProgramBinary>();
  std::shared_ptr<ProgramCode> code;
};

TEST_F(ProgramCodeTest, SaysWhichKernelCannotBeCompiled) {
  for (int i = 0; i < 2; ++i) { // It may be tried again.
    const Result<const KernelOnDevice*> kernel = code->kernel(1);
    ASSERT_FALSE(kernel.ok());
    EXPECT_EQ(CL_OUT_OF_RESOURCES, kernel.status().code());
    EXPECT_NE(std::string::npos, kernel.status().sentence().find("the kernel 'second' cannot be"))
        << kernel.status().sentence();
  }
}

TEST_F(ProgramCodeTest, HasTheBinaryThatThereIs) {
  EXPECT_EQ(binary, code->wholeBinary());
}

} // namespace
} // namespace quern::test
