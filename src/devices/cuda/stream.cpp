#include "devices/cuda/stream.h"

#include <algorithm>

#include "base/log.h"
#include "base/sentence.h"
#include "devices/cuda/completion.h"
#include "devices/cuda/executable.h"
#include "devices/cuda/external.h"
#include "devices/cuda/graph.h"
#include "devices/cuda/nvtx.h"
#include "devices/cuda/transfer.h"

namespace quern::cuda {

namespace {

/// After so many commands the GPU tells how far it is, without anybody waiting for it.
constexpr uint32_t commandsOfAMark = 32;
/// More would all end late.
constexpr uint32_t mostAppended = commandsOfAMark - 1;

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

/// For NVIDIA's tools; null for what is not worth a range.
const char* nameOf(const device::Work& work) {
  if (const auto* launch = std::get_if<device::LaunchKernel>(&work))
    return static_cast<const Executable&>(*launch->executable).name(launch->kernel).c_str();
  if (std::holds_alternative<device::Nothing>(work))
    return nullptr;
  return std::holds_alternative<device::RunGraph>(work) ? "command buffer" : "transfer";
}

} // namespace

Engine::Engine(std::shared_ptr<Gpu> gpuGiven)
    : gpu(std::move(gpuGiven)), memory(*gpu), clock(*gpu), printBuffers(*gpu), progress(*gpu),
      images(memory.device), stagingBlocks(*gpu), largeTransfers(*gpu, progress),
      completion(std::make_unique<Completion>()) {}

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
  Progress* progress = engine.progress.take();
  if (!progress) {
    api.streamDestroy(handle);
    return Status::error(CL_OUT_OF_RESOURCES, "the GPU's driver has no pinned memory for a queue");
  }
  return Ref<device::Queue>(makeRef<Stream>(engine, handle, progress, request.profiling));
}

Stream::~Stream() {
  const CurrentContext current(*engine_.gpu);
  for (EventHandle event : commands_.lock()->unusedEvents)
    engine_.gpu->api.eventDestroy(event);
  // The last command may have been found to have ended before the GPU has written so.
  if (progress_->load(std::memory_order_relaxed) != marked_)
    engine_.gpu->api.streamSynchronize(handle_);
  engine_.gpu->api.streamDestroy(handle_);
  engine_.progress.giveBack(progress_);
}

EventHandle Stream::takeEvent() {
  {
    auto commands = commands_.lock();
    if (!commands->unusedEvents.empty()) {
      const EventHandle event = commands->unusedEvents.back();
      commands->unusedEvents.pop_back();
      return event;
    }
  }
  EventHandle event = nullptr;
  engine_.gpu->api.eventCreate(&event, eventDefault);
  return event;
}

EventHandle Stream::recordEvent() {
  const EventHandle event = takeEvent();
  engine_.gpu->api.eventRecord(event, handle_);
  return event;
}

void Stream::submit(device::Command& command) {
  const Ref<Stream> keep(this); // the command may end, and release this queue, at any time
  {
    const CurrentContext current(*engine_.gpu);
    auto submission = submission_.lock();
    markWhatIsAwaited(*submission);
    Submitted submitted = {.command = &command, .number = submission->next(*this)};
    if (profiling_) {
      submitted.time = now();
      submitted.start = recordEvent();
    }
    submitted.error = enqueue(*command.work, submitted);
    if (profiling_)
      submitted.end = recordEvent();
    commands_.lock()->underWay.push_back(submitted);
    last_.store(submitted.number, std::memory_order_release);
    markEveryFew(*submission);
  }
  if (!isWatched_.exchange(true))
    engine_.completion->watch(*this);
}

/// What a command needs besides its work belongs to its number when it was submitted.
bool Stream::canAppend(const device::Work& work) const {
  const auto* launch = std::get_if<device::LaunchKernel>(&work);
  const auto* copy = std::get_if<device::Copy>(&work);
  if (const auto* run = std::get_if<device::RunGraph>(&work)) {
    const auto& graph = static_cast<const Graph&>(*run->graph);
    return !profiling_ && graph.isWhole() && graph.hostTransfers().empty();
  }
  return !profiling_ && !(copy && (copy->source.host || copy->destination.host)) &&
         !(launch && static_cast<const Executable&>(*launch->executable).prints(launch->kernel));
}

bool Stream::append(device::Command& command, const device::Work& work) {
  if (!canAppend(work))
    return false;
  const CurrentContext current(*engine_.gpu);
  auto submission = submission_.lock();
  const uint32_t number = submission->next(*this);
  {
    // From now on the command has not ended before `last_` is the new number and the GPU is there.
    auto commands = commands_.lock();
    if (commands->underWay.empty())
      return false;
    Submitted& latest = commands->underWay.back();
    if (latest.command != &command || latest.number != last_ || !latest.printBuffers.empty() ||
        latest.appended == mostAppended)
      return false;
    latest.number = number;
    ++latest.appended;
  }
  markWhatIsAwaited(*submission);
  Submitted added;
  if (const Error error = enqueue(work, added); error != Error::Success)
    commands_.lock()->underWay.back().error = error;
  last_.store(number, std::memory_order_release);
  markEveryFew(*submission);
  return true;
}

void Stream::markWhatIsAwaited(Submission& submission) {
  if (isAwaited_.load(std::memory_order_relaxed) && isAwaited_.exchange(false))
    mark(submission);
}

void Stream::markEveryFew(Submission& submission) {
  if (last_ - marked_ >= commandsOfAMark)
    mark(submission);
}

/// The GPU writes the number of the last command, unless it will anyway.
void Stream::mark(Submission&) {
  const uint32_t number = last_;
  if (number == marked_ || !canMark_)
    return;
  canMark_ = engine_.gpu->api.streamWriteValue32(handle_, reinterpret_cast<Address>(progress_),
                                                 number, writeAfterAllBefore) == Error::Success;
  if (canMark_)
    marked_.store(number, std::memory_order_release);
}

Look Stream::await() {
  if (marked_ != last_ && canMark_) {
    const CurrentContext current(*engine_.gpu);
    auto submission = submission_.lock();
    mark(*submission);
  }
  return canMark_ ? Look::Memory : Look::Driver;
}

/// The thread that enqueues has the memory of the commands in its cache.
void Stream::tend() {
  engine_.completion->noteHelp();
  if (progress_->load(std::memory_order_relaxed) == delivered_.load(std::memory_order_relaxed))
    return;
  const Ref<Stream> keep(this);
  deliver(Look::Memory);
}

/// In whole, or one piece after the other.
Error Stream::enqueueGraph(const Graph& graph, Submitted& submitted) {
  if (graph.isWhole())
    for (const device::Work* transfer : graph.hostTransfers())
      if (const Error error = bringWhatIsMissed(*transfer); error != Error::Success)
        return error;
  if (const auto error = graph.launch(handle_))
    return *error;
  for (size_t node = 0; node < graph.size(); ++node)
    if (const Error error = enqueue(graph.work(node), submitted); error != Error::Success)
      return error;
  return Error::Success;
}

Error Stream::enqueue(const device::Work& work, Submitted& submitted) {
  const NvtxRange range(nvtxIsOn() ? nameOf(work) : nullptr);
  if (const auto* run = std::get_if<device::RunGraph>(&work))
    return enqueueGraph(static_cast<const Graph&>(*run->graph), submitted);
  if (const auto* launch = std::get_if<device::LaunchKernel>(&work)) {
    const auto& executable = static_cast<const Executable&>(*launch->executable);
    Address printBuffer = 0;
    if (executable.prints(launch->kernel)) {
      printBuffer = engine_.printBuffers.take(handle_);
      if (printBuffer == 0)
        return Error::OutOfMemory;
      submitted.printBuffers.push_back(printBuffer);
    }
    return executable.enqueue(*launch, handle_, printBuffer);
  }
  const Gpu& gpu = *engine_.gpu;
  if (const Error error = bringWhatIsMissed(work); error != Error::Success)
    return error;
  if (const auto* copy = std::get_if<device::Copy>(&work)) {
    if (const auto error = staged_.enqueue(handle_, *copy, submitted.number))
      return *error;
    if (const auto error = engine_.largeTransfers.enqueue(handle_, *copy))
      return *error;
    return cuda::enqueue(gpu, handle_, *copy);
  }
  if (const auto* rect = std::get_if<device::CopyRect>(&work))
    return cuda::enqueue(gpu, handle_, *rect);
  if (const auto* fill = std::get_if<device::Fill>(&work))
    return cuda::enqueue(gpu, handle_, *fill);
  if (const auto* box = std::get_if<device::FillRect>(&work))
    return cuda::enqueue(gpu, handle_, *box);
  if (const auto* semaphores = std::get_if<device::UseSemaphores>(&work))
    return cuda::enqueue(gpu, handle_, *semaphores);
  return Error::Success;
}

/// The driver may read the program's memory before this returns, or write it before what was read
/// earlier arrives there.
Error Stream::bringWhatIsMissed(const device::Work& work) {
  if (!staged_.isMissedBy(work))
    return Error::Success;
  const Error error = engine_.gpu->api.streamSynchronize(handle_);
  staged_.arrive(last_);
  return error;
}

bool Stream::deliver(Look look) {
  if (isDelivering_.exchange(true))
    return false;
  bool any = false;
  while (true) {
    Error ended = Error::Success;
    std::vector<Submitted> commands = takeEnded(look, ended);
    if (commands.empty())
      break;
    any = true;
    staged_.arrive(commands.back().number);
    for (Submitted& submitted : commands)
      finish(submitted, ended);
    if (!profiling_)
      continue;
    auto own = commands_.lock();
    for (const Submitted& submitted : commands) {
      own->unusedEvents.push_back(submitted.start);
      own->unusedEvents.push_back(submitted.end);
    }
  }
  isDelivering_ = false;
  return any;
}

/// The driver can only tell whether all commands that it was given have ended.
std::vector<Stream::Submitted> Stream::takeEnded(Look look, Error& ended) {
  uint32_t last = progress_->load(std::memory_order_acquire);
  delivered_.store(last, std::memory_order_relaxed);
  const auto hasEnded = [&last](const Submitted& submitted) {
    return static_cast<int32_t>(submitted.number - last) <= 0;
  };
  {
    auto commands = commands_.lock();
    if (commands->underWay.empty())
      return {};
    const bool isKnown = canMark_ && hasEnded(commands->underWay.front());
    if (!isKnown && look == Look::Memory)
      return {};
    look = isKnown ? Look::Memory : Look::Driver;
  }
  if (look == Look::Driver) {
    const CurrentContext current(*engine_.gpu);
    last = last_;
    ended = engine_.gpu->api.streamQuery(handle_);
    // With the second, the process is ending, and the driver is gone.
    if (ended == Error::NotReady || ended == Error::Deinitialized)
      return {};
  }
  return commands_.with([&](Commands& commands) {
    std::deque<Submitted>& underWay = commands.underWay;
    const auto end = std::ranges::partition_point(underWay, hasEnded);
    std::vector<Submitted> ended(underWay.begin(), end);
    underWay.erase(underWay.begin(), end);
    return ended;
  });
}

void Stream::finish(Submitted& submitted, Error ended) {
  const Error error = submitted.error != Error::Success ? submitted.error : ended;
  if (error != Error::Success)
    log::error(
        engine_.gpu->check(error, "a command on the GPU failed", CL_OUT_OF_RESOURCES).sentence());
  for (const Address printBuffer : submitted.printBuffers) {
    const CurrentContext current(*engine_.gpu);
    engine_.printBuffers.print(printBuffer);
  }
  Interval times = {};
  if (profiling_) {
    const CurrentContext current(*engine_.gpu);
    times = {.start = submitted.time, .end = now()};
    if (error == Error::Success)
      times = engine_.clock.between(submitted.start, submitted.end, times);
  }
  submitted.command->started(times.start);
  submitted.command->finished(statusOf(error), times.end);
}

bool Stream::leaveWhenIdle() {
  if (!isIdle())
    return false;
  isWatched_ = false;
  // A command that came in between saw that the stream was watched still.
  return isIdle() || isWatched_.exchange(true);
}

bool Stream::isIdle() {
  return commands_.lock()->underWay.empty() && !isDelivering_;
}

} // namespace quern::cuda
