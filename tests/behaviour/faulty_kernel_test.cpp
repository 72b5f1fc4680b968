// A kernel that reads where it must not ends the process as the same fault in the program's own
// code would; it never hangs it.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

void runFaulty() {
  Program program =
      build("kernel void k(global int* p, ulong far) { p[get_global_id(0) + far] += 1; }");
  Buffer<cl_int> buffer(16);
  run(program, "k", {{16}, {4}}, buffer, cl_ulong{1} << 44);
}

QUERN_CHILD(faultInAKernel) {
  runFaulty();
  return 0;
}

/// The options in `variable` of a sanitizer that leaves faults to the process.
std::string withoutItsHandler(const char* variable) {
  const char* options = std::getenv(variable);
  return std::string(options ? options : "") + ":handle_segv=0";
}

TEST(FaultyKernel, endsTheProcessAsAnyFault) {
  ChildResult result = runChild({"faultInAKernel",
                                 {},
                                 {{"ASAN_OPTIONS", withoutItsHandler("ASAN_OPTIONS")},
                                  {"TSAN_OPTIONS", withoutItsHandler("TSAN_OPTIONS")}}});
  EXPECT_EQ(result.signal, SIGSEGV) << result;
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
  ChildResult result = runChild({"faultWithTheProgramsOwnHandler"});
  EXPECT_EQ(result.exitCode, 42) << result;
  // Once for each worker that got there before the process ended.
  EXPECT_EQ(result.output.find("own handler\n"), 0u) << result;
}

} // namespace
} // namespace quern::tests
