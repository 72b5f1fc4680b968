#include "devices/cuda/completion.h"

#include <algorithm>
#include <chrono>
#include <immintrin.h>
#include <sys/prctl.h>
#include <thread>

#include "base/signals_blocked.h"
#include "devices/cuda/stream.h"

namespace quern::cuda {

namespace {

using std::chrono::microseconds;

/// A thread that waits for a command looks this often, at full speed, before it leaves its
/// processor to others between looks.
constexpr unsigned eagerLooks = 40000;
/// Of its looks, one of so many lets the GPU write its progress after what has been submitted
/// meanwhile, and one asks the driver.
constexpr unsigned looksOfAMark = 32;
constexpr unsigned looksOfAQuestion = 4096;
constexpr microseconds helperPause{20};
/// The own thread's first and longest pause between looks. Each look may hold up a thread that
/// launches, as both need the driver's lock.
constexpr microseconds shortPause{50}, longPause{200};
/// So many looks in vain the thread stays awake: to wake it costs the thread that launches more
/// than the launch.
constexpr unsigned looksBeforeSleep = 50;

} // namespace

void Completion::watch(Stream& stream) {
  auto state = state_.lock();
  state->busy.emplace_back(&stream);
  busyCount_ = state->busy.size();
  if (!state->hasThread) {
    state->hasThread = true;
    const SignalsBlocked blocked;
    std::thread([this] { run(); }).detach();
  }
  if (state->isSleeping) {
    state->isSleeping = false;
    condition_.notify_one();
  }
}

bool Completion::help() {
  thread_local unsigned looks = 0;
  if (busyCount_.load() == 0) {
    looks = 0;
    return false;
  }
  noteHelp();
  const Await await = looks % looksOfAMark == 0 ? Await::Yes : Await::No;
  const bool isEager = ++looks < eagerLooks;
  if (deliver(await, isEager && looks % looksOfAQuestion ? Look::Memory : Look::Driver))
    looks = 0;
  else if (isEager)
    _mm_pause();
  else
    std::this_thread::sleep_for(helperPause);
  return true;
}

bool Completion::deliver(Await await, Look look) {
  // Kept from one call to the next for its memory alone. What has ended may lead here again.
  thread_local std::vector<Ref<Stream>> kept;
  std::vector<Ref<Stream>> streams = std::move(kept);
  streams = state_.lock()->busy;
  bool any = false;
  for (const Ref<Stream>& stream : streams) {
    const Look possible = await == Await::Yes ? stream->await() : Look::Memory;
    any |= stream->deliver(std::max(look, possible));
  }
  if (any || look == Look::Driver) {
    auto state = state_.lock();
    // One that gets a command after this look is put back by `watch`, which waits for the lock.
    std::erase_if(state->busy, [](const Ref<Stream>& stream) { return stream->leaveWhenIdle(); });
    busyCount_ = state->busy.size();
  }
  streams.clear();
  kept = std::move(streams);
  return any;
}

void Completion::run() {
  prctl(PR_SET_TIMERSLACK, 1); // or the short pause would be several times as long
  microseconds pause = shortPause;
  unsigned looksInVain = 0;
  uint64_t helpsBefore = 0;
  while (true) {
    if (busyCount_.load() == 0 && ++looksInVain > looksBeforeSleep) {
      auto state = state_.lock();
      state->isSleeping = state->busy.empty();
      state.wait(condition_, [](const State& now) { return !now.isSleeping; });
      pause = shortPause;
      looksInVain = 0;
    }
    std::this_thread::sleep_for(pause);
    // A thread that waits looks itself, and nobody should be in its way.
    if (const uint64_t helps = helps_.load(std::memory_order_relaxed); helps != helpsBefore) {
      helpsBefore = helps;
      looksInVain = 0;
      continue;
    }
    // Commands that nobody flushes must end, too, and not only when their queue gets many more.
    if (deliver(pause == longPause ? Await::Yes : Await::No, Look::Driver)) {
      pause = shortPause;
      looksInVain = 0;
    } else {
      pause = std::min(pause * 2, longPause);
    }
  }
}

} // namespace quern::cuda
