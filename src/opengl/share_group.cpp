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

  explicit Thread(const ProgramContext& program) : program_(program) {}

  const ProgramContext& program() const { return program_; }
  const Functions& functions() const { return functions_; }
  /// On the thread itself.
  bool hasContext() const { return context_ != nullptr; }
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
    bool stops = false, hasStopped = false, hasContext = true;
  };
  using List = MutexProtected<std::vector<std::weak_ptr<Thread>>>;

  static List& all();
  static void leaveAll(void* display);
  void leave();

  Status open();
  void run();
  void destroyContext();
  std::deque<Work> takeWork();
  void ask(Awaited awaited);

  const ProgramContext program_;
  MutexProtected<State> state_;
  std::condition_variable_any changed_;
  Functions functions_;
  std::unique_ptr<SharedContext> context_;
  std::thread thread_;
  std::thread::id id_;
};

Result<std::shared_ptr<ShareGroup::Thread>>
ShareGroup::Thread::start(const ProgramContext& program) {
  auto thread = std::make_shared<Thread>(program);
  std::promise<Status> opened;
  std::future<Status> result = opened.get_future();
  const SignalsBlocked blocked;
  thread->thread_ = std::thread([thread, opened = std::move(opened)]() mutable {
    thread->id_ = std::this_thread::get_id();
    Status status = thread->open();
    const bool isOpen = status.ok();
    opened.set_value(std::move(status));
    if (isOpen)
      thread->run();
    thread->destroyContext();
  });
  Status status = result.get();
  if (!status.ok()) {
    thread->thread_.join();
    return status;
  }
  callBeforeClose(program, leaveAll);
  all().with([&](std::vector<std::weak_ptr<Thread>>& threads) {
    std::erase_if(threads, [](const std::weak_ptr<Thread>& other) { return other.expired(); });
    threads.push_back(thread);
  });
  return thread;
}

ShareGroup::Thread::List& ShareGroup::Thread::all() {
  static List& threads = []() -> List& {
    startedBy();
    std::atexit([] { leaveAll(nullptr); });
    return *new List();
  }();
  return threads;
}

/// When the process ends, OpenGL's libraries free what they have, after this: no thread may be in
/// them. Likewise when the program closes `display`: it has given up what uses it, and does not
/// know of a thread that is still at it. Not in the child of a fork(), where the threads do not
/// exist. `display` is null for all of them.
void ShareGroup::Thread::leaveAll(void* display) {
  if (getpid() != startedBy())
    return;
  const std::vector<std::weak_ptr<Thread>> threads = *all().lock();
  for (const std::weak_ptr<Thread>& other : threads)
    if (const std::shared_ptr<Thread> thread = other.lock();
        thread && !thread->isCalling() && (!display || thread->program().display == display))
      thread->leave();
  joinLeavingThread({});
}

/// Waits for all that was posted, and until the OpenGL context is destroyed: by who has stopped the
/// thread, or here. What is posted later finds no context; OpenGL's functions do nothing then.
void ShareGroup::Thread::leave() {
  auto state = state_.lock();
  if (!state->hasStopped)
    state->work.push_back([this](const Functions&) { destroyContext(); });
  changed_.notify_all();
  state.wait(changed_, [](const State& state) { return !state.hasContext; });
}

/// On the thread itself.
void ShareGroup::Thread::destroyContext() {
  context_.reset();
  state_.lock()->hasContext = false;
  changed_.notify_all();
}

Status ShareGroup::Thread::open() {
  QUERN_ASSIGN(context_, program_.api == ProgramContext::Api::Glx ? makeGlxContext(program_)
                                                                  : makeEglContext(program_));
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
  changed_.notify_all();
}

void ShareGroup::Thread::await(std::function<bool(const Functions&)> isSignaled, Work signaled) {
  state_.with(
      [&](State& state) { state.awaited.push_back({std::move(isSignaled), std::move(signaled)}); });
  changed_.notify_all();
}

void ShareGroup::Thread::stop() {
  state_.lock()->stops = true;
  changed_.notify_all();
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
    // What one keeps is given up before the next: see leave.
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
  return makeRef<ShareGroup>(std::move(thread));
}

ShareGroup::ShareGroup(std::shared_ptr<Thread> thread) : thread_(std::move(thread)) {}

ShareGroup::~ShareGroup() {
  thread_->stop();
}

const ProgramContext& ShareGroup::program() const {
  return thread_->program();
}

const Functions& ShareGroup::functions() const {
  return thread_->functions();
}

Status ShareGroup::checkObjects() const {
  if (thread_->hasContext())
    return {};
  return Status::error(CL_INVALID_GL_OBJECT,
                       "the program has closed the display with which its OpenGL objects went");
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
  const ProgramContext& own = program();
  if (!own.context)
    return false;
  return own.context ==
         (own.api == ProgramContext::Api::Glx ? currentGlxContext() : currentEglContext());
}

} // namespace quern::opengl
