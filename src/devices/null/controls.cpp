#include "devices/null/controls.h"

#include <algorithm>

#include "devices/null/transfer.h"

namespace quern::null {

void Controls::fail(Operation operation, cl_int code, uint32_t after) {
  auto state = state_.lock();
  state->failures[static_cast<size_t>(operation)] = {code, after};
}

Status Controls::check(Operation operation) {
  auto state = state_.lock();
  Failure& failure = state->failures[static_cast<size_t>(operation)];
  if (failure.code == 0 || failure.after-- > 0)
    return {};
  return Status::error(std::exchange(failure, {}).code, "the null device was told to fail");
}

void Controls::hold() {
  auto state = state_.lock();
  state->holding = true;
  state->released = 0;
}

size_t Controls::held() {
  return state_.lock()->waiting;
}

void Controls::release(size_t count) {
  {
    auto state = state_.lock();
    state->released = std::min(state->waiting, count);
  }
  runReady();
}

void Controls::resume() {
  {
    auto state = state_.lock();
    state->holding = false;
  }
  runReady();
}

void Controls::submit(device::Command& command) {
  {
    auto state = state_.lock();
    command.next = nullptr;
    (state->last ? state->last->next : state->first) = &command;
    state->last = &command;
    ++state->waiting;
  }
  runReady();
}

void Controls::runReady() {
  bool mine = false; // whether this thread is the one that runs commands
  while (true) {
    device::Command* command = nullptr;
    {
      auto state = state_.lock();
      if (state->running && !mine)
        return;
      const bool mayRun = state->first && (!state->holding || state->released > 0);
      state->running = mine = mayRun;
      if (!mayRun)
        return;
      command = state->first;
      state->first = command->next;
      if (!state->first)
        state->last = nullptr;
      --state->waiting;
      if (state->holding)
        --state->released;
    }
    execute(*command);
  }
}

void Controls::execute(device::Command& command) {
  command.started(timestamp());
  const Status status = check(Operation::Execute);
  if (status.ok())
    perform(*command.work);
  command.finished(status.ok() ? CL_COMPLETE : status.code(), timestamp());
}

} // namespace quern::null
