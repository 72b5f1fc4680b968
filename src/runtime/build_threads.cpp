#include "runtime/build_threads.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include <pthread.h>
#include <unistd.h>

#include "base/signals_blocked.h"

namespace quern::runtime {

void BuildThreads::post(std::function<void()> build) {
  const bool needsThread = state_.with([&](State& state) {
    state.builds.push_back(std::move(build));
    const unsigned most = kind_.most ? kind_.most : std::thread::hardware_concurrency();
    if (state.threads >= std::max(1u, most))
      return false;
    ++state.threads;
    return true;
  });
  if (!needsThread)
    return;
  try {
    const SignalsBlocked blocked;
    std::thread([this] {
      pthread_setname_np(pthread_self(), kind_.name);
      // Of this thread alone, on Linux. Without it the thread competes as others do.
      if (kind_.niceness != 0)
        static_cast<void>(nice(kind_.niceness));
      run();
    }).detach();
  } catch (const std::system_error&) {
    run();
  }
}

void BuildThreads::run() {
  for (;;) {
    std::function<void()> build;
    const bool found = state_.with([&](State& state) {
      if (state.builds.empty()) {
        --state.threads;
        return false;
      }
      build = std::move(state.builds.front());
      state.builds.pop_front();
      return true;
    });
    if (!found)
      return;
    build();
  }
}

} // namespace quern::runtime
