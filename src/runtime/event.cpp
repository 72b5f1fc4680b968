#include "runtime/event.h"

#include <cassert>

#include "runtime/block_pool.h"
#include "runtime/callback_thread.h"
#include "runtime/command_queue.h"
#include "runtime/context.h"
#include "runtime/memory.h"
#include "runtime/process.h"

namespace quern::runtime {

Event::Event(Ref<CommandQueue> queue, cl_command_type type)
    : Object(ObjectKind::Event), queue_(std::move(queue)), context_(&queue_->context()),
      type_(type), status_(CL_QUEUED), followersWait_(queue_->deviceQueue_->keepsOrder()) {}

Event::Event(Ref<Context> context)
    : Object(ObjectKind::Event), context_(context.get()), userContext_(std::move(context)),
      type_(CL_COMMAND_USER), status_(CL_SUBMITTED) {}

Event::~Event() {
  // Nobody can complete a user event whose last handle is gone: what waits for it ends with an
  // error instead of never.
  if (isUserEvent() && !hasEnded())
    releaseDependents(true);
}

Ref<Event> Event::createUserEvent(Context& context) {
  return makeRef<Event>(Ref<Context>(&context));
}

namespace {

constexpr size_t keptEvents = 4096;
using EventPool = BlockPool<sizeof(Event), keptEvents>;

/// Never destroyed: events may end while static destructors run.
std::atomic<EventPool*> currentPool{nullptr};

EventPool& eventPool() {
  EventPool* pool = currentPool.load(std::memory_order_acquire);
  if (pool) [[likely]]
    return *pool;
  auto* made = new EventPool();
  if (currentPool.compare_exchange_strong(pool, made, std::memory_order_acq_rel))
    return *made;
  delete made;
  return *pool;
}

} // namespace

void* Event::operator new([[maybe_unused]] size_t bytes) {
  assert(bytes == sizeof(Event));
  return eventPool().take();
}

void Event::operator delete(void* memory) {
  eventPool().giveBack(memory);
}

void Event::abandonPool() {
  currentPool.store(nullptr, std::memory_order_relaxed);
}

void Event::flush() {
  if (queue_ && !hasEnded())
    queue_->flush();
}

cl_int Event::wait() {
  // Work that this thread can do itself needs no other to be woken; what is left after that does.
  if (queue_) {
    while (!hasEnded() && queue_->device().backend().help()) {
    }
    queue_->flush();
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

void Event::reach(cl_int status) {
  status_.store(status);
  if (hasCallbacks_.load())
    postCallbacks();
}

void Event::use(MemoryObject& memory, Access access) {
  use(static_cast<RefCounted&>(memory));
  Storage& storage = *memory.storage();
  if (storage.isInOnePlace())
    return;
  const bool isMap = type_ == CL_COMMAND_MAP_BUFFER || type_ == CL_COMMAND_MAP_IMAGE ||
                     type_ == CL_COMMAND_UNMAP_MEM_OBJECT;
  needs_.push_back({&storage, storage.copyFor(queue_->device(), isMap), access});
}

void Event::ready(bool failed, Path path) {
  if (failed)
    end(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  else if (bringMemory())
    run(path);
}

bool Event::bringMemory() {
  while (broughtNeeds_ < needs_.size()) {
    const Need& need = needs_[broughtNeeds_];
    if (!need.storage->bring(need.copy, need.access, *this))
      return false;
    ++broughtNeeds_;
  }
  return true;
}

void Event::memoryArrived(cl_int status) {
  if (status < 0)
    end(status);
  else if (bringMemory())
    run(Path::Completion);
}

void Event::run(Path path) {
  const bool profiling = queue_->hasProfiling();
  if (profiling)
    times_.submitted = queue_->device().backend().timestamp();
  reach(CL_SUBMITTED);
  if (hostWork.function) {
    if (hostWork.callsProgram)
      Process::current().callbacks().post([this] { runHostWork(); });
    else
      runHostWork();
    return;
  }
  const bool keepsOrder = queue_->deviceQueue_->keepsOrder();
  // The device must see what has a place in its order.
  if (!keepsOrder && std::holds_alternative<device::Nothing>(work)) {
    const uint64_t now = profiling ? queue_->device().backend().timestamp() : 0;
    started(now);
    finished(CL_COMPLETE, now);
    return;
  }
  // After `submit` this event may be gone, and its queue.
  const Ref<Event> keep(keepsOrder ? this : nullptr);
  const Ref<device::Queue> queue(path == Path::Enqueue ? nullptr : queue_->deviceQueue_.get());
  followersWait_ = false;
  queue_->deviceQueue_->submit(*this);
  if (keepsOrder) {
    queue_->commandSubmitted();
    releaseFollowers(false);
  }
  // The program may have flushed long ago, when this was still waiting.
  if (queue)
    queue->flush();
}

void Event::runHostWork() {
  const device::Device& clock = queue_->device().backend();
  started(clock.timestamp());
  hostWork.function();
  finished(CL_COMPLETE, clock.timestamp());
}

void Event::started(uint64_t time) {
  times_.started = time;
  reach(CL_RUNNING);
}

void Event::finished(cl_int status, uint64_t time) {
  times_.ended = time;
  end(status);
}

void Event::end(cl_int status) {
  const CallbackThread::DeferringScope scope;
  if (row_)
    queue_->endRow(*this);
  // Before the status changes: a program that has seen the end finds its memory returned.
  work.emplace<device::Nothing>();
  hostWork = {};
  uses_.clear();
  reach(status);
  wakeWaiting();
  queue_->commandEnded(*this);
  if (followersWait_) {
    queue_->commandSubmitted();
    releaseFollowers(status < 0);
  }
  releaseDependents(status < 0);
  // The reference that CommandQueue::enqueue took.
  dropRef();
}

} // namespace quern::runtime
