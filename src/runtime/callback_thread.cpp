#include "runtime/callback_thread.h"

#include <system_error>
#include <thread>

#include <pthread.h>

#include "base/log.h"
#include "base/signals_blocked.h"

namespace quern::runtime {

namespace {

/// The callback thread object that the running thread belongs to, if any.
thread_local CallbackThread* ownThread = nullptr;

} // namespace

void CallbackThread::post(std::function<void()> callback) {
  const bool needsThread = state_.with([&](State& state) {
    state.callbacks.push_back(std::move(callback));
    if (state.active > 0)
      return false;
    state.active = 1;
    return true;
  });
  if (needsThread)
    startThread();
  else
    posted_.notify_one();
}

void CallbackThread::runOrPost(std::function<void()> callback) {
  if (DeferringScope::depth_ > 0)
    post(std::move(callback));
  else
    callback();
}

void CallbackThread::startThread() {
  try {
    const SignalsBlocked blocked;
    std::thread([this] { run(); }).detach();
  } catch (const std::system_error&) {
    // The callback stays queued; the next one posted tries again.
    state_.with([](State& state) { --state.active; });
    log::error("the callback thread could not be started");
  }
}

void CallbackThread::run() {
  ownThread = this;
  pthread_setname_np(pthread_self(), "quern-callback");
  for (;;) {
    std::function<void()> callback;
    {
      auto state = state_.lock();
      if (state->active > 1) {
        // Another thread took over while this one was blocked.
        --state->active;
        return;
      }
      state.wait(posted_, [](State& s) { return !s.callbacks.empty(); });
      callback = std::move(state->callbacks.front());
      state->callbacks.pop_front();
    }
    callback();
  }
}

CallbackThread::BlockingScope::BlockingScope() {
  if (!ownThread)
    return;
  const bool needsThread = ownThread->state_.with([](State& state) {
    --state.active;
    if (state.active > 0 || state.callbacks.empty())
      return false;
    state.active = 1;
    return true;
  });
  if (needsThread)
    ownThread->startThread();
}

CallbackThread::BlockingScope::~BlockingScope() {
  if (ownThread)
    ownThread->state_.with([](State& state) { ++state.active; });
}

} // namespace quern::runtime
