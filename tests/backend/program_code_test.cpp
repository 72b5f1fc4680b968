// Code that is made when a kernel is needed, where that fails.
#include <cstdlib>

#include <gtest/gtest.h>

#include "runtime/compile_steps.h"
#include "runtime/process.h"
#include "runtime/program_code.h"

namespace quern::test {
namespace {

using namespace quern::runtime;

/// Before the driver reads its options.
[[maybe_unused]] const int compilerIsSet = setenv("QUERN_COMPILER", QUERN_COMPILER_LIBRARY, 1);

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

TEST(ProgramCodeOfOtherKernels, IsRefused) {
  Device& device = *Process::current().devices().front();
  const compiler::Options options = {.firstVersion = true, .kernelsOnDemand = true};
  const Result<BuildOutcome> built =
      CompileSteps(options, "", device.caps().target)
          .build({.source = "kernel void a(global int* p) { *p = 1; }"
                            "kernel void b(global int* p, int n) { *p = n; }"});
  ASSERT_TRUE(built.ok() && built.value().binary);
  auto changed = std::make_shared<ProgramBinary>(*built.value().binary);
  changed->image.kernels[0].name = "c";
  changed->image.kernels[1].argumentBlockBytes = 8;
  const std::shared_ptr<ProgramCode> code = *ProgramCode::load(device, changed);
  for (const uint32_t index : {0u, 1u}) {
    const Result<const KernelOnDevice*> kernel = code->kernel(index);
    ASSERT_FALSE(kernel.ok());
    EXPECT_NE(std::string::npos, kernel.status().sentence().find("has no such kernel"))
        << kernel.status().sentence();
  }
  const std::shared_ptr<ProgramCode> unchanged = *ProgramCode::load(device, built.value().binary);
  EXPECT_TRUE(unchanged->kernel(0).ok() && unchanged->kernel(1).ok());
}

TEST_F(ProgramCodeTest, HasTheBinaryThatThereIs) {
  EXPECT_EQ(binary, code->wholeBinary());
}

} // namespace
} // namespace quern::test
