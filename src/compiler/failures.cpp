#include "compiler/failures.h"

#include <new>
#include <string>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/PrettyStackTrace.h>
#include <llvm/Support/Signals.h>

namespace quern::compiler {
namespace {

FailureHandler failureHandler = nullptr;

/// For a handler that finds the process's own state damaged, and waits for itself.
constexpr unsigned secondsForReport = 10;

/// LLVM's list of what the calling thread is doing, which it can only write to standard error:
/// parsing or generating a function, running a pass on it.
std::string activity() {
  const int file = memfd_create("activity", MFD_CLOEXEC);
  if (file < 0)
    return {};
  const int before = dup(STDERR_FILENO);
  dup2(file, STDERR_FILENO);
  llvm::sys::RunSignalHandlers();
  if (before >= 0)
    dup2(before, STDERR_FILENO);
  constexpr size_t mostBytes = 4096;
  std::string text(mostBytes, '\0');
  const ssize_t bytes = pread(file, text.data(), text.size(), 0);
  text.resize(bytes > 0 ? static_cast<size_t>(bytes) : 0);
  text.erase(0, text.find('\n') + 1); // its headline
  return text;
}

/// Ends the process when the report takes long: what failed may hold a lock that it needs. The time
/// limit's own handler has its signal blocked.
void limitReport() {
  signal(SIGALRM, SIG_DFL);
  sigset_t time;
  sigemptyset(&time);
  sigaddset(&time, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &time, nullptr);
  alarm(secondsForReport);
}

[[noreturn]] void fail(Failure failure) {
  limitReport();
  const std::string doing = activity();
  failure.activity = doing;
  failureHandler(failure);
  _exit(1);
}

[[noreturn]] void failFatally(void*, const char* reason, bool) {
  fail({.kind = Failure::Kind::FatalError, .reason = reason});
}

[[noreturn]] void failWithoutMemory(void*, const char*, bool) {
  fail({.kind = Failure::Kind::OutOfMemory});
}

void failForSignal(int signal) {
  fail({.kind = Failure::Kind::Signal, .signal = signal});
}

/// Not the stack of the thread: that may be what has run out.
void useSignalStack() {
  constexpr size_t bytes = size_t{256} << 10;
  static std::byte memory[bytes];
  const stack_t stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = bytes};
  sigaltstack(&stack, nullptr);
}

} // namespace

void reportFailures(FailureHandler handler) {
  failureHandler = handler;
  llvm::setBugReportMsg("");
  llvm::EnablePrettyStackTrace();
  llvm::install_fatal_error_handler(failFatally);
  llvm::install_bad_alloc_error_handler(failWithoutMemory);
  std::set_new_handler([] { failWithoutMemory(nullptr, nullptr, false); });
  useSignalStack();
  struct sigaction action = {};
  action.sa_handler = failForSignal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM})
    sigaction(signal, &action, nullptr);
}

} // namespace quern::compiler
