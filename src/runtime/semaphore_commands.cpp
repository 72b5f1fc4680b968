#include "runtime/semaphore_commands.h"

#include <algorithm>
#include <memory>

#include "runtime/recorded_command.h"

namespace quern::runtime {

namespace {

using Payloads = std::vector<Ref<SharedPayload>>;
using Gate = SemaphoreSignals::Gate;

Payloads sharedOf(const std::vector<Semaphore*>& semaphores) {
  Payloads payloads;
  for (const Semaphore* semaphore : semaphores)
    if (semaphore->shared())
      payloads.push_back(semaphore->shared());
  return payloads;
}

/// Consumes a signal of each payload from `index` on, one after the other.
void consumeFrom(const std::shared_ptr<const Payloads>& payloads, size_t index,
                 const HostWork::Done& done) {
  if (index == payloads->size())
    return done(CL_COMPLETE);
  (*payloads)[index]->consume([=](cl_int status) {
    if (status < 0)
      done(status);
    else
      consumeFrom(payloads, index + 1, done);
  });
}

/// Does `use` to those that the queue's device has imported, after `before`. That was all of it
/// where there are none.
Ref<Event> enqueueOnDevice(CommandQueue& queue, cl_command_type type,
                           device::UseSemaphores::Use use,
                           const std::vector<Semaphore*>& semaphores, Ref<Event> before) {
  device::UseSemaphores work = {.use = use, .semaphores = {}};
  for (const Semaphore* semaphore : semaphores)
    if (semaphore->onDevice())
      work.semaphores.push_back(semaphore->onDevice());
  if (work.semaphores.empty())
    return before;
  auto command = makeRef<RecordedCommand>(queue.device(), type);
  command->work = std::move(work);
  return queue.enqueue(std::move(command), {before.get()});
}

/// The commands that `member` of Semaphore::Last names, which the next one of their kind follows:
/// those on shared payloads that have not ended.
std::vector<Ref<Event>> lastOf(const std::vector<Semaphore*>& semaphores,
                               Ref<Event> Semaphore::Last::* member) {
  std::vector<Ref<Event>> commands;
  for (Semaphore* semaphore : semaphores) {
    if (!semaphore->shared())
      continue;
    Ref<Event> command = (*semaphore->last().lock()).*member;
    if (command && !command->hasEnded())
      commands.push_back(std::move(command));
  }
  return commands;
}

void setLast(const std::vector<Semaphore*>& semaphores, Ref<Event> Semaphore::Last::* member,
             Event& command) {
  for (Semaphore* semaphore : semaphores) {
    if (semaphore->isInGraph())
      continue;
    auto last = semaphore->last().lock();
    (*last).*member = Ref<Event>(&command);
    last->isSignal = member == &Semaphore::Last::signal;
  }
}

std::vector<Dependency> inOrderAfter(const std::vector<Ref<Event>>& commands) {
  std::vector<Dependency> dependencies;
  for (const Ref<Event>& command : commands)
    dependencies.push_back({*command, DependencyNode::Carries::OrderOnly});
  return dependencies;
}

} // namespace

Ref<Event> enqueueSignal(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                         const WaitList& waitList) {
  constexpr cl_command_type type = CL_COMMAND_SEMAPHORE_SIGNAL_KHR;
  auto command = makeRef<RecordedCommand>(queue.device(), type);
  if (Payloads payloads = sharedOf(semaphores); !payloads.empty())
    command->hostWork = std::make_unique<HostWork>([payloads = std::move(payloads)] {
      for (const Ref<SharedPayload>& payload : payloads)
        payload->signal();
      return CL_COMPLETE;
    });
  const std::vector<Ref<Event>> last = lastOf(semaphores, &Semaphore::Last::signal);
  Ref<Event> event =
      queue.enqueue(std::move(command), waitList, CommandQueue::Order::Normal, inOrderAfter(last));
  event = enqueueOnDevice(queue, type, device::UseSemaphores::Use::Signal, semaphores,
                          std::move(event));
  for (Semaphore* semaphore : semaphores)
    if (semaphore->isInGraph())
      semaphore->signals().add(*event);
  setLast(semaphores, &Semaphore::Last::signal, *event);
  // Who waits may be of another queue, and does not know of this one.
  queue.flush();
  return event;
}

Ref<Event> enqueueWait(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                       const WaitList& waitList) {
  constexpr cl_command_type type = CL_COMMAND_SEMAPHORE_WAIT_KHR;
  auto command = makeRef<RecordedCommand>(queue.device(), type);
  if (auto payloads = std::make_shared<const Payloads>(sharedOf(semaphores)); !payloads->empty())
    command->hostWork = std::make_unique<HostWork>(HostWork{
        .begin = [payloads](const HostWork::Done& done) { consumeFrom(payloads, 0, done); }});
  const std::vector<Ref<Event>> last = lastOf(semaphores, &Semaphore::Last::wait);
  std::vector<Dependency> before = inOrderAfter(last);
  std::vector<std::pair<Semaphore*, Ref<Gate>>> gates;
  for (Semaphore* semaphore : semaphores) {
    if (!semaphore->isInGraph())
      continue;
    gates.emplace_back(semaphore, semaphore->signals().reserve());
    before.push_back({*gates.back().second, DependencyNode::Carries::Failure});
  }
  Ref<Event> event =
      queue.enqueue(std::move(command), waitList, CommandQueue::Order::Normal, before);
  event =
      enqueueOnDevice(queue, type, device::UseSemaphores::Use::Wait, semaphores, std::move(event));
  for (const auto& [semaphore, gate] : gates)
    semaphore->signals().addWait(*gate, *event);
  setLast(semaphores, &Semaphore::Last::wait, *event);
  // Others who have the same semaphore may signal it again as soon as this returns; the payload
  // then must have been consumed.
  if (std::ranges::any_of(semaphores,
                          [](const Semaphore* semaphore) { return !!semaphore->onDevice(); }))
    event->wait();
  return event;
}

} // namespace quern::runtime
