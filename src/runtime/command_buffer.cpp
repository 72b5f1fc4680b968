#include "runtime/command_buffer.h"

#include <algorithm>

#include "base/sentence.h"

namespace quern::runtime {

namespace {

void makeRising(std::vector<uint32_t>& numbers) {
  std::ranges::sort(numbers);
  const auto rest = std::ranges::unique(numbers);
  numbers.erase(rest.begin(), rest.end());
}

} // namespace

CommandBuffer::CommandBuffer(Creation creation)
    : Object(ObjectKind::CommandBuffer), creation_(std::move(creation)) {
  contents_.lock()->last.resize(queues().size());
}

CommandBuffer::State CommandBuffer::state() const {
  auto contents = contents_.lock();
  if (!contents->isFinalized)
    return State::Recording;
  return contents->unfilled == 0 ? State::Executable : State::Finalized;
}

uint32_t CommandBuffer::commandCount() const {
  return static_cast<uint32_t>(contents_.lock()->entries.size());
}

/// What the command starts after because of its queue, and of barriers: those hold for all queues.
void CommandBuffer::addOrder(Contents& contents, const Addition& addition,
                             std::vector<uint32_t>& after) const {
  if (addition.isBarrier && after.empty())
    for (uint32_t i = contents.barrier.value_or(0); i < contents.entries.size(); ++i)
      if (!contents.entries[i].isFollowed)
        after.push_back(i);
  if (contents.barrier)
    after.push_back(*contents.barrier);
  if (!queues()[addition.queue]->isOutOfOrder() && contents.last[addition.queue])
    after.push_back(*contents.last[addition.queue]);
  makeRising(after);
}

CommandBuffer::Added CommandBuffer::append(Contents& contents, Addition addition,
                                           std::vector<uint32_t> after) {
  const auto number = static_cast<uint32_t>(contents.entries.size());
  for (const uint32_t earlier : after)
    contents.entries[earlier].isFollowed = true;
  contents.last[addition.queue] = number;
  if (addition.isBarrier)
    contents.barrier = number;
  if (!addition.command)
    ++contents.unfilled;
  Entry& entry = contents.entries.emplace_back();
  entry.queue = addition.queue;
  entry.planned = {std::move(addition.command), std::move(after)};
  if (addition.creation)
    entry.mutableCommand = makeRef<MutableCommand>(*this, number, std::move(*addition.creation));
  entry.launch = std::move(addition.launch);
  return {number, entry.mutableCommand.get()};
}

Result<CommandBuffer::Added> CommandBuffer::add(Addition addition) {
  auto contents = contents_.lock();
  if (contents->isFinalized)
    return Status::error(CL_INVALID_OPERATION,
                         "the command buffer has been finalized and takes no more commands");
  std::vector<uint32_t> after = std::move(addition.after);
  addOrder(*contents, addition, after);
  return append(*contents, std::move(addition), std::move(after));
}

CommandBuffer::Added CommandBuffer::addCopy(Addition addition) {
  std::vector<uint32_t> after = std::move(addition.after);
  return append(*contents_.lock(), std::move(addition), std::move(after));
}

Status CommandBuffer::finalize() {
  auto contents = contents_.lock();
  if (contents->isFinalized)
    return Status::error(CL_INVALID_OPERATION, "the command buffer has been finalized before");
  if (contents->unfilled == 0)
    QUERN_TRY(makePlan(*contents));
  contents->isFinalized = true;
  return {};
}

Status CommandBuffer::makePlan(Contents& contents) {
  std::vector<PlannedCommand> commands;
  commands.reserve(contents.entries.size());
  for (const Entry& entry : contents.entries)
    commands.push_back(entry.planned);
  const auto isElsewhere = [&](const Ref<CommandQueue>& queue) {
    return &queue->device() != &queues().front()->device();
  };
  QUERN_ASSIGN(std::unique_ptr<CommandPlan> plan,
               CommandPlan::create(context(), queues().front()->device(),
                                   std::ranges::any_of(queues(), isElsewhere), commands));
  // What a device prepares for it takes time, which belongs here and not to the first enqueue.
  QUERN_TRY(plan->command().takeStatus());
  contents.plan = std::move(plan);
  return {};
}

Result<Recorded> CommandBuffer::commandToRun() {
  auto contents = contents_.lock();
  if (!contents->isFinalized)
    return Status::error(CL_INVALID_OPERATION, "the command buffer has not been finalized");
  if (contents->unfilled != 0)
    return Status::error(CL_INVALID_OPERATION,
                         sentence("not all arguments of ", contents->unfilled,
                                  " kernel launches in the command buffer have been set"));
  if (!contents->plan)
    QUERN_TRY(makePlan(*contents));
  return contents->plan->command();
}

Status CommandBuffer::enqueueEventless(CommandQueue& queue) {
  QUERN_ASSIGN(Recorded command, commandToRun());
  queue.enqueueEventless(std::move(command));
  return {};
}

Result<Ref<Event>> CommandBuffer::enqueue(std::span<CommandQueue* const> queues,
                                          const WaitList& waitList) {
  QUERN_ASSIGN(Recorded command, commandToRun());
  if (queues.size() == 1)
    return queues.front()->enqueue(std::move(command), waitList);
  // One queue has the command, so that it has times where any of them has; it waits for what is
  // before it in the others, and what comes there later waits for it.
  const auto profiling = std::ranges::find_if(queues, &CommandQueue::hasProfiling);
  CommandQueue& own = profiling == queues.end() ? *queues.front() : **profiling;
  const auto marker = [](const CommandQueue& queue) {
    return makeRef<RecordedCommand>(queue.device(), CL_COMMAND_MARKER);
  };
  std::vector<Ref<Event>> before;
  WaitList all = waitList;
  for (CommandQueue* queue : queues)
    if (queue != &own && !queue->isOutOfOrder()) {
      before.push_back(queue->enqueue(marker(*queue), {}, CommandQueue::Order::AfterAllBefore));
      all.push_back(before.back().get());
    }
  Ref<Event> event = own.enqueue(std::move(command), all);
  event->noteOtherQueues();
  for (CommandQueue* queue : queues)
    if (queue != &own)
      queue->enqueue(marker(*queue), {event.get()});
  return event;
}

MutableLaunch CommandBuffer::launchOf(uint32_t number) const {
  return contents_.lock()->entries[number].launch;
}

CommandQueue& CommandBuffer::queueOf(uint32_t number) const {
  return *queues()[contents_.lock()->entries[number].queue];
}

void CommandBuffer::change(std::vector<Change> changes) {
  auto contents = contents_.lock();
  for (Change& change : changes) {
    Entry& entry = contents->entries[change.number];
    entry.launch = std::move(change.launch);
    if (!entry.planned.command && change.command)
      --contents->unfilled;
    entry.planned.command = change.command;
    if (contents->plan)
      contents->plan->replace(change.number, std::move(change.command));
  }
}

std::vector<CommandBuffer::Copied> CommandBuffer::copyCommands() const {
  return contents_.with([](const Contents& contents) {
    std::vector<Copied> copies;
    for (const Entry& entry : contents.entries)
      copies.push_back({entry.queue, entry.planned.command, entry.planned.after,
                        entry.mutableCommand.get(), entry.launch});
    return copies;
  });
}

} // namespace quern::runtime
