// A kernel that reads where it must not ends the process as the same fault in the program's own
// code would; it never hangs it.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

void runFaulty() {
  Program program =
      build("kernel void k(global int* p, ulong far) { p[get_global_id(0) + far] += 1; }");
  Buffer<cl_int> buffer(16);
  run(program, "k", {{16}, {4}}, buffer, cl_ulong{1} << 40);
}

QUERN_CHILD(faultInAKernel) {
  runFaulty();
  return 0;
}

TEST(FaultyKernel, endsTheProcessAsAnyFault) {
  const ChildResult result = runChild({"faultInAKernel", {}, leavingFaultsToTheProcess()});
  EXPECT_EQ(result.signal, SIGSEGV) << result;
}

ChildResult runWith(const std::string& child, const std::string& variable,
                    const std::string& value) {
  auto environment = leavingFaultsToTheProcess();
  environment.emplace_back(variable, value);
  return runChild({child, {}, environment});
}

TEST(FaultyKernel, isNamedWithItsWorkItemsAndTheAddress) {
  const ChildResult result = runWith("faultInAKernel", "QUERN_FAULTS", "report");
  EXPECT_EQ(result.signal, SIGSEGV) << result;
  EXPECT_NE(result.errors.find("quern: error: the kernel 'k' "), std::string::npos) << result;
  // What the processor says of it depends on where the buffer is.
  EXPECT_TRUE(result.errors.find("address 0x") != std::string::npos ||
              result.errors.find("an address that no memory can have") != std::string::npos)
      << result;
  EXPECT_NE(result.errors.find("global ids ("), std::string::npos) << result;
}

QUERN_CHILD(readThroughNull) {
  Program program = build("kernel void nothing(global int* p, global int* q) { q[0] = p[1]; }");
  Buffer<cl_int> buffer(16);
  Kernel kernel(program, "nothing");
  check(clSetKernelArg(kernel.handle(), 0, sizeof(cl_mem), nullptr), "clSetKernelArg");
  const cl_mem memory = buffer.handle();
  check(clSetKernelArg(kernel.handle(), 1, sizeof(memory), &memory), "clSetKernelArg");
  const size_t one = 1;
  check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &one, &one, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(Device::get().queue), "clFinish");
  return 0;
}

TEST(FaultyKernel, thatReadsThroughNullIsToldSo) {
  const ChildResult result = runWith("readThroughNull", "QUERN_LOG", "error");
  EXPECT_EQ(result.signal, SIGSEGV) << result;
  EXPECT_NE(result.errors.find("the kernel 'nothing' read from address 0x4, which is next to NULL, "
                               "in one of the work-items with the global ids (0) to (0)"),
            std::string::npos)
      << result;
}

/// Runs good and bad launches, each of which must end as it should, in several work-groups.
QUERN_CHILD(recoverFromFaults) {
  Program program =
      build("kernel void k(global int* p, ulong far) { p[get_global_id(0) + far] += 1; }");
  Buffer<cl_int> buffer(4096, 0);
  cl_int good = 0;
  for (int round = 0; round < 20; ++round) {
    const bool isBad = round % 2 == 1;
    Kernel kernel(program, "k");
    kernel.setAll(buffer, isBad ? cl_ulong{1} << 44 : cl_ulong{0});
    const size_t size = 4096, local = 16;
    cl_event event = nullptr, dependent = nullptr;
    check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &size, &local, 0,
                                 nullptr, &event),
          "clEnqueueNDRangeKernel");
    check(clEnqueueMarkerWithWaitList(Device::get().queue, 1, &event, &dependent),
          "clEnqueueMarkerWithWaitList");
    const cl_int waited = clWaitForEvents(1, &event);
    clWaitForEvents(1, &dependent);
    cl_int status = 1, dependentStatus = 1;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    clGetEventInfo(dependent, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &dependentStatus,
                   nullptr);
    clReleaseEvent(event);
    clReleaseEvent(dependent);
    if (isBad && (status != CL_OUT_OF_RESOURCES || dependentStatus >= 0 ||
                  waited != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
      return 1;
    if (!isBad && (status != CL_COMPLETE || waited != CL_SUCCESS))
      return 2;
    good += !isBad;
  }
  return buffer.read() == std::vector<cl_int>(4096, good) ? 0 : 3;
}

TEST(FaultyKernel, mayEndWithANegativeStatusInstead) {
  const ChildResult result = runWith("recoverFromFaults", "QUERN_FAULTS", "recover");
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_NE(result.errors.find("the kernel 'k' "), std::string::npos) << result;
}

/// What checks keep of a work-group is in order again after one that was given up in its middle.
TEST(FaultyKernel, mayBeGivenUpWithChecks) {
  auto environment = leavingFaultsToTheProcess();
  environment.emplace_back("QUERN_FAULTS", "recover");
  environment.emplace_back("QUERN_CHECK", "races,barriers");
  const ChildResult result = runChild({"recoverFromFaults", {}, environment});
  EXPECT_EQ(result.exitCode, 0) << result;
}

QUERN_CHILD(faultWithTheProgramsOwnHandler) {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    static const char text[] = "own handler\n";
    [[maybe_unused]] ssize_t written = write(STDOUT_FILENO, text, sizeof(text) - 1);
    _exit(42);
  };
  sigaction(SIGSEGV, &action, nullptr);
  runFaulty();
  return 0;
}

TEST(FaultyKernel, reachesTheProgramsOwnHandler) {
  for (const char* handling : {"auto", "report"}) {
    const ChildResult result = runWith("faultWithTheProgramsOwnHandler", "QUERN_FAULTS", handling);
    EXPECT_EQ(result.exitCode, 42) << result;
    // Once for each worker that got there before the process ended.
    EXPECT_EQ(result.output.find("own handler\n"), 0u) << result;
    EXPECT_EQ(result.errors.find("the kernel 'k'") != std::string::npos,
              std::string_view(handling) == "report")
        << result;
  }
}

} // namespace
} // namespace quern::tests
