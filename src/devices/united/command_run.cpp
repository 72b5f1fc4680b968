#include "devices/united/command_run.h"

#include <algorithm>
#include <deque>

#include "device/graph.h"
#include "devices/united/united_queue.h"

namespace quern::united {

/// What one member does. Waits for its bytes, then for its member.
class CommandRun::Part final : public device::Command, device::AwaitsMemory {
public:
  Part(CommandRun& run, PlannedPart planned) : run_(run), planned_(std::move(planned)) {
    work = &planned_.work;
  }

  /// May be the last that is done with it.
  void begin(bool flushes) {
    while (brought_ < planned_.uses.size()) {
      const Use& use = planned_.uses[brought_];
      if (!use.allocation->replicas().bring(planned_.member, use.access, use.bytes, *this))
        return;
      ++brought_;
    }
    // It may have ended, and the whole command, before `submit` returns.
    const Ref<UnitedQueue> queue = run_.queue_;
    const uint32_t member = planned_.member;
    issued_ = now();
    queue->on(member).submit(*this);
    if (flushes)
      queue->on(member).flush();
  }
  double nanoseconds() const { return static_cast<double>(ended_ - issued_); }

  void started(uint64_t time) override {
    run_.partStarted(run_.queue_->commonTime(planned_.member, time));
  }
  void finished(cl_int status, uint64_t time) override {
    ended_ = now();
    run_.partEnded(status, run_.queue_->commonTime(planned_.member, time));
  }

private:
  void memoryArrived(cl_int status) override {
    if (status == CL_COMPLETE)
      begin(/*flushes=*/true);
    else
      run_.partEnded(status, now());
  }

  CommandRun& run_;
  const PlannedPart planned_;
  size_t brought_ = 0;
  uint64_t issued_ = 0, ended_ = 0;
};

CommandRun::CommandRun(UnitedQueue& queue, device::Command& command)
    : queue_(&queue), command_(command) {}

void CommandRun::start(UnitedQueue& queue, device::Command& command) {
  auto* const run = new CommandRun(queue, command);
  std::vector<OrderedUse> uses;
  for (size_t i = 0; i < run->pieces(); ++i)
    for (const OrderedUse& use : usesOf(queue.members(), run->piece(i)))
      addUse(uses, use.allocation, use.writes);
  queue.members().order.add(*run, std::move(uses));
}

size_t CommandRun::pieces() const {
  const auto* const graph = std::get_if<device::RunGraph>(command_.work);
  return graph ? graph->graph->size() : 1;
}

const device::Work& CommandRun::piece(size_t index) const {
  const auto* const graph = std::get_if<device::RunGraph>(command_.work);
  return graph ? graph->graph->work(index) : *command_.work;
}

void CommandRun::mayStart() {
  runNext();
}

/// A piece may end where it begins, and who is told of the command's end may submit another: a
/// thread takes all of these in one loop, never by recursion.
void CommandRun::runNext() {
  static thread_local std::deque<CommandRun*>* underWay = nullptr;
  if (underWay) {
    underWay->push_back(this);
    return;
  }
  std::deque<CommandRun*> runs = {this};
  underWay = &runs;
  while (!runs.empty()) {
    CommandRun& run = *runs.front();
    runs.pop_front();
    run.runPiece();
  }
  underWay = nullptr;
}

void CommandRun::runPiece() {
  if (next_ == pieces() || status_.load(std::memory_order_acquire) != CL_COMPLETE)
    return end();
  issue(plan(queue_->members(), piece(next_++)));
}

void CommandRun::issue(Plan plan) {
  plan_ = std::move(plan);
  if (plan_.status != CL_COMPLETE)
    status_.store(plan_.status, std::memory_order_release);
  parts_.clear();
  for (PlannedPart& planned : plan_.parts)
    parts_.push_back(std::make_unique<Part>(*this, std::move(planned)));
  left_.store(parts_.size() + 1, std::memory_order_relaxed);
  // A thread that waits for the command can help one member at a time.
  const bool flushes = parts_.size() > 1 || next_ > 1;
  for (size_t i = 0, count = parts_.size(); i < count; ++i)
    parts_[i]->begin(flushes);
  partEnded(CL_COMPLETE, 0);
}

void CommandRun::partStarted(uint64_t time) {
  if (!isStarted_.exchange(true))
    command_.started(time);
}

void CommandRun::partEnded(cl_int status, uint64_t time) {
  if (status != CL_COMPLETE)
    status_.store(status, std::memory_order_release);
  uint64_t latest = ended_.load(std::memory_order_relaxed);
  while (latest < time && !ended_.compare_exchange_weak(latest, time)) {
  }
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    pieceEnded();
}

void CommandRun::pieceEnded() {
  if (plan_.ended && status_.load(std::memory_order_acquire) == CL_COMPLETE) {
    std::vector<double> nanoseconds;
    for (const std::unique_ptr<Part>& part : parts_)
      nanoseconds.push_back(part->nanoseconds());
    plan_.ended(nanoseconds);
  }
  runNext();
}

void CommandRun::end() {
  const std::unique_ptr<const CommandRun> self(this);
  const Ref<UnitedQueue> queue = queue_;
  const uint64_t latest = ended_.load(std::memory_order_acquire);
  const uint64_t time = latest != 0 ? latest : now();
  if (!isStarted_.exchange(true))
    command_.started(time);
  queue->members().order.remove(*this);
  command_.finished(status_.load(std::memory_order_acquire), time);
}

} // namespace quern::united
