#include "node/node_queue.h"

#include <algorithm>

namespace quern::node {

namespace {

/// Ends are told together, but not many at once: the driver works on them meanwhile.
constexpr size_t batchBytes = 4 << 10;

} // namespace

void NodeQueue::add(std::unique_ptr<NodeCommand> command) {
  state_.lock()->waiting.push_back(std::move(command));
  advance();
}

/// The next command that may begin: the device orders what has only been submitted to it, where it
/// does so.
NodeCommand* NodeQueue::takeNext(State& state, bool keepsOrder) {
  if (state.waiting.empty())
    return nullptr;
  const auto isPlain = [](const std::unique_ptr<NodeCommand>& command) {
    return command->isPlain();
  };
  const bool mayJoin =
      keepsOrder && isPlain(state.waiting.front()) && std::ranges::all_of(state.running, isPlain);
  if (!state.running.empty() && !mayJoin)
    return nullptr;
  state.running.push_back(std::move(state.waiting.front()));
  state.waiting.pop_front();
  return state.running.back().get();
}

void NodeQueue::advance() {
  if (std::exchange(state_.lock()->isAdvancing, true))
    return;
  const Ref<NodeQueue> self(this);
  bool any = false;
  while (true) {
    NodeCommand* next = nullptr;
    {
      auto state = state_.lock();
      next = takeNext(*state, queue_->keepsOrder);
      if (!next) {
        state->isAdvancing = false;
        break;
      }
    }
    any = true;
    next->begin(*this);
  }
  if (any)
    queue_->flush();
}

void NodeQueue::end(NodeCommand& command, cl_int status, uint64_t started, uint64_t ended) {
  const Ref<NodeQueue> self(this);
  cluster::Outbox& driver = connection_.driver;
  if (std::string text = connection_.printed.take(); !text.empty())
    driver.add(cluster::Print{std::move(text)});
  const size_t bytes = driver.add(cluster::Finished{.command = command.number(),
                                                    .status = status,
                                                    .started = started,
                                                    .ended = ended,
                                                    .data = std::move(command.data_)});
  std::unique_ptr<NodeCommand> gone;
  bool isLast = false;
  {
    auto state = state_.lock();
    const auto place =
        std::ranges::find(state->running, &command, &std::unique_ptr<NodeCommand>::get);
    gone = std::move(*place);
    state->running.erase(place);
    isLast = state->waiting.empty() && state->running.empty();
  }
  if (isLast || bytes > batchBytes)
    driver.flush();
  if (!isLast)
    advance();
}

} // namespace quern::node
