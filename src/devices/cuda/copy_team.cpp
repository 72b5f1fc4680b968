#include "devices/cuda/copy_team.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "base/signals_blocked.h"

namespace quern::cuda {

namespace {

/// With the thread that they help these copy as fast as the bus to a GPU carries.
constexpr unsigned mostHelpers = 3;

} // namespace

CopyTeam* CopyTeam::get() {
  static CopyTeam* const team = [] {
    const unsigned helpers = std::min(mostHelpers, std::thread::hardware_concurrency() / 2);
    return helpers > 0 ? new CopyTeam(helpers) : nullptr;
  }();
  // A child of fork() has none of the threads.
  static const pid_t process = getpid();
  return process == getpid() ? team : nullptr;
}

CopyTeam::CopyTeam(unsigned helpers) {
  const SignalsBlocked blocked;
  try {
    for (; helpers_ < helpers; ++helpers_)
      std::thread([this] { run(); }).detach();
  } catch (const std::system_error&) {
    // The process may have no more threads: those that there are will do.
  }
}

bool CopyTeam::start(std::function<void()> work) {
  {
    auto state = state_.lock();
    if (state->busy > 0)
      return false;
    state->work = std::move(work);
    state->busy = helpers_;
    ++state->works;
  }
  changed_.notify_all();
  return true;
}

void CopyTeam::join() {
  state_.lock().wait(changed_, [](const State& state) { return state.busy == 0; });
}

void CopyTeam::run() {
  uint64_t done = 0;
  while (true) {
    const std::function<void()>* work = nullptr;
    {
      auto state = state_.lock();
      state.wait(changed_, [&](const State& now) { return now.works != done; });
      done = state->works;
      // It stays as it is until all helpers have returned from it.
      work = &state->work;
    }
    (*work)();
    if (--state_.lock()->busy == 0)
      changed_.notify_all();
  }
}

} // namespace quern::cuda
