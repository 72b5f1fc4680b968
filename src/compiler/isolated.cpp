#include "compiler/isolated.h"

#include <exception>
#include <mutex>
#include <pthread.h>
#include <stdexcept>

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>

namespace quern::compiler {
namespace {

constexpr size_t stackBytes = size_t{64} << 20;

// LLVM exits the process after a fatal error unless its handler does not return. Its code is built
// without support for exceptions, but with unwind tables: unwinding skips its destructors, which
// costs memory and nothing else.
[[noreturn]] void throwFatalError(void*, const char* reason, bool) {
  throw std::runtime_error(std::string("internal compiler error: ") + reason);
}

struct Job {
  const std::function<void()>& work;
  std::string failure;
};

void* runJob(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  try {
    job.work();
  } catch (const std::exception& exception) {
    job.failure = exception.what();
  }
  return nullptr;
}

} // namespace

std::string runIsolated(const std::function<void()>& work) {
  Job job{work, {}};
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
    llvm::install_fatal_error_handler(throwFatalError);
  });
}

} // namespace quern::compiler
