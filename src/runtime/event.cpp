#include "runtime/event.h"

#include <sched.h>

#include "runtime/callback_thread.h"
#include "runtime/command_queue.h"
#include "runtime/context.h"
#include "runtime/process.h"

namespace quern::runtime {

Event::Event(Ref<CommandQueue> queue, Recorded recorded)
    : Execution(*queue, std::move(recorded)), Object(ObjectKind::Event),
      ownQueue_(std::move(queue)), context_(&ownQueue_->context()), type_(this->recorded()->type()),
      status_(CL_QUEUED) {}

Event::Event(Ref<Context> context, cl_command_type type)
    : Object(ObjectKind::Event), userContext_(std::move(context)), context_(userContext_.get()),
      type_(type), status_(CL_SUBMITTED) {}

Event::~Event() {
  // Nobody can complete a user event whose last handle is gone: what waits for it ends with an
  // error instead of never.
  if (!queue() && !hasEnded())
    releaseDependents(true);
}

Ref<Event> Event::createUserEvent(Context& context) {
  return makeRef<Event>(Ref<Context>(&context), CL_COMMAND_USER);
}

Ref<Event> Event::createLinked(Context& context, cl_command_type type) {
  return makeRef<Event>(Ref<Context>(&context), type);
}

void Event::flush() {
  if (queue() && !hasEnded())
    queue()->flush();
}

void Event::poll() {
  flush();
  if (!hasEnded())
    sched_yield();
}

cl_int Event::wait() {
  // Work that this thread can do itself needs no other to be woken; what is left after that does.
  if (queue()) {
    while (!hasEnded() && queue()->device().backend().help()) {
    }
    queue()->flush();
  }
  if (hasEnded())
    return status();
  const CallbackThread::BlockingScope scope;
  // Either the thread that ends the event sees the flag, or this one sees the end.
  isAwaited_.store(true);
  cl_int current = status_.load();
  while (current > CL_COMPLETE) {
    status_.wait(current, std::memory_order_acquire);
    current = status();
  }
  return current;
}

void Event::addCallback(cl_int trigger, CallbackFunction function, void* userData) {
  callbacks_.with([&](std::vector<Callback>& callbacks) {
    callbacks.push_back({trigger, function, userData});
  });
  // Either the thread that changes the status sees the flag, or this one sees the new status; both
  // may, and the lock decides who posts. Both orders are sequentially consistent for that.
  hasCallbacks_.store(true);
  postCallbacks();
}

void Event::postCallback(const Callback& callback, cl_int status) {
  Process::current().callbacks().post([event = Ref<Event>(this), callback, status] {
    callback.function(reinterpret_cast<cl_event>(event->header()), status, callback.userData);
  });
}

void Event::postCallbacks() {
  callbacks_.with([this](std::vector<Callback>& callbacks) {
    const cl_int reached = status_.load();
    for (const cl_int trigger : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
      for (const Callback& callback : callbacks)
        if (callback.trigger == trigger && trigger >= reached)
          postCallback(callback, reached < 0 ? reached : trigger);
    std::erase_if(callbacks, [reached](const Callback& c) { return c.trigger >= reached; });
  });
}

bool Event::setUserStatus(cl_int status) {
  const Ref<Event> keep(this);
  cl_int expected = CL_SUBMITTED;
  if (!status_.compare_exchange_strong(expected, status))
    return false;
  wakeWaiting();
  if (hasCallbacks_.load())
    postCallbacks();
  releaseDependents(status < 0);
  return true;
}

/// The standard library calls the kernel when a thread waits for anything at all whose address
/// happens to have the same hash, such as another event.
void Event::wakeWaiting() {
  if (isAwaited_.load())
    status_.notify_all();
}

void Event::reached(cl_int status) {
  status_.store(status);
  if (hasCallbacks_.load())
    postCallbacks();
  if (status > CL_COMPLETE)
    return;
  wakeWaiting();
  queue()->commandEnded(*this);
}

void Event::stopGrowing() {
  queue()->coalescer_.end(*this);
}

} // namespace quern::runtime
