#include "runtime/storage.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

#include "base/sentence.h"
#include "runtime/work_now.h"
#include "trace/trace.h"

namespace quern::runtime {

namespace {

/// Part of memory that the program knows by a pointer.
class SvmPart final : public device::Allocation {
public:
  SvmPart(Ref<UnifiedAllocation> whole, std::byte* data, uint64_t bytes)
      : Allocation(data, bytes), whole_(std::move(whole)) {}

private:
  const Ref<UnifiedAllocation> whole_;
};

bool usesHostMemory(const Ref<Device>& device) {
  return device->caps().hostUnifiedMemory;
}

/// One device for each memory that devices of the context work in, the host's first.
std::vector<Ref<device::Device>> memoriesOf(const Context& context) {
  std::vector<Ref<device::Device>> devices;
  const auto unified = std::ranges::find_if(context.devices(), usesHostMemory);
  if (unified != context.devices().end())
    devices.emplace_back(&(*unified)->backend());
  for (const Ref<Device>& device : context.devices())
    if (!usesHostMemory(device))
      devices.emplace_back(&device->backend());
  return devices;
}

Status fill(device::Device& device, device::Allocation& allocation, const void* initial,
            uint64_t bytes) {
  if (std::byte* const host = allocation.hostPointer()) {
    if (initial != host)
      std::memcpy(host, initial, bytes);
    return {};
  }
  // A place is read or written; this one is only read.
  auto* from = static_cast<std::byte*>(const_cast<void*>(initial));
  return doNow(device, device::Copy{.source = {.host = from},
                                    .destination = {.allocation = &allocation},
                                    .bytes = bytes});
}

} // namespace

/// A copy between two memories, which deletes itself at its end.
class Storage::Move final : public device::Command {
public:
  Move(Storage& storage, uint32_t to, ByteRange bytes, const device::Copy& copy)
      : storage_(&storage), to_(to), bytes_(bytes), work_(copy) {
    work = &work_;
  }
  void started(uint64_t time) override { started_ = time; }
  void finished(cl_int status, uint64_t time) override {
    const std::unique_ptr<const Move> self(this);
    if (trace::isOn()) {
      static const trace::Name name = trace::nameOf("bring bytes between memories");
      trace::record(trace::Slice{.category = "transfer",
                                 .name = name,
                                 .started = started_,
                                 .ended = time,
                                 .argument = {"bytes", bytes_.bytes()}});
    }
    storage_->moved(to_, bytes_, status);
  }

private:
  const Ref<Storage> storage_;
  const uint32_t to_;
  const ByteRange bytes_;
  const device::Work work_;
  uint64_t started_ = 0;
};

Storage::Storage(std::vector<Copy> copies, const Request& request, Contents contents)
    : copies_(std::move(copies)), hostPointer_(request.hostPointer), kept_(request.keep) {
  auto state = state_.lock();
  state->copies.resize(copies_.size());
  // Undefined contents are as good in one copy as in another.
  for (size_t i = 0; i < copies_.size(); ++i)
    if (i == 0 || contents == Contents::Undefined)
      state->copies[i].valid.add({0, copies_[i].allocation->bytes()});
}

Result<Ref<Storage>> Storage::create(Context& context, const Request& request) {
  const std::vector<Ref<device::Device>> devices = memoriesOf(context);
  if (request.onDevice)
    return makeRef<Storage>(std::vector<Copy>{{devices.front(), request.onDevice}}, request,
                            Contents::InFirstCopy);
  const bool allUnified = devices.size() == 1 && devices.front()->caps().hostUnifiedMemory;
  if (request.usesSvm && !allUnified) {
    auto part = makeRef<SvmPart>(context.unifiedMemory().find(request.hostPointer),
                                 request.hostPointer, request.bytes);
    return makeRef<Storage>(std::vector<Copy>{{devices.front(), std::move(part)}}, request,
                            Contents::InFirstCopy);
  }
  std::vector<Copy> copies;
  for (const Ref<device::Device>& device : devices) {
    const bool isHost = device->caps().hostUnifiedMemory;
    QUERN_ASSIGN(Ref<device::Allocation> allocation,
                 device->allocate({.bytes = request.bytes,
                                   .hostMemory = isHost ? request.hostPointer : nullptr}));
    copies.push_back({device, std::move(allocation)});
  }
  if (request.initial)
    QUERN_TRY(fill(*copies.front().device, *copies.front().allocation, request.initial,
                   std::min(request.bytes, request.initialBytes)));
  const bool isDefined = request.initial || request.hostPointer;
  return makeRef<Storage>(std::move(copies), request,
                          isDefined ? Contents::InFirstCopy : Contents::Undefined);
}

uint32_t Storage::copyOn(const Device& device) const {
  if (copies_.size() == 1 || device.caps().hostUnifiedMemory)
    return 0;
  for (uint32_t i = 0; i < copies_.size(); ++i)
    if (copies_[i].device.get() == &device.backend())
      return i;
  return 0;
}

Result<std::byte*> Storage::hostMemory() {
  if (hasHostCopy())
    return copies_.front().allocation->hostPointer();
  if (hostPointer_)
    return hostPointer_;
  auto state = state_.lock();
  if (!state->mapped) {
    const Copy& copy = copies_.front();
    QUERN_ASSIGN(state->mapped,
                 copy.device->allocate({.bytes = copy.allocation->bytes(), .shared = true}));
  }
  return state->mapped->hostPointer();
}

bool Storage::bring(uint32_t copy, Access access, ByteRange bytes, AwaitsMemory& waiting) {
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
void Storage::write(State& state, uint32_t copy, ByteRange bytes) {
  for (uint32_t i = 0; i < state.copies.size(); ++i) {
    if (i == copy)
      continue;
    state.copies[i].valid.remove(bytes);
    state.copies[i].onTheWay.remove(bytes);
  }
  state.copies[copy].valid.add(bytes);
}

/// What of `bytes` must be brought to `copy` and is not being brought. It is from now on.
std::vector<Storage::Part> Storage::findMissing(State& state, uint32_t copy, ByteRange bytes) {
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

void Storage::move(const std::vector<Part>& parts, uint32_t to) {
  Ref<device::Queue> queue;
  const device::Device* mover = nullptr;
  for (const Part& part : parts) {
    const Copy &source = copies_[part.from], &destination = copies_[to];
    // Only devices with memory of their own know how to reach it.
    const Copy& reaching = destination.device->caps().hostUnifiedMemory ? source : destination;
    if (mover != reaching.device.get()) {
      Result<Ref<device::Queue>> made = reaching.device->createQueue({.profiling = trace::isOn()});
      if (!made.ok()) {
        moved(to, part.bytes, made.status().code());
        continue;
      }
      if (queue)
        queue->flush();
      queue = std::move(*made);
      mover = reaching.device.get();
    }
    auto* command = new Move(*this, to, part.bytes,
                             {.source = {source.allocation.get(), part.bytes.begin},
                              .destination = {destination.allocation.get(), part.bytes.begin},
                              .bytes = part.bytes.bytes()});
    queue->submit(*command);
  }
  if (queue)
    queue->flush();
}

void Storage::moved(uint32_t to, ByteRange bytes, cl_int status) {
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

} // namespace quern::runtime
