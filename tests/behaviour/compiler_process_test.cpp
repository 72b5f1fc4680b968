// The compiler works in a process of its own: what ends that one is an error with a log, and the
// program neither ends nor notices a process that it did not start.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"
#include "temporary_folder.h"

namespace quern::tests {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Waits until the process has ended; false when that takes long.
bool waitForEnd(int process) {
  pollfd end = {process, POLLIN, 0};
  const bool hasEnded = poll(&end, 1, 20'000) == 1;
  close(process);
  return hasEnded;
}

int openProcess(pid_t process) {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

bool kernelWorks() {
  Buffer<cl_int> out(100);
  run(build("kernel void k(global int* out) { out[get_global_id(0)] = 3; }"), "k", {{100}}, out);
  return out.read() == std::vector<cl_int>(100, 3);
}

/// A header that the compiler begins to read and never gets to the end of.
class EndlessHeader {
public:
  EndlessHeader() {
    if (mkfifo((folder_ / "endless.h").c_str(), 0600) != 0)
      throw std::runtime_error("mkfifo failed");
  }
  std::string options() const { return "-I" + std::string(folder_.path()); }
  /// Returns when the compiler reads it.
  void waitForReader() { writer_ = open((folder_ / "endless.h").c_str(), O_WRONLY | O_CLOEXEC); }
  ~EndlessHeader() { close(writer_); }

  static constexpr const char* source = "#include \"endless.h\"\n";

private:
  TemporaryFolder folder_;
  int writer_ = -1;
};

/// Takes the compiler memory and time without end.
constexpr const char* endlessSource =
    "template <int depth, int n> struct Tree {\n"
    "  Tree<depth - 1, 2 * n> left; Tree<depth - 1, 2 * n + 1> right;\n"
    "};\n"
    "template <int n> struct Tree<0, n> { int value; };\n"
    "kernel void k(global int* out) { Tree<29, 1> tree; out[0] = sizeof(tree); }\n";

/// Builds the source in the file arguments[0] with the options arguments[1]; prints the log. It
/// must fail, and what is built afterwards must work.
QUERN_CHILD(buildWhatFails) {
  const BuildOutcome outcome = tryBuild(readFile(arguments[0]), arguments[1]);
  std::printf("%s", outcome.log.c_str());
  if (outcome.code != CL_BUILD_PROGRAM_FAILURE)
    return 1;
  return kernelWorks() ? 0 : 2;
}

ChildResult buildFailing(const std::string& source, const std::string& options,
                         std::pair<std::string, std::string> variable = {"QUERN_CACHE", "off"}) {
  TemporaryFolder folder;
  writeFile(folder / "source.cl", source);
  return runChild({.name = "buildWhatFails",
                   .arguments = {folder / "source.cl", options},
                   .environment = {{"QUERN_CACHE", "off"}, variable},
                   .limit = std::chrono::seconds(120)});
}

TEST(CompilerProcess, AFatalErrorOfLlvmIsALog) {
  const ChildResult result =
      buildFailing("struct S { char a[1L << 40]; int f(S s) { return s.a[3]; } };"
                   "kernel void k(global S* s, global int* p) { *p = s->f(*s); }",
                   "-cl-std=CLC++2021");
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_TRUE(contains(result.output, "error: internal compiler error: ")) << result;
}

TEST(CompilerProcess, MemoryIsBounded) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers reserve more memory than the limit";
#endif
  const ChildResult result =
      buildFailing(endlessSource, "-cl-std=CLC++2021", {"QUERN_COMPILE_MEMORY", "300"});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_TRUE(contains(result.output, "the limit is 300 MiB (QUERN_COMPILE_MEMORY)")) << result;
}

TEST(CompilerProcess, TimeIsBounded) {
  const EndlessHeader header;
  const ChildResult result =
      buildFailing(EndlessHeader::source, header.options(), {"QUERN_COMPILE_TIME", "1"});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_TRUE(
      contains(result.output, "was stopped after 1 seconds, its limit (QUERN_COMPILE_TIME)"))
      << result;
}

/// Sends the signal arguments[0] to the compiler's process while it works; prints the log.
QUERN_CHILD(signalTheCompiler) {
  if (!kernelWorks())
    return 1;
  EndlessHeader header;
  std::thread killer([&] {
    header.waitForReader();
    kill(compilerOf(getpid()), std::stoi(arguments[0]));
  });
  const BuildOutcome outcome = tryBuild(EndlessHeader::source, header.options());
  killer.join();
  std::printf("%s", outcome.log.c_str());
  if (outcome.code != CL_BUILD_PROGRAM_FAILURE)
    return 2;
  return kernelWorks() ? 0 : 3;
}

ChildResult signalTheCompiler(int signal) {
  return runChild({"signalTheCompiler", {std::to_string(signal)}, {{"QUERN_CACHE", "off"}}});
}

TEST(CompilerProcess, ACrashIsALogThatSaysWhereItWas) {
  const ChildResult result = signalTheCompiler(SIGSEGV);
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_TRUE(contains(result.output, "the compiler ended with signal 11 (Segmentation fault)"))
      << result;
  EXPECT_TRUE(contains(result.output, "program.cl:1:2: current parser token 'include'")) << result;
}

TEST(CompilerProcess, ThatItWasKilledIsALog) {
  const ChildResult result = signalTheCompiler(SIGKILL);
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_TRUE(contains(result.output, "the compiler's process ended without a reason")) << result;
}

/// Kills it between two builds.
QUERN_CHILD(killTheIdleCompiler) {
  if (!kernelWorks())
    return 1;
  const pid_t compiler = compilerOf(getpid());
  if (compiler == 0)
    return 2;
  const int process = openProcess(compiler);
  kill(compiler, SIGKILL);
  if (!waitForEnd(process))
    return 3;
  return kernelWorks() && compilerOf(getpid()) != compiler ? 0 : 4;
}

TEST(CompilerProcess, OneThatEndedBetweenBuildsIsReplaced) {
  const ChildResult result = runChild({"killTheIdleCompiler", {}, {{"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
}

/// Creates a context; the compiler's process that comes with it, or 0. /proc shows a process only
/// some time after it was started.
pid_t compilerOfAContext() {
  Device::get();
  const auto start = std::chrono::steady_clock::now();
  pid_t compiler = 0;
  while (compiler == 0 && std::chrono::steady_clock::now() - start < std::chrono::seconds(10))
    compiler = compilerOf(getpid());
  return compiler;
}

/// What a context starts is what the first build takes; with arguments[0] it is killed before.
QUERN_CHILD(buildInAContext) {
  const pid_t prepared = compilerOfAContext();
  if (prepared == 0)
    return 1;
  const bool isKilled = arguments[0] == "killed";
  const int process = openProcess(prepared);
  if (isKilled) {
    kill(prepared, SIGKILL);
    if (!waitForEnd(process))
      return 2;
  }
  if (!kernelWorks())
    return 3;
  return (compilerOf(getpid()) == prepared) == isKilled ? 4 : 0;
}

TEST(CompilerProcess, IsStartedWithTheContext) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "it would only take the one CPU from the program";
  for (const char* which : {"used", "killed"}) {
    const ChildResult result = runChild({"buildInAContext", {which}, {{"QUERN_CACHE", "off"}}});
    EXPECT_EQ(result.exitCode, 0) << which << ": " << result;
  }
}

/// What ends the process before it has answered anything may have been what it prepared: another
/// one gets the build that waits for it.
QUERN_CHILD(killWhatMayBePreparing) {
  const pid_t prepared = compilerOfAContext();
  if (prepared == 0)
    return 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(prepared, SIGSTOP);
  std::thread killer([prepared] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(prepared, SIGKILL);
  });
  const bool works = kernelWorks();
  killer.join();
  return works ? 0 : 2;
}

TEST(CompilerProcess, FailuresToPrepareAreNoFailedBuilds) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "none is started before something must be compiled";
  const ChildResult result = runChild({"killWhatMayBePreparing", {}, {{"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
}

/// With the argument "again" the program must come from the cache, and the process end.
QUERN_CHILD(buildForTheCache) {
  const pid_t prepared = compilerOfAContext();
  if (prepared == 0)
    return 1;
  const int process = openProcess(prepared);
  // It does not end by itself.
  pollfd end = {process, POLLIN, 0};
  if (poll(&end, 1, 100) != 0)
    return 4;
  if (!kernelWorks())
    return 2;
  return arguments[0] != "again" || waitForEnd(process) ? 0 : 3;
}

TEST(CompilerProcess, EndsWhereProgramsComeFromTheCache) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "none is started before something must be compiled";
  const TemporaryFolder folder;
  for (const char* which : {"first", "again"}) {
    const ChildResult result = runChild(
        {"buildForTheCache", {which}, {{"QUERN_CACHE", "on"}, {"QUERN_CACHE_DIR", folder.path()}}});
    EXPECT_EQ(result.exitCode, 0) << which << ": " << result;
  }
}

/// Builds, puts another program in the place of the compiler's arguments[0], and builds again with
/// a new process.
QUERN_CHILD(replaceTheCompiler) {
  if (!kernelWorks())
    return 1;
  const pid_t compiler = compilerOf(getpid());
  const int process = openProcess(compiler);
  kill(compiler, SIGKILL);
  if (!waitForEnd(process))
    return 2;
  std::filesystem::remove(arguments[0]);
  std::filesystem::create_symlink("/bin/true", arguments[0]);
  const BuildOutcome outcome = tryBuild("kernel void k(global int* out) { *out = 1; }", "");
  std::printf("%s", outcome.log.c_str());
  return outcome.code == CL_BUILD_PROGRAM_FAILURE ? 0 : 3;
}

TEST(CompilerProcess, AnUpgradeMeanwhileIsALog) {
  const TemporaryFolder folder;
  const std::filesystem::path compiler = QUERN_COMPILER_LIBRARY;
  std::filesystem::create_symlink(compiler, folder / "libquern-compiler.so");
  std::filesystem::create_symlink(compiler.parent_path() / "quern-compiler-process",
                                  folder / "quern-compiler-process");
  const ChildResult result =
      runChild({"replaceTheCompiler",
                {folder / "quern-compiler-process"},
                {{"QUERN_CACHE", "off"}, {"QUERN_COMPILER", folder / "libquern-compiler.so"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_TRUE(contains(result.output, "quern-compiler-process has been replaced")) << result;
}

volatile sig_atomic_t endsOfChildren = 0;

/// Builds with descriptors of its own open, and looks at what the compiler's process has of them.
QUERN_CHILD(lookForTheCompiler) {
  std::signal(SIGCHLD, [](int) { endsOfChildren = 1; });
  const int inherited = open("/dev/zero", O_RDONLY);
  if (inherited < 0 || !kernelWorks())
    return 1;
  const pid_t compiler = compilerOf(getpid());
  if (compiler == 0)
    return 2;
  // Neither it nor what started it is a child that the program could meet.
  if (waitpid(-1, nullptr, 0) != -1 || errno != ECHILD || endsOfChildren != 0)
    return 3;
  const std::string process = "/proc/" + std::to_string(compiler);
  for (const auto& file : std::filesystem::directory_iterator(process + "/fd"))
    if (contains(std::filesystem::read_symlink(file), "/dev/zero"))
      return 4;
  if (getsid(compiler) == getsid(0))
    return 5;
  return kernelWorks() && compilerOf(getpid()) == compiler ? 0 : 6;
}

TEST(CompilerProcess, IsOnlyOneAndNothingOfTheProgram) {
  const ChildResult result = runChild({"lookForTheCompiler", {}, {{"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
}

/// Prints the number of the compiler's process while that works, and waits to be killed.
QUERN_CHILD(buildWithoutEnd) {
  EndlessHeader header;
  std::thread printer([&] {
    header.waitForReader();
    std::printf("%d\n", compilerOf(getpid()));
    std::fflush(stdout);
  });
  tryBuild(EndlessHeader::source, header.options());
  printer.join();
  return 1;
}

TEST(CompilerProcess, EndsWithTheProgramAlsoAtWork) {
  Child program({"buildWithoutEnd", {}, {{"QUERN_CACHE", "off"}}});
  ASSERT_TRUE(program.waitForOutput("\n"));
  const pid_t compiler = compilerOf(program.pid());
  ASSERT_GT(compiler, 0);
  const int process = openProcess(compiler);
  kill(program.pid(), SIGKILL);
  EXPECT_TRUE(waitForEnd(process));
}

/// Relative include folders are those of the program, wherever it is when it builds.
QUERN_CHILD(changeFolders) {
  for (const char* value : {"1", "2"}) {
    TemporaryFolder folder;
    std::filesystem::create_directory(folder / "include");
    writeFile(folder / "include/value.h", std::string("#define VALUE ") + value + "\n");
    std::filesystem::current_path(folder.path());
    Buffer<cl_int> out(1);
    run(build("#include \"value.h\"\nkernel void k(global int* out) { *out = VALUE; }",
              "-I include"),
        "k", {{1}}, out);
    if (out.read() != std::vector<cl_int>{std::atoi(value)})
      return 1;
    std::filesystem::current_path("/");
  }
  return 0;
}

TEST(CompilerProcess, WorksInTheFolderOfTheProgram) {
  const ChildResult result = runChild({"changeFolders", {}, {{"QUERN_CACHE", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
}

QUERN_CHILD(buildByItself) {
  if (!kernelWorks())
    return 1;
  return compilerOf(getpid()) == 0 && contains(readFile("/proc/self/maps"), "libquern-compiler.so")
             ? 0
             : 2;
}

TEST(CompilerProcess, CanBeTurnedOff) {
  const ChildResult result =
      runChild({"buildByItself", {}, {{"QUERN_CACHE", "off"}, {"QUERN_COMPILER_PROCESS", "off"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
}

TEST(CompilerProcess, WhereItCannotBeStartedTheProgramCompiles) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(QUERN_COMPILER_LIBRARY, folder / "libquern-compiler.so");
  const ChildResult result = runChild({"buildByItself",
                                       {},
                                       {{"QUERN_CACHE", "off"},
                                        {"QUERN_LOG", "warning"},
                                        {"QUERN_COMPILER", folder / "libquern-compiler.so"}}});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_TRUE(contains(result.errors, "cannot be started: No such file or directory")) << result;
}

} // namespace
} // namespace quern::tests
