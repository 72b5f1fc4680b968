#include "kernels/child_process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <ostream>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temporary_folder.h"

namespace quern::tests {

/// A child's number, in its environment and in that of the processes that it starts.
static constexpr const char* childVariable = "QUERN_TEST_CHILD";

static std::map<std::string, ChildMain>& children() {
  static std::map<std::string, ChildMain> table;
  return table;
}

ChildRegistration::ChildRegistration(const char* name, ChildMain body) {
  children()[name] = body;
}

ChildMain findChild(const std::string& name) {
  auto found = children().find(name);
  return found == children().end() ? nullptr : found->second;
}

std::ostream& operator<<(std::ostream& stream, const ChildResult& result) {
  stream << "exit status " << result.exitCode << ", signal " << result.signal
         << (result.timedOut ? ", timed out" : "");
  return stream << "\nstandard output:\n"
                << result.output << "\nstandard error:\n"
                << result.errors;
}

[[noreturn]] static void fail(const char* what) {
  throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

/// Appends what `fd` holds to `text`; false at its end.
static bool drain(int fd, std::string& text) {
  char block[4096];
  for (;;) {
    ssize_t count = read(fd, block, sizeof(block));
    if (count > 0)
      text.append(block, static_cast<size_t>(count));
    else if (count == 0)
      return false;
    else if (errno != EINTR)
      return errno == EAGAIN;
  }
}

Child::Child(const ChildRequest& request)
    : deadline_(std::chrono::steady_clock::now() + request.limit) {
  int output[2], errors[2];
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
    fail("pipe2");
  std::vector<const char*> words = {"/proc/self/exe", "--child", request.name.c_str()};
  for (const std::string& argument : request.arguments)
    words.push_back(argument.c_str());
  words.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0)
    fail("fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output[1], STDOUT_FILENO);
    dup2(errors[1], STDERR_FILENO);
    if (const char* options = std::getenv("ASAN_OPTIONS"); options && request.mayLeak)
      setenv("ASAN_OPTIONS", (std::string(options) + ":detect_leaks=0").c_str(), 1);
    setenv(childVariable, std::to_string(getpid()).c_str(), 1);
    for (const auto& [name, value] : request.environment)
      value == "-" ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    execv(words[0], const_cast<char* const*>(words.data()));
    _exit(127);
  }
  close(output[1]);
  close(errors[1]);
  outputFd_ = output[0];
  errorFd_ = errors[0];
  fcntl(outputFd_, F_SETFL, O_NONBLOCK);
  fcntl(errorFd_, F_SETFL, O_NONBLOCK);
  pidFd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (pidFd_ < 0)
    fail("pidfd_open");
}

Child::~Child() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (int fd : {outputFd_, errorFd_, pidFd_})
    if (fd >= 0)
      close(fd);
}

/// Waits for one event of the child. False when it has ended or the limit has passed. The pipes
/// alone do not tell the end: a grandchild may hold them open.
bool Child::pump() {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline_ - std::chrono::steady_clock::now());
  if (left.count() <= 0) {
    result_.timedOut = true;
    return false;
  }
  pollfd fds[3] = {{pidFd_, POLLIN, 0}, {outputFd_, POLLIN, 0}, {errorFd_, POLLIN, 0}};
  if (poll(fds, 3, static_cast<int>(left.count()) + 1) < 0 && errno != EINTR)
    fail("poll");
  for (auto [fd, text] : {std::pair{&outputFd_, &result_.output}, {&errorFd_, &result_.errors}})
    if (*fd >= 0 && !drain(*fd, *text))
      close(std::exchange(*fd, -1));
  return !(fds[0].revents & POLLIN);
}

bool Child::waitForOutput(const std::string& text) {
  while (result_.output.find(text) == std::string::npos)
    if (!pump())
      return result_.output.find(text) != std::string::npos;
  return true;
}

ChildResult Child::wait() {
  while (pump()) {
  }
  if (result_.timedOut)
    kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFEXITED(status))
    result_.exitCode = WEXITSTATUS(status);
  else if (WIFSIGNALED(status))
    result_.signal = WTERMSIG(status);
  return result_;
}

std::vector<std::pair<std::string, std::string>> leavingFaultsToTheProcess() {
  std::vector<std::pair<std::string, std::string>> environment;
  // A handler of faults runs in the place of a kernel's instruction, which no function of the C
  // library can be interrupted by. ThreadSanitizer takes it for one that comes at any time.
  for (const auto& [variable, leaving] :
       {std::pair("ASAN_OPTIONS", ":handle_segv=0"),
        std::pair("TSAN_OPTIONS", ":handle_segv=0:report_signal_unsafe=0")}) {
    const char* const options = std::getenv(variable);
    environment.emplace_back(variable, std::string(options ? options : "") + leaving);
  }
  return environment;
}

pid_t compilerOf(pid_t child) {
  using std::filesystem::path;
  const std::string variable = childVariable + ("=" + std::to_string(child)) + '\0';
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const path program = std::filesystem::read_symlink(entry.path() / "exe", error);
    if (!error && program.filename() == "quern-compiler-process" &&
        readFile(entry.path() / "environ").find(variable) != std::string::npos)
      return std::stoi(entry.path().filename());
  }
  return 0;
}

bool compilerIsLoaded() {
  if (readFile("/proc/self/maps").find("libquern-compiler") != std::string::npos)
    return true;
  const auto start = std::chrono::steady_clock::now();
  while (compilerOf(getpid()) != 0)
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(3))
      return true;
  return false;
}

} // namespace quern::tests
