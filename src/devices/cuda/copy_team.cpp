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
    std::lock_guard lock(mutex_);
    if (busy_ > 0)
      return false;
    work_ = std::move(work);
    busy_ = helpers_;
    ++works_;
  }
  changed_.notify_all();
  return true;
}

void CopyTeam::join() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return busy_ == 0; });
}

void CopyTeam::run() {
  uint64_t done = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return works_ != done; });
    done = works_;
    lock.unlock();
    work_();
    lock.lock();
    if (--busy_ == 0)
      changed_.notify_all();
  }
}

} // namespace quern::cuda
