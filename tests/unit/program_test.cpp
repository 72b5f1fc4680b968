#include "runtime/program.h"

#include <future>

#include <gtest/gtest.h>

#include "runtime/context.h"
#include "runtime/kernel.h"
#include "runtime/process.h"

namespace quern::runtime {
namespace {

/// A program of one device whose builds the test ends by itself.
class ProgramStates : public ::testing::Test {
protected:
  void SetUp() override {
    const auto devices = Process::current().devices();
    ASSERT_FALSE(devices.empty());
    const std::vector<Ref<Device>> list = {devices.front()};
    context = makeRef<Context>(list, std::vector<cl_context_properties>(), Context::Notify());
    program = makeRef<Program>(*context, Program::Origin::Source, "source", list,
                               std::vector<Program::DeviceBuild>(1));
  }
  cl_int begin() { return program->beginBuild(std::vector<size_t>{0}, "-w").code(); }

  Ref<Context> context;
  Ref<Program> program;
};

TEST_F(ProgramStates, ABuildInProgressIsVisibleAndExcludesAnother) {
  EXPECT_EQ(program->buildOf(0).status, CL_BUILD_NONE);
  EXPECT_EQ(begin(), CL_SUCCESS);
  EXPECT_EQ(program->buildOf(0).status, CL_BUILD_IN_PROGRESS);
  EXPECT_EQ(program->buildOf(0).options, "-w");
  EXPECT_EQ(begin(), CL_INVALID_OPERATION);
  program->endBuild(0, {.status = CL_BUILD_ERROR, .log = "log"});
  EXPECT_EQ(program->buildOf(0).log, "log");
  EXPECT_EQ(begin(), CL_SUCCESS);
  program->endBuild(0, {.status = CL_BUILD_ERROR});
}

TEST_F(ProgramStates, KernelsWaitForABuildInProgress) {
  ASSERT_EQ(begin(), CL_SUCCESS);
  auto code =
      std::async(std::launch::async, [&] { return Kernel::create(*program, "f").status().code(); });
  EXPECT_EQ(code.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  program->endBuild(0, {.status = CL_BUILD_ERROR});
  EXPECT_EQ(code.get(), CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_EQ(begin(), CL_SUCCESS);
  code = std::async(std::launch::async, [&] { return program->kernelNames().status().code(); });
  program->abandonBuild(0);
  EXPECT_EQ(code.get(), CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(ProgramStates, ABuildWithoutMemoryCanBeTriedAgain) {
  const auto binary = std::make_shared<const ProgramBinary>();
  program = makeRef<Program>(*context, Program::Origin::Binary, "",
                             std::vector<Ref<Device>>{Process::current().devices().front()},
                             std::vector<Program::DeviceBuild>{{.binary = binary}});
  EXPECT_EQ(begin(), CL_SUCCESS);
  program->abandonBuild(0);
  EXPECT_EQ(program->buildOf(0).status, CL_BUILD_ERROR);
  EXPECT_EQ(program->buildOf(0).log, "out of memory");
  EXPECT_EQ(program->buildOf(0).options, "-w");
  EXPECT_EQ(program->buildOf(0).binary, binary);
  EXPECT_EQ(begin(), CL_SUCCESS);
  program->endBuild(0, {.status = CL_BUILD_ERROR});
}

TEST_F(ProgramStates, WithoutExecutableThereAreNoKernels) {
  EXPECT_EQ(program->kernelNames().status().code(), CL_INVALID_PROGRAM_EXECUTABLE);
}

} // namespace
} // namespace quern::runtime
