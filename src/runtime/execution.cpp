#include "runtime/execution.h"

#include <algorithm>

#include "runtime/callback_thread.h"
#include "runtime/child_launches.h"
#include "runtime/command_queue.h"
#include "runtime/command_trace.h"
#include "runtime/device_enqueue.h"
#include "runtime/process.h"

namespace quern::runtime {

Execution::Execution(CommandQueue& queue, Recorded recorded)
    : queue_(&queue), recorded_(std::move(recorded)), awaitsPlace_(queue.deviceQueue().keepsOrder),
      mayHaveChildren_(recorded_->enqueuer != nullptr), tellsTimes_(recorded_->childEvent != 0) {
  work = &recorded_->work;
}

Execution::Execution() = default;
Execution::~Execution() = default;

bool Execution::isTimed() const {
  return traceNumber_ != 0 || queue_->hasProfiling();
}

void Execution::ready(bool failed, Path path) {
  if (failed)
    end(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  else if (bringMemory())
    run(path);
}

bool Execution::bringMemory() {
  return bringBytes() && (!mayHaveChildren_ || bringRecords());
}

bool Execution::bringBytes() {
  if (!recorded_->mayNeedBytes())
    return true;
  const CommandUses& uses = recorded_->uses();
  for (; broughtUses_ < uses.size(); ++broughtUses_) {
    const CommandUse& use = uses[broughtUses_];
    if (use.storage && !use.storage->bring(use.copy, use.access, use.bytes, *this))
      return false;
  }
  return true;
}

bool Execution::bringRecords() {
  auto children = ChildLaunches::prepare(queue_->context().deviceEnqueue(), queue_->device(),
                                         *recorded_->enqueuer, recorded_->work, *this);
  if (!children.ok()) {
    end(children.status().code());
    return false;
  }
  if (!*children)
    return false;
  children_ = std::move(*children);
  work = &children_->work();
  return true;
}

void Execution::memoryArrived(cl_int status) {
  if (status < 0)
    end(status);
  else if (bringMemory())
    run(Path::Completion);
}

void Execution::run(Path path) {
  const bool isTimed = this->isTimed();
  // What goes on at once, in the call that enqueues it, has been submitted as soon as queued.
  if (isTimed)
    times_.submitted =
        path == Path::Enqueue ? times_.queued : queue_->device().backend().timestamp();
  reached(CL_SUBMITTED);
  if (const HostWork* const host = recorded_->hostWork.get()) {
    if (host->begin)
      beginHostWork();
    else if (host->post)
      host->post([this] { runHostWork(); });
    else
      runHostWork();
    return;
  }
  // A device that keeps the order must see what has a place in it.
  if (!queue_->deviceQueue().keepsOrder && std::holds_alternative<device::Nothing>(*work)) {
    const uint64_t now = isTimed ? queue_->device().backend().timestamp() : 0;
    started(now);
    finished(CL_COMPLETE, now);
    return;
  }
  submit(path);
}

void Execution::submit(Path path) {
  device::Queue& deviceQueue = queue_->deviceQueue();
  // After `submit` this may be gone, and its queue.
  const Ref<device::Queue> queue(path == Path::Enqueue ? nullptr : &deviceQueue);
  if (awaitsPlace_) {
    awaitsPlace_ = false;
    keep();
    deviceQueue.submit(*this);
    releaseFollowers(false);
    release();
  } else {
    deviceQueue.submit(*this);
  }
  // The program may have flushed long ago, when this was still waiting.
  if (queue)
    queue->flush();
}

void Execution::runHostWork() {
  const device::Device& clock = queue_->device().backend();
  started(clock.timestamp());
  const cl_int status = recorded_->hostWork->function();
  finished(status, clock.timestamp());
}

void Execution::beginHostWork() {
  const device::Device& clock = queue_->device().backend();
  started(clock.timestamp());
  // The command, with the function that runs, may be gone before that returns.
  const Recorded keep = recorded_;
  keep->hostWork->begin([this, &clock](cl_int status) { finished(status, clock.timestamp()); });
}

void Execution::started(uint64_t time) {
  // A device that runs commands in a row may have looked at its clock before this one came.
  times_.started = std::max(time, times_.submitted);
  reached(CL_RUNNING);
}

void Execution::finished(cl_int status, uint64_t time) {
  times_.ended = times_.completed = time;
  if (children_ && status == CL_COMPLETE && children_->begin(*this))
    return;
  children_.reset();
  end(status);
}

void Execution::childrenEnded(cl_int status) {
  if (isTimed())
    times_.completed = queue_->device().backend().timestamp();
  end(status);
}

void Execution::end(cl_int status) {
  const CallbackThread::DeferringScope scope;
  if (mayGrow)
    stopGrowing();
  if (const uint64_t event = recorded_->childEvent; event != 0 && status >= 0)
    queue_->context().deviceEnqueue().memory().tellTimes(queue_->device(), event, times_);
  if (traceNumber_ != 0)
    traceEnded(traceNumber_, times_, status, isGrown_);
  // Before the status changes: a program that has seen the end finds its memory returned.
  recorded_.reset();
  reached(status);
  if (awaitsPlace_)
    releaseFollowers(status < 0);
  releaseDependents(status < 0);
  release();
}

} // namespace quern::runtime
