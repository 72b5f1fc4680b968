#pragma once

#include <signal.h>

namespace quern {

/// Blocks all signals for the calling thread while it lives. Threads started meanwhile begin with
/// all signals blocked: the program's signal handlers must not run on threads that it does not
/// know.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
  sigset_t previous_;
};

} // namespace quern
