#include "devices/cuda/stream.h"

#include <algorithm>

#include "base/log.h"
#include "base/sentence.h"
#include "devices/cuda/completion.h"
#include "devices/cuda/executable.h"
#include "devices/cuda/transfer.h"

namespace quern::cuda {

namespace {

/// After so many commands the GPU is asked to tell how far it is, without waiting for a flush.
constexpr uint32_t commandsOfAnEvent = 32;

cl_int statusOf(Error error) {
  switch (error) {
  case Error::Success:
    return CL_COMPLETE;
  case Error::OutOfMemory:
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  default:
    return CL_OUT_OF_RESOURCES;
  }
}

} // namespace

Engine::Engine(std::shared_ptr<Gpu> gpuGiven)
    : gpu(std::move(gpuGiven)), clock(*gpu), printBuffers(*gpu), images(gpu),
      completion(std::make_unique<Completion>(*gpu)) {}

Engine::~Engine() = default;

Result<Ref<device::Queue>> Stream::create(Engine& engine, const device::QueueRequest& request) {
  const CurrentContext current(*engine.gpu);
  const DriverApi& api = engine.gpu->api;
  int least = 0, greatest = 0;
  api.ctxGetStreamPriorityRange(&least, &greatest);
  const int priority = request.priority == CL_QUEUE_PRIORITY_HIGH_KHR  ? greatest
                       : request.priority == CL_QUEUE_PRIORITY_LOW_KHR ? least
                                                                       : (least + greatest) / 2;
  StreamHandle handle = nullptr;
  QUERN_TRY(engine.gpu->check(api.streamCreateWithPriority(&handle, streamNonBlocking, priority),
                              "the GPU's driver cannot make another stream", CL_OUT_OF_RESOURCES));
  return Ref<device::Queue>(makeRef<Stream>(engine, handle, request.profiling));
}

Stream::~Stream() {
  const CurrentContext current(*engine_.gpu);
  for (EventHandle event : unused_)
    engine_.gpu->api.eventDestroy(event);
  engine_.gpu->api.streamDestroy(handle_);
}

EventHandle Stream::takeEvent() {
  {
    std::lock_guard lock(mutex_);
    if (!unused_.empty()) {
      const EventHandle event = unused_.back();
      unused_.pop_back();
      return event;
    }
  }
  EventHandle event = nullptr;
  engine_.gpu->api.eventCreate(&event, profiling_ ? eventDefault : eventDisableTiming);
  return event;
}

void Stream::submit(device::Command& command) {
  const Ref<Stream> keep(this); // the command may end, and release this queue, at any time
  {
    const CurrentContext current(*engine_.gpu);
    std::lock_guard submitLock(submitMutex_);
    if (isAwaited_.load(std::memory_order_relaxed) && isAwaited_.exchange(false))
      markLast();
    Submitted submitted = {.command = &command, .time = now()};
    if (profiling_) {
      submitted.start = takeEvent();
      engine_.gpu->api.eventRecord(submitted.start, handle_);
    }
    submitted.error = enqueue(command.work, submitted);
    if (profiling_ || ++unmarked_ >= commandsOfAnEvent)
      markEnd(submitted);
    std::lock_guard lock(mutex_);
    underWay_.push_back(submitted);
  }
  if (!isWatched_.exchange(true))
    engine_.completion->watch(*this);
}

/// While nothing has been submitted after it, the last command's event comes right behind it.
void Stream::markLast() {
  Submitted last;
  {
    std::lock_guard lock(mutex_);
    if (underWay_.empty() || underWay_.back().end)
      return;
    last = underWay_.back();
  }
  markEnd(last);
  std::lock_guard lock(mutex_);
  if (!underWay_.empty())
    underWay_.back().end = last.end;
  else
    unused_.push_back(last.end);
}

void Stream::markEnd(Submitted& submitted) {
  unmarked_ = 0;
  submitted.end = takeEvent();
  if (const Error error = engine_.gpu->api.eventRecord(submitted.end, handle_);
      submitted.error == Error::Success)
    submitted.error = error;
}

Error Stream::enqueue(const device::Work& work, Submitted& submitted) {
  if (const auto* launch = std::get_if<device::LaunchKernel>(&work)) {
    const auto& executable = static_cast<const Executable&>(*launch->executable);
    if (executable.prints(launch->kernel)) {
      submitted.printBuffer = engine_.printBuffers.take(handle_);
      if (submitted.printBuffer == 0)
        return Error::OutOfMemory;
    }
    return executable.enqueue(*launch, handle_, submitted.printBuffer);
  }
  const Gpu& gpu = *engine_.gpu;
  if (const auto* copy = std::get_if<device::Copy>(&work))
    return cuda::enqueue(gpu, handle_, *copy);
  if (const auto* rect = std::get_if<device::CopyRect>(&work))
    return cuda::enqueue(gpu, handle_, *rect);
  if (const auto* fill = std::get_if<device::Fill>(&work))
    return cuda::enqueue(gpu, handle_, *fill);
  if (const auto* box = std::get_if<device::FillRect>(&work))
    return cuda::enqueue(gpu, handle_, *box);
  return Error::Success;
}

bool Stream::deliver() {
  if (isDelivering_.exchange(true))
    return false;
  bool any = false;
  while (true) {
    Error ended = Error::Success;
    std::vector<Submitted> commands = takeEnded(ended);
    if (commands.empty())
      break;
    any = true;
    for (Submitted& submitted : commands)
      finish(submitted, ended);
    std::lock_guard lock(mutex_);
    for (const Submitted& submitted : commands)
      for (const EventHandle event : {submitted.start, submitted.end})
        if (event)
          unused_.push_back(event);
  }
  isDelivering_ = false;
  return any;
}

/// All commands, when the stream is idle; else those up to the first event, when that has been
/// passed. To ask for the stream costs the GPU nothing, unlike an event behind every command.
std::vector<Stream::Submitted> Stream::takeEnded(Error& ended) {
  size_t count = 0, marked = 0;
  EventHandle event = nullptr;
  {
    std::lock_guard lock(mutex_);
    count = underWay_.size();
    if (count == 0)
      return {};
    const auto first =
        std::ranges::find_if(underWay_, [](const Submitted& submitted) { return submitted.end; });
    if (first != underWay_.end()) {
      event = first->end;
      marked = static_cast<size_t>(first - underWay_.begin()) + 1;
    }
  }
  // Before an event has been passed the stream is not idle.
  if (event && marked < count) {
    ended = engine_.gpu->api.eventQuery(event);
    count = marked;
  } else {
    ended = engine_.gpu->api.streamQuery(handle_);
  }
  // With the second, the process is ending, and the driver is gone.
  if (ended == Error::NotReady || ended == Error::Deinitialized)
    return {};
  std::lock_guard lock(mutex_);
  const auto end = underWay_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Submitted> commands(underWay_.begin(), end);
  underWay_.erase(underWay_.begin(), end);
  return commands;
}

void Stream::finish(Submitted& submitted, Error ended) {
  const Error error = submitted.error != Error::Success ? submitted.error : ended;
  if (error != Error::Success)
    log::error(
        engine_.gpu->check(error, "a command on the GPU failed", CL_OUT_OF_RESOURCES).sentence());
  if (submitted.printBuffer != 0)
    engine_.printBuffers.print(submitted.printBuffer);
  uint64_t start = submitted.time, end = now();
  if (profiling_ && error == Error::Success) {
    start = std::max(start, std::min(engine_.clock.timeOf(submitted.start), end));
    end = std::max(start, std::min(engine_.clock.timeOf(submitted.end), end));
  }
  submitted.command->started(start);
  submitted.command->finished(statusOf(error), end);
}

bool Stream::leaveWhenIdle() {
  if (!isIdle())
    return false;
  isWatched_ = false;
  // A command that came in between saw that the stream was watched still.
  return isIdle() || isWatched_.exchange(true);
}

bool Stream::isIdle() {
  std::lock_guard lock(mutex_);
  return underWay_.empty() && !isDelivering_;
}

} // namespace quern::cuda
