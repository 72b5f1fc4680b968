#include "opengl/share_group.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <future>
#include <thread>
#include <vector>

#include <unistd.h>

#include <CL/cl_gl.h>

#include "base/mutex_protected.h"
#include "base/sentence.h"
#include "base/signals_blocked.h"

namespace quern::opengl {

namespace {

/// The process that has started threads.
pid_t startedBy() {
  static const pid_t process = getpid();
  return process;
}

/// The thread that has stopped itself last: it destroys its OpenGL context, and ends.
MutexProtected<std::thread>& leavingThread() {
  static auto& thread = *new MutexProtected<std::thread>();
  return thread;
}

/// Waits for the end of the last such thread; `next` is the new one, or none.
void joinLeavingThread(std::thread next) {
  leavingThread().with([&](std::thread& thread) { std::swap(thread, next); });
  if (next.get_id() == std::this_thread::get_id())
    next.detach(); // it ends the process itself
  else if (next.joinable())
    next.join();
}

} // namespace

/// Kept by the share group and by the thread itself, which may be the one that drops the share
/// group.
class ShareGroup::Thread {
public:
  static Result<std::shared_ptr<Thread>> start(const ProgramContext& program);

  const Functions& functions() const { return functions_; }
  bool isCalling() const { return std::this_thread::get_id() == id_; }
  void post(Work work);
  void await(std::function<bool(const Functions&)> isSignaled, Work signaled);
  void stop();

private:
  struct Awaited {
    std::function<bool(const Functions&)> isSignaled;
    Work signaled;
  };
  struct State {
    std::deque<Work> work;
    std::vector<Awaited> awaited;
    bool stops = false, hasStopped = false;
  };
  using List = MutexProtected<std::vector<std::weak_ptr<Thread>>>;

  static List& all();
  static void finishAll();
  void finish();

  Status open(const ProgramContext& program);
  void run();
  std::deque<Work> takeWork();
  void ask(Awaited awaited);

  MutexProtected<State> state_;
  std::condition_variable_any changed_;
  Functions functions_;
  std::unique_ptr<SharedContext> context_;
  std::thread thread_;
  std::thread::id id_;
};

Result<std::shared_ptr<ShareGroup::Thread>>
ShareGroup::Thread::start(const ProgramContext& program) {
  auto thread = std::make_shared<Thread>();
  std::promise<Status> opened;
  std::future<Status> result = opened.get_future();
  const SignalsBlocked blocked;
  thread->thread_ = std::thread([thread, program, opened = std::move(opened)]() mutable {
    thread->id_ = std::this_thread::get_id();
    Status status = thread->open(program);
    const bool isOpen = status.ok();
    opened.set_value(std::move(status));
    if (isOpen)
      thread->run();
    thread->context_.reset();
  });
  Status status = result.get();
  if (!status.ok()) {
    thread->thread_.join();
    return status;
  }
  callBeforeClose(program, finishAll);
  all().with([&](std::vector<std::weak_ptr<Thread>>& threads) {
    std::erase_if(threads, [](const std::weak_ptr<Thread>& other) { return other.expired(); });
    threads.push_back(thread);
  });
  return thread;
}

ShareGroup::Thread::List& ShareGroup::Thread::all() {
  static List& threads = []() -> List& {
    startedBy();
    std::atexit(finishAll);
    return *new List();
  }();
  return threads;
}

/// When the process ends, OpenGL's libraries free what they have, after this: no thread may be in
/// them. Likewise when the program closes a display: it has given up what uses it, and does not
/// know of a thread that is still at it. Not in the child of a fork(), where the threads do not
/// exist.
void ShareGroup::Thread::finishAll() {
  if (getpid() != startedBy())
    return;
  const std::vector<std::weak_ptr<Thread>> threads = *all().lock();
  for (const std::weak_ptr<Thread>& other : threads)
    if (const std::shared_ptr<Thread> thread = other.lock(); thread && !thread->isCalling())
      thread->finish();
  joinLeavingThread({});
}

/// Waits for all that was posted.
void ShareGroup::Thread::finish() {
  std::promise<void> done;
  {
    auto state = state_.lock();
    if (state->hasStopped)
      return;
    state->work.push_back([&](const Functions&) { done.set_value(); });
  }
  changed_.notify_one();
  done.get_future().wait();
}

Status ShareGroup::Thread::open(const ProgramContext& program) {
  QUERN_ASSIGN(context_, program.api == ProgramContext::Api::Glx ? makeGlxContext(program)
                                                                 : makeEglContext(program));
  const char* missing = nullptr;
  functions_ = Functions::load(context_->getAddress(), missing);
  if (missing)
    return Status::error(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
                         sentence("the OpenGL context has no function ", missing));
  GLint major = 0, minor = 0;
  functions_.getIntegerv(GL_MAJOR_VERSION, &major);
  functions_.getIntegerv(GL_MINOR_VERSION, &minor);
  if (major < 3 || (major == 3 && minor < 2))
    return Status::error(
        CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
        sentence("OpenGL ", major, ".", minor, " is too old for sharing: it must be at least 3.2"));
  return {};
}

void ShareGroup::Thread::post(Work work) {
  state_.with([&](State& state) { state.work.push_back(std::move(work)); });
  changed_.notify_one();
}

void ShareGroup::Thread::await(std::function<bool(const Functions&)> isSignaled, Work signaled) {
  state_.with(
      [&](State& state) { state.awaited.push_back({std::move(isSignaled), std::move(signaled)}); });
  changed_.notify_one();
}

void ShareGroup::Thread::stop() {
  state_.lock()->stops = true;
  changed_.notify_one();
  if (isCalling())
    joinLeavingThread(std::move(thread_));
  else
    thread_.join();
}

void ShareGroup::Thread::run() {
  for (;;) {
    std::vector<Awaited> awaited;
    std::deque<Work> work;
    {
      auto state = state_.lock();
      state.wait(changed_, [](const State& state) {
        return state.stops || !state.work.empty() || !state.awaited.empty();
      });
      if (state->stops && state->work.empty()) {
        state->hasStopped = true;
        return;
      }
      work.swap(state->work);
      awaited.swap(state->awaited);
    }
    // What one keeps is given up before the next: see finishAll.
    for (; !work.empty(); work.pop_front())
      work.front()(functions_);
    for (Awaited& one : awaited)
      ask(std::move(one));
  }
}

void ShareGroup::Thread::ask(Awaited awaited) {
  if (awaited.isSignaled(functions_))
    awaited.signaled(functions_);
  else
    state_.lock()->awaited.push_back(std::move(awaited));
}

Result<Ref<ShareGroup>> ShareGroup::open(const ProgramContext& program) {
  QUERN_ASSIGN(std::shared_ptr<Thread> thread, Thread::start(program));
  return makeRef<ShareGroup>(program, std::move(thread));
}

ShareGroup::ShareGroup(const ProgramContext& program, std::shared_ptr<Thread> thread)
    : program_(program), thread_(std::move(thread)) {}

ShareGroup::~ShareGroup() {
  thread_->stop();
}

const Functions& ShareGroup::functions() const {
  return thread_->functions();
}

void ShareGroup::post(Work work) {
  thread_->post(std::move(work));
}

void ShareGroup::call(const Work& work) {
  if (thread_->isCalling())
    return work(thread_->functions());
  std::promise<void> done;
  thread_->post([&](const Functions& functions) {
    work(functions);
    done.set_value();
  });
  done.get_future().wait();
}

void ShareGroup::awaitSignal(std::function<bool(const Functions&)> isSignaled, Work signaled) {
  thread_->await(std::move(isSignaled), std::move(signaled));
}

bool ShareGroup::isCurrent() const {
  if (!program_.context)
    return false;
  return program_.context ==
         (program_.api == ProgramContext::Api::Glx ? currentGlxContext() : currentEglContext());
}

} // namespace quern::opengl
