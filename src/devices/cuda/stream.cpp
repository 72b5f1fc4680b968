#include "devices/cuda/stream.h"

#include <algorithm>

#include "base/log.h"
#include "base/sentence.h"
#include "devices/cuda/completion.h"
#include "devices/cuda/executable.h"
#include "devices/cuda/transfer.h"

namespace quern::cuda {

namespace {

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
  if (!unused_.empty()) {
    const EventHandle event = unused_.back();
    unused_.pop_back();
    return event;
  }
  EventHandle event = nullptr;
  engine_.gpu->api.eventCreate(&event, profiling_ ? eventDefault : eventDisableTiming);
  return event;
}

void Stream::submit(device::Command& command) {
  const Ref<Stream> keep(this); // the command may end, and release this queue, at any time
  {
    const CurrentContext current(*engine_.gpu);
    std::lock_guard lock(mutex_);
    Submitted submitted = {.command = &command, .time = now()};
    const DriverApi& api = engine_.gpu->api;
    if (profiling_) {
      submitted.start = takeEvent();
      api.eventRecord(submitted.start, handle_);
    }
    submitted.error = enqueue(command.work, submitted);
    submitted.end = takeEvent();
    if (const Error error = api.eventRecord(submitted.end, handle_);
        submitted.error == Error::Success)
      submitted.error = error;
    underWay_.push_back(submitted);
  }
  engine_.completion->watch(*this);
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
  bool any = false;
  while (true) {
    Submitted first;
    Error ended;
    {
      std::lock_guard lock(mutex_);
      if (delivering_ || underWay_.empty())
        return any;
      ended = engine_.gpu->api.eventQuery(underWay_.front().end);
      // The process is ending, and the driver is gone.
      if (ended == Error::NotReady || ended == Error::Deinitialized)
        return any;
      first = underWay_.front();
      underWay_.pop_front();
      delivering_ = true;
    }
    finish(first, ended);
    any = true;
    std::lock_guard lock(mutex_);
    delivering_ = false;
    if (first.start)
      unused_.push_back(first.start);
    unused_.push_back(first.end);
  }
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

bool Stream::isIdle() {
  std::lock_guard lock(mutex_);
  return underWay_.empty() && !delivering_;
}

} // namespace quern::cuda
