#include "runtime/command_plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "runtime/command_queue.h"

namespace quern::runtime {

namespace {

/// No device can run it as a part of a graph: the runtime takes part in each run.
bool mustStandAlone(const RecordedCommand& command) {
  return command.enqueuer != nullptr;
}

void addTo(std::vector<uint32_t>& numbers, uint32_t number) {
  const auto place = std::ranges::lower_bound(numbers, number);
  if (place == numbers.end() || *place != number)
    numbers.insert(place, number);
}

/// Lets `run` use the bytes that `commands` need brought to the device, each range once.
void useBytes(RecordedCommand& run, const std::vector<Recorded>& commands) {
  std::set<std::tuple<const Storage*, uint64_t, uint64_t, uint32_t, Access>> known;
  for (const Recorded& command : commands) {
    if (!command->mayNeedBytes())
      continue;
    const CommandUses& uses = command->uses();
    for (size_t i = 0; i < uses.size(); ++i)
      if (const CommandUse& use = uses[i];
          use.storage && !use.storage->isInOnePlace() &&
          known.emplace(use.storage, use.bytes.begin, use.bytes.end, use.copy, use.access).second)
        run.use(use);
  }
}

} // namespace

Result<std::unique_ptr<CommandPlan>>
CommandPlan::create(Context& context, const Device& device, bool spansDevices,
                    const std::vector<PlannedCommand>& commands) {
  std::unique_ptr<CommandPlan> plan(new CommandPlan(context, device, spansDevices));
  for (const PlannedCommand& planned : commands)
    plan->add(planned);
  plan->sortParts();
  QUERN_TRY(plan->addQueues());
  return plan;
}

/// A part waits for all of a part that one of its commands waits for. So that parts never wait for
/// each other, what waits for another part is in a later stage than that.
void CommandPlan::add(const PlannedCommand& planned) {
  const RecordedCommand& command = *planned.command;
  uint32_t stage = 0;
  for (const uint32_t earlier : planned.after) {
    const Part& part = parts_[places_[earlier].part];
    const bool canShare =
        part.isGraph && !mustStandAlone(command) && part.device == &command.device();
    stage = std::max(stage, part.stage + (canShare ? 0 : 1));
  }
  const uint32_t index = partFor(command, stage);
  Part& part = parts_[index];
  std::vector<uint32_t>& after = part.order->emplace_back();
  for (const uint32_t earlier : planned.after) {
    const Place& place = places_[earlier];
    if (place.part == index)
      after.push_back(place.number);
    else
      addTo(part.after, place.part);
  }
  places_.push_back({index, static_cast<uint32_t>(part.commands.size())});
  part.commands.push_back(planned.command);
}

uint32_t CommandPlan::partFor(const RecordedCommand& command, uint32_t stage) {
  if (!mustStandAlone(command))
    for (uint32_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].isGraph && parts_[i].device == &command.device() && parts_[i].stage == stage)
        return i;
  Part& part = parts_.emplace_back();
  part.device = &command.device();
  part.isGraph = !mustStandAlone(command);
  part.stage = stage;
  return static_cast<uint32_t>(parts_.size() - 1);
}

/// By their stages, so that each comes after those that it waits for.
void CommandPlan::sortParts() {
  std::vector<uint32_t> order(parts_.size()), places(parts_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](uint32_t part) { return std::pair(parts_[part].stage, part); });
  std::vector<Part> sorted;
  for (uint32_t i = 0; i < order.size(); ++i) {
    places[order[i]] = i;
    sorted.push_back(std::move(parts_[order[i]]));
  }
  for (Part& part : sorted)
    for (uint32_t& earlier : part.after)
      earlier = places[earlier];
  for (Place& place : places_)
    place.part = places[place.part];
  parts_ = std::move(sorted);
}

bool CommandPlan::isGraph() const {
  return parts_.size() == 1 && parts_.front().isGraph && !spansDevices_;
}

Status CommandPlan::addQueues() {
  if (isGraph())
    return {};
  std::map<const Device*, Ref<CommandQueue>> queues;
  for (Part& part : parts_) {
    Ref<CommandQueue>& queue = queues[part.device];
    if (!queue) {
      QUERN_ASSIGN(queue,
                   CommandQueue::create(context_, const_cast<Device&>(*part.device),
                                        {.properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}));
    }
    part.queue = queue;
  }
  return {};
}

void CommandPlan::replace(uint32_t number, Recorded command) {
  const Place& place = places_[number];
  Part& part = parts_[place.part];
  part.commands[place.number] = std::move(command);
  part.run.reset();
  command_.reset();
}

/// Makes the command that runs the part.
Status CommandPlan::renew(Part& part) {
  if (part.run)
    return {};
  if (!part.isGraph) {
    part.run = part.commands.front();
    return {};
  }
  std::vector<device::Graph::Node> work;
  work.reserve(part.commands.size());
  for (const Recorded& command : part.commands)
    work.push_back({&command->work, command});
  QUERN_ASSIGN(part.graph,
               part.device->backend().createGraph(std::move(work), part.order, part.graph.get()));
  auto run = makeRef<RecordedCommand>(*part.device, CL_COMMAND_COMMAND_BUFFER_KHR);
  run->work = device::RunGraph{part.graph};
  useBytes(*run, part.commands);
  part.run = std::move(run);
  return {};
}

Result<Recorded> CommandPlan::command() {
  if (command_)
    return command_;
  for (Part& part : parts_)
    QUERN_TRY(renew(part));
  if (isGraph()) {
    command_ = parts_.front().run;
    return command_;
  }
  auto command = makeRef<RecordedCommand>(device_, CL_COMMAND_COMMAND_BUFFER_KHR);
  if (!parts_.empty()) {
    std::vector<CommandPart> parts;
    for (const Part& part : parts_)
      parts.push_back({part.run, part.queue, part.after});
    command->hostWork = std::make_unique<HostWork>(runParts(std::move(parts)));
  }
  command_ = std::move(command);
  return command_;
}

} // namespace quern::runtime
