#include "runtime/semaphore_commands.h"

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

/// The commands that `member` of Semaphore::Last names, which the next one of their kind follows.
std::vector<Ref<Event>> lastOf(const std::vector<Semaphore*>& semaphores,
                               Ref<Event> Semaphore::Last::* member) {
  std::vector<Ref<Event>> commands;
  for (Semaphore* semaphore : semaphores)
    if (Ref<Event> command = (*semaphore->last().lock()).*member; command && !command->hasEnded())
      commands.push_back(std::move(command));
  return commands;
}

void setLast(const std::vector<Semaphore*>& semaphores, Ref<Event> Semaphore::Last::* member,
             Event& command) {
  for (Semaphore* semaphore : semaphores)
    if (semaphore->shared())
      (*semaphore->last().lock()).*member = Ref<Event>(&command);
}

} // namespace

Ref<Event> enqueueSignal(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                         const WaitList& waitList) {
  auto command = makeRef<RecordedCommand>(queue.device(), CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
  if (Payloads payloads = sharedOf(semaphores); !payloads.empty())
    command->hostWork = std::make_unique<HostWork>([payloads = std::move(payloads)] {
      for (const Ref<SharedPayload>& payload : payloads)
        payload->signal();
      return CL_COMPLETE;
    });
  std::vector<Dependency> before;
  const std::vector<Ref<Event>> last = lastOf(semaphores, &Semaphore::Last::signal);
  for (const Ref<Event>& other : last)
    before.push_back({*other, DependencyNode::Carries::OrderOnly});
  Ref<Event> event =
      queue.enqueue(std::move(command), waitList, CommandQueue::Order::Normal, before);
  for (Semaphore* semaphore : semaphores)
    if (!semaphore->shared())
      semaphore->signals().add(*event);
  setLast(semaphores, &Semaphore::Last::signal, *event);
  // Who waits may be of another queue, and does not know of this one.
  queue.flush();
  return event;
}

Ref<Event> enqueueWait(CommandQueue& queue, const std::vector<Semaphore*>& semaphores,
                       const WaitList& waitList) {
  auto command = makeRef<RecordedCommand>(queue.device(), CL_COMMAND_SEMAPHORE_WAIT_KHR);
  if (auto payloads = std::make_shared<const Payloads>(sharedOf(semaphores)); !payloads->empty())
    command->hostWork = std::make_unique<HostWork>(HostWork{
        .begin = [payloads](const HostWork::Done& done) { consumeFrom(payloads, 0, done); }});
  std::vector<Dependency> before;
  const std::vector<Ref<Event>> last = lastOf(semaphores, &Semaphore::Last::wait);
  for (const Ref<Event>& other : last)
    before.push_back({*other, DependencyNode::Carries::OrderOnly});
  std::vector<std::pair<Semaphore*, Ref<Gate>>> gates;
  for (Semaphore* semaphore : semaphores) {
    if (semaphore->shared())
      continue;
    gates.emplace_back(semaphore, semaphore->signals().reserve());
    before.push_back({*gates.back().second, DependencyNode::Carries::Failure});
  }
  Ref<Event> event =
      queue.enqueue(std::move(command), waitList, CommandQueue::Order::Normal, before);
  for (const auto& [semaphore, gate] : gates)
    semaphore->signals().addWait(*gate, *event);
  setLast(semaphores, &Semaphore::Last::wait, *event);
  return event;
}

} // namespace quern::runtime
