#include "process.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace tour {
namespace {

/// Starts the process with its output in the pipe; returns its id.
pid_t start(const std::vector<std::string>& command, int outputPipe[2]) {
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t process = fork();
  if (process < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (process == 0) {
    dup2(outputPipe[1], STDOUT_FILENO);
    dup2(outputPipe[1], STDERR_FILENO);
    close(outputPipe[0]);
    close(outputPipe[1]);
    execv(arguments[0], arguments.data());
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", arguments[0], std::strerror(errno));
    _exit(127);
  }
  return process;
}

std::string describe(int status) {
  if (WIFSIGNALED(status))
    return std::string("crashed: ") + strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) == 0
             ? ""
             : "ended with the exit code " + std::to_string(WEXITSTATUS(status));
}

} // namespace

Outcome runProcess(const std::vector<std::string>& command, double limitSeconds) {
  using Clock = std::chrono::steady_clock;
  int outputPipe[2];
  if (pipe(outputPipe) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  const Clock::time_point begin = Clock::now();
  const pid_t process = start(command, outputPipe);
  close(outputPipe[1]);

  Outcome outcome;
  bool timedOut = false;
  for (;;) { // until the process has closed its end of the pipe
    outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    pollfd ready{outputPipe[0], POLLIN, 0};
    const int wait =
        timedOut ? -1 : static_cast<int>(std::max(0.0, limitSeconds - outcome.seconds) * 1000);
    if (poll(&ready, 1, wait) == 0) {
      timedOut = true;
      kill(process, SIGKILL);
      continue;
    }
    char block[4096];
    const ssize_t length = read(outputPipe[0], block, sizeof block);
    if (length <= 0)
      break;
    outcome.output.append(block, static_cast<size_t>(length));
  }
  close(outputPipe[0]);
  int status = 0;
  waitpid(process, &status, 0);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  outcome.failure = timedOut
                        ? "did not end in " + std::to_string(static_cast<int>(limitSeconds)) + " s"
                        : describe(status);
  return outcome;
}

} // namespace tour
