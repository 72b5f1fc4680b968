#include "device/replicas.h"

#include <cassert>
#include <memory>

#include "device/staged_copy.h"
#include "trace/trace.h"

namespace quern::device {

namespace {

void record(ByteRange bytes, uint64_t started, uint64_t ended) {
  if (!trace::isOn())
    return;
  static const trace::Name name = trace::nameOf("bring bytes between memories");
  trace::record(trace::Slice{.category = "transfer",
                             .name = name,
                             .started = started,
                             .ended = ended,
                             .argument = {"bytes", bytes.bytes()}});
}

} // namespace

/// A copy between two memories, which deletes itself at its end.
class Replicas::Move final : public Command {
public:
  Move(Replicas& replicas, uint32_t to, ByteRange bytes, const Copy& copy)
      : replicas_(&replicas), to_(to), bytes_(bytes), work_(copy) {
    work = &work_;
  }
  void started(uint64_t time) override { started_ = time; }
  void finished(cl_int status, uint64_t time) override {
    const std::unique_ptr<const Move> self(this);
    record(bytes_, started_, time);
    replicas_->moved(to_, bytes_, status);
  }

private:
  const Ref<Replicas> replicas_;
  const uint32_t to_;
  const ByteRange bytes_;
  const Work work_;
  uint64_t started_ = 0;
};

Replicas::Replicas(std::vector<Replica> copies, Contents contents) : copies_(std::move(copies)) {
  auto state = state_.lock();
  state->copies.resize(copies_.size());
  for (size_t i = 0; i < copies_.size(); ++i)
    if (i == 0 || contents == Contents::Undefined)
      state->copies[i].valid.add({0, copies_[i].allocation->bytes()});
}

bool Replicas::bring(uint32_t copy, Access access, ByteRange bytes, AwaitsMemory& waiting) {
  std::vector<Part> parts;
  {
    auto state = state_.lock();
    CopyState& here = state->copies[copy];
    // Bytes on their way here would overwrite what a command writes now.
    const bool isReady =
        access == Access::Write ? here.onTheWay.within(bytes).empty() : here.valid.contains(bytes);
    if (isReady) {
      if (access != Access::Read)
        write(*state, copy, bytes);
      return true;
    }
    here.waiting.push_back({&waiting, bytes});
    if (access != Access::Write)
      parts = findMissing(*state, copy, bytes);
  }
  move(parts, copy);
  return false;
}

/// Notes that a command is about to write `bytes` of `copy`.
void Replicas::write(State& state, uint32_t copy, ByteRange bytes) {
  for (uint32_t i = 0; i < state.copies.size(); ++i) {
    if (i == copy)
      continue;
    state.copies[i].valid.remove(bytes);
    state.copies[i].onTheWay.remove(bytes);
  }
  state.copies[copy].valid.add(bytes);
}

std::vector<Replicas::Part> Replicas::find(ByteRange bytes, uint32_t preferred) const {
  auto state = state_.lock();
  ByteRanges wanted;
  wanted.add(bytes);
  std::vector<Part> parts;
  const auto take = [&](uint32_t copy) {
    for (const ByteRange& open : wanted.within(bytes))
      for (const ByteRange& part : state->copies[copy].valid.within(open)) {
        parts.push_back({copy, part});
        wanted.remove(part);
      }
  };
  take(preferred);
  for (uint32_t copy = 0; copy < copies_.size(); ++copy)
    take(copy);
  return parts;
}

uint64_t Replicas::missing(uint32_t copy, ByteRange bytes) const {
  auto state = state_.lock();
  uint64_t sum = 0;
  for (const ByteRange& part : state->copies[copy].valid.missing(bytes))
    sum += part.bytes();
  return sum;
}

/// What of `bytes` must be brought to `copy` and is not being brought. It is from now on.
std::vector<Replicas::Part> Replicas::findMissing(State& state, uint32_t copy, ByteRange bytes) {
  CopyState& here = state.copies[copy];
  ByteRanges missing;
  for (const ByteRange& invalid : here.valid.missing(bytes))
    for (const ByteRange& part : here.onTheWay.missing(invalid))
      missing.add(part);
  std::vector<Part> parts;
  for (uint32_t from = 0; from < state.copies.size(); ++from)
    for (const ByteRange& wanted : missing.within(bytes))
      for (const ByteRange& part : state.copies[from].valid.within(wanted)) {
        parts.push_back({from, part});
        missing.remove(part);
        here.onTheWay.add(part);
      }
  assert(missing.isEmpty() && "all bytes are up to date somewhere");
  return parts;
}

void Replicas::move(const std::vector<Part>& parts, uint32_t to) {
  Ref<Queue> queue;
  const Device* mover = nullptr;
  for (const Part& part : parts) {
    const Replica &source = copies_[part.copy], &destination = copies_[to];
    const Copy copy = {.source = {source.allocation.get(), part.bytes.begin},
                       .destination = {destination.allocation.get(), part.bytes.begin},
                       .bytes = part.bytes.bytes()};
    const auto canCopy = [&](const Replica& replica) {
      return replica.device->canCopy(*source.allocation, *destination.allocation);
    };
    const Replica* const able = canCopy(destination) ? &destination
                                : canCopy(source)    ? &source
                                                     : nullptr;
    if (!able) {
      moveByWayOfHost(part, to, copy);
      continue;
    }
    if (mover != able->device.get()) {
      Result<Ref<Queue>> made = moverOf(*able);
      if (!made.ok()) {
        moved(to, part.bytes, made.status().code());
        continue;
      }
      if (queue)
        queue->flush();
      queue = std::move(*made);
      mover = able->device.get();
    }
    queue->submit(*new Move(*this, to, part.bytes, copy));
  }
  if (queue)
    queue->flush();
}

void Replicas::moveByWayOfHost(const Part& part, uint32_t to, const Copy& copy) {
  Result<Ref<Queue>> reading = moverOf(copies_[part.copy]), writing = moverOf(copies_[to]);
  if (!reading.ok() || !writing.ok())
    return moved(to, part.bytes, (reading.ok() ? writing : reading).status().code());
  copyByWayOfHost(
      copy, std::move(*reading), std::move(*writing),
      [self = Ref<Replicas>(this), to, bytes = part.bytes, started = trace::now()](cl_int status) {
        record(bytes, started, trace::now());
        self->moved(to, bytes, status);
      });
}

Result<Ref<Queue>> Replicas::moverOf(const Replica& replica) {
  if (replica.mover)
    return replica.mover;
  return replica.device->createQueue({.profiling = trace::isOn()});
}

void Replicas::moved(uint32_t to, ByteRange bytes, cl_int status) {
  std::vector<Waiting> told;
  {
    auto state = state_.lock();
    CopyState& there = state->copies[to];
    if (status == CL_COMPLETE)
      for (const ByteRange& arrived : there.onTheWay.within(bytes))
        there.valid.add(arrived);
    there.onTheWay.remove(bytes);
    std::erase_if(there.waiting, [&](const Waiting& waiting) {
      const bool isConcerned = !waiting.bytes.intersection(bytes).isEmpty();
      if (isConcerned)
        told.push_back(waiting);
      return isConcerned;
    });
  }
  for (const Waiting& waiting : told)
    waiting.command->memoryArrived(status);
}

} // namespace quern::device
