#include "compiler/isolated.h"

#include <csetjmp>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <stdexcept>

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>

namespace quern::compiler {
namespace {

constexpr size_t stackBytes = size_t{64} << 20;

struct Job {
  const std::function<void()>& work;
  std::string failure;
  std::jmp_buf end = {};
};

/// The one that this thread runs.
thread_local Job* currentJob = nullptr;

// LLVM exits the process after a fatal error unless its handler does not return. Its code is built
// without support for exceptions, and objects of ours that refer to what it left half done must not
// be destroyed either: a jump touches none of them, which costs memory and nothing else.
[[noreturn]] void endJob(void*, const char* reason, bool) {
  if (!currentJob)
    throw std::runtime_error(reason);
  currentJob->failure = std::string("internal compiler error: ") + reason;
  std::longjmp(currentJob->end, 1);
}

void* runJob(void* argument) {
  currentJob = static_cast<Job*>(argument);
  if (setjmp(currentJob->end) == 0) {
    try {
      currentJob->work();
    } catch (const std::exception& exception) {
      currentJob->failure = exception.what();
    }
  }
  currentJob = nullptr;
  return nullptr;
}

/// Copies that LLVM's register allocation tries to do without for one variable with more than a
/// hundred assignments: each try looks at all of these. With LLVM's own limit of 256 this was the
/// one thing whose time grew faster than the program, from a few thousand lines on.
void limitCoalescing() {
  constexpr unsigned mostTries = 16;
  if (llvm::cl::Option* limit =
          llvm::cl::getRegisteredOptions().lookup("large-interval-freq-threshold"))
    static_cast<llvm::cl::opt<unsigned>*>(limit)->setValue(mostTries);
}

} // namespace

std::string runIsolated(const std::function<void()>& work) {
  Job job{.work = work, .failure = {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, runJob, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    runJob(&job); // no memory for another stack: the caller's must do
  return job.failure;
}

void initializeLlvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmParser();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    llvm::install_fatal_error_handler(endJob);
    limitCoalescing();
  });
}

} // namespace quern::compiler
