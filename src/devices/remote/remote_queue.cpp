#include "devices/remote/remote_queue.h"

#include <algorithm>
#include <cstring>

#include "device/graph.h"
#include "devices/remote/job.h"

namespace quern::remote {

namespace {

/// Commands go to the node together: when the program flushes, when none is under way, or when
/// there are so many bytes of them.
constexpr size_t batchBytes = 4 << 10;
/// Of one command: its end is told when all have ended.
constexpr uint32_t mostParts = 1000;

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return !a.empty() && !b.empty() && a.data() < b.data() + b.size() &&
         b.data() < a.data() + a.size();
}

/// Calls `function` with each piece of work of a command, those of a graph one by one in an order
/// that is right.
template <typename Function> void forEachWork(const device::Work& work, Function function) {
  if (const auto* const run = std::get_if<device::RunGraph>(&work)) {
    for (size_t node = 0; node < run->graph->size(); ++node)
      function(run->graph->work(node));
  } else {
    function(work);
  }
}

} // namespace

/// One of the parts that the node has been given, and what is done here at its end.
class RemoteQueue::QueuedPart final : public Part {
public:
  QueuedPart(RemoteQueue& queue, Running& running) : queue_(&queue), running_(running) {}

  void ended(cluster::Finished& finished) override {
    const std::unique_ptr<QueuedPart> self(this);
    if (finished.status == CL_COMPLETE && !target_.isEmpty() &&
        finished.data.size() == target_.bytes())
      copyBox(packedBox(finished.data.data(), target_.region), target_);
    if (const auto* const copy = std::get_if<CopyOnHost>(&onHost_))
      copyBox(copy->source, copy->destination);
    if (const auto* const fill = std::get_if<FillOnHost>(&onHost_))
      fillBox(fill->destination, fill->pattern);
    queue_->partEnded(running_, finished);
  }

  HostBox target_;                 ///< of data that come with the end
  TransferPlan onHost_ = OnNode(); ///< what is done here

private:
  const Ref<RemoteQueue> queue_;
  Running& running_;
};

Result<Ref<device::Queue>> RemoteQueue::create(RemoteNode& node, uint64_t device,
                                               const device::QueueRequest& request) {
  const uint64_t number = node.newNumber();
  QUERN_TRY(node.call<uint8_t>(cluster::CreateQueue{.device = device,
                                                    .queue = number,
                                                    .profiling = request.profiling,
                                                    .priority = request.priority})
                .takeStatus());
  return Ref<device::Queue>(makeRef<RemoteQueue>(node, number, request.profiling));
}

void RemoteQueue::submit(device::Command& command) {
  {
    auto state = state_.lock();
    if (!state->held.empty() || mustWait(*state, *command.work))
      state->held.push_back(&command);
    else
      issue(*state, command);
  }
  node_.job().watch();
}

/// Whether `work` must wait here for the end of what is under way.
bool RemoteQueue::mustWait(const State& state, const device::Work& work) const {
  if (state.running.empty())
    return false;
  if (std::ranges::any_of(state.running, [](const auto& running) { return running->isOnHost; }))
    return true;
  bool waits = false;
  const bool isGraph = std::holds_alternative<device::RunGraph>(work);
  forEachWork(work, [&](const device::Work& one) {
    if (std::holds_alternative<device::LaunchKernel>(one))
      return;
    const TransferPlan plan = planTransfer(one, node_);
    const std::span<const std::byte> source = hostSource(plan);
    waits |= isOnHost(plan) || (isGraph && !source.empty());
    for (const std::unique_ptr<Running>& running : state.running)
      for (const std::span<const std::byte> written : running->written)
        waits |= overlap(source, written);
  });
  return waits;
}

void RemoteQueue::issue(State& state, device::Command& command) {
  Running& running = *state.running.emplace_back(std::make_unique<Running>());
  running.command = &command;
  running.issued = profiling_ ? now() : 0;
  forEachWork(*command.work, [&](const device::Work& work) { give(running, work); });
  if (running.parts == 0)
    give(running, OnNode{cluster::DoNothing()});
}

void RemoteQueue::give(Running& running, const device::Work& work) {
  give(running, planTransfer(work, node_));
}

void RemoteQueue::give(Running& running, TransferPlan plan) {
  if (auto* const onNode = std::get_if<OnNode>(&plan)) {
    submitTo(running, new QueuedPart(*this, running), std::move(onNode->work));
  } else if (const auto* const toNode = std::get_if<ToNode>(&plan)) {
    send(running, *toNode);
  } else if (const auto* const fromNode = std::get_if<FromNode>(&plan)) {
    receive(running, *fromNode);
  } else {
    auto* const part = new QueuedPart(*this, running);
    if (isOnHost(plan))
      running.isOnHost = true;
    else
      running.status = CL_INVALID_OPERATION;
    part->onHost_ = std::move(plan);
    submitTo(running, part, cluster::DoNothing());
  }
}

void RemoteQueue::submitTo(Running& running, Part* part, cluster::WireWork work) {
  ++running.parts;
  ++running.given;
  const uint64_t number = node_.add(part);
  waitingBytes_.store(node_.tell(cluster::Submit{number_, number, std::move(work)}),
                      std::memory_order_relaxed);
}

void RemoteQueue::send(Running& running, const ToNode& transfer) {
  const uint64_t bytes = transfer.source.bytes();
  auto* const part = new QueuedPart(*this, running);
  const bool isInline = bytes <= cluster::inlineBytes;
  Bytes packed;
  if (isInline || !transfer.source.isRow()) {
    packed.resize(bytes);
    copyBox(transfer.source, packedBox(packed.data(), transfer.source.region));
  }
  if (isInline) {
    submitTo(running, part, cluster::Receive{transfer.destination, 0, std::move(packed)});
    return;
  }
  const int tag = node_.link().newTag();
  submitTo(running, part, cluster::Receive{transfer.destination, tag, {}});
  const auto kept = std::make_shared<const Bytes>(std::move(packed));
  const std::byte* const data = kept->empty() ? transfer.source.first : kept->data();
  node_.link().sendData(node_.rank(), tag, data, bytes, [kept](bool) {});
}

void RemoteQueue::receive(Running& running, const FromNode& transfer) {
  const HostBox& target = transfer.destination;
  const uint64_t bytes = target.bytes();
  running.written.push_back(target.range());
  auto* const part = new QueuedPart(*this, running);
  if (bytes <= cluster::inlineBytes) {
    part->target_ = target;
    submitTo(running, part, cluster::Send{transfer.source, 0});
    return;
  }
  const int tag = node_.link().newTag();
  const auto packed = std::make_shared<Bytes>(target.isRow() ? 0 : bytes);
  ++running.parts; // that the data have come
  node_.beginData();
  node_.link().receiveData(
      node_.rank(), tag, packed->empty() ? target.first : packed->data(), bytes,
      [this, self = Ref<RemoteQueue>(this), &running, packed, target](bool ok) {
        if (ok && !packed->empty())
          copyBox(packedBox(packed->data(), target.region), target);
        node_.endData();
        partEnded(running, {.status = ok ? CL_COMPLETE : CL_DEVICE_NOT_AVAILABLE});
      });
  submitTo(running, part, cluster::Send{transfer.source, tag});
}

bool RemoteQueue::append(device::Command& command, const device::Work& work) {
  auto state = state_.lock();
  if (!state->held.empty() || state->running.empty())
    return false;
  Running& running = *state->running.back();
  const bool isOnNode = !std::holds_alternative<device::RunGraph>(work) &&
                        std::holds_alternative<OnNode>(planTransfer(work, node_));
  if (running.command != &command || running.parts == 0 || running.isOnHost ||
      running.given >= mostParts || !isOnNode)
    return false;
  give(running, work);
  return true;
}

void RemoteQueue::tend() {
  if (waitingBytes_.load(std::memory_order_relaxed) < batchBytes)
    return;
  waitingBytes_.store(0, std::memory_order_relaxed);
  node_.flush();
}

/// Commands end in their order, although data may come after the end of a later one has been told.
void RemoteQueue::partEnded(Running& running, const cluster::Finished& finished) {
  std::vector<std::unique_ptr<Running>> ended;
  {
    auto state = state_.lock();
    if (finished.status < 0)
      running.status = finished.status;
    if (profiling_ && finished.ended != 0) {
      running.started = std::min(running.started, node_.clock().here(finished.started));
      running.ended = std::max(running.ended, node_.clock().here(finished.ended));
    }
    --running.parts;
    while (!state->running.empty() && state->running.front()->parts == 0) {
      ended.push_back(std::move(state->running.front()));
      state->running.pop_front();
    }
    releaseHeld(*state);
  }
  for (const std::unique_ptr<Running>& one : ended)
    conclude(*one);
}

/// The clocks of two machines are only nearly one: a command runs between its way there and its way
/// back.
void RemoteQueue::conclude(const Running& running) {
  const uint64_t time = profiling_ ? now() : 0;
  const uint64_t ended = std::clamp(running.ended, running.issued, std::max(time, running.issued));
  running.command->started(std::clamp(running.started, running.issued, ended));
  running.command->finished(running.status, ended);
}

void RemoteQueue::releaseHeld(State& state) {
  while (!state.held.empty() && !mustWait(state, *state.held.front()->work)) {
    issue(state, *state.held.front());
    state.held.pop_front();
  }
}

} // namespace quern::remote
