#include "compiler/process/limits.h"

#include <algorithm>
#include <cstring>

#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/config.h"
#include "base/sentence.h"

namespace quern::compiler {
namespace {

constexpr uint64_t bytesPerMiB = uint64_t{1} << 20;

/// Half of the machine's.
uint64_t defaultMemoryMiB() {
  const auto pages = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2 / bytesPerMiB;
}

void setTimer(uint64_t seconds) {
  const itimerval value = {.it_interval = {}, .it_value = {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_REAL, &value, nullptr);
}

} // namespace

Limits::Limits()
    : memoryMiB_(config().number(Option::CompileMemory)),
      seconds_(config().number(Option::CompileTime)) {
  if (memoryMiB_ == 0)
    memoryMiB_ = defaultMemoryMiB();
}

void Limits::limitMemory() const {
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) // which reserve more
  rlimit limit = {};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, memoryMiB_ * bytesPerMiB);
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

void Limits::liftMemoryLimit() const {
  rlimit limit = {};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_DATA, &limit);
}

void Limits::beginRequest() const {
  setTimer(seconds_);
}

void Limits::endRequest() const {
  setTimer(0);
}

std::string Limits::sentenceOf(const Failure& failure) const {
  if (failure.kind == Failure::Kind::OutOfMemory)
    return sentence("the compiler needs more memory than it may have: the limit is ", memoryMiB_,
                    " MiB (QUERN_COMPILE_MEMORY)");
  if (failure.kind == Failure::Kind::FatalError)
    return sentence("internal compiler error: ", failure.reason);
  if (failure.signal == SIGALRM)
    return sentence("the compiler was stopped after ", seconds_,
                    " seconds, its limit (QUERN_COMPILE_TIME)");
  return sentence("internal compiler error: the compiler ended with signal ", failure.signal, " (",
                  strsignal(failure.signal), ")");
}

} // namespace quern::compiler
