#include "runtime/storage.h"

#include <algorithm>
#include <cstring>

#include "base/sentence.h"
#include "runtime/work_now.h"

namespace quern::runtime {

namespace {

/// Part of an allocation of shared virtual memory.
class SvmPart final : public device::Allocation {
public:
  SvmPart(Ref<device::Allocation> whole, std::byte* data, uint64_t bytes)
      : Allocation(data, bytes), whole_(std::move(whole)) {}

private:
  const Ref<device::Allocation> whole_;
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

Status fill(device::Device& device, device::Allocation& allocation, const void* initial) {
  if (std::byte* const host = allocation.hostPointer()) {
    if (initial != host)
      std::memcpy(host, initial, allocation.bytes());
    return {};
  }
  // A place is read or written; this one is only read.
  auto* from = static_cast<std::byte*>(const_cast<void*>(initial));
  return doNow(device, device::Copy{.source = {.host = from},
                                    .destination = {.allocation = &allocation},
                                    .bytes = allocation.bytes()});
}

} // namespace

/// A copy between two memories, which deletes itself at its end.
class Storage::Move final : public device::Command {
public:
  Move(Storage& storage, size_t to, const device::Copy& copy)
      : storage_(&storage), to_(to), work_(copy) {
    work = &work_;
  }
  void started(uint64_t) override {}
  void finished(cl_int status, uint64_t) override {
    const Ref<Storage> storage = storage_;
    const size_t to = to_;
    delete this;
    storage->moved(to, status);
  }

private:
  const Ref<Storage> storage_;
  const size_t to_;
  const device::Work work_;
};

Storage::Storage(std::vector<Copy> copies, std::byte* hostPointer)
    : copies_(std::move(copies)), hostPointer_(hostPointer) {
  auto state = state_.lock();
  state->isValid.assign(copies_.size(), false);
  state->isValid.front() = true;
  state->waiting.resize(copies_.size());
}

Result<Ref<Storage>> Storage::create(Context& context, const Request& request) {
  const std::vector<Ref<device::Device>> devices = memoriesOf(context);
  const bool allUnified = devices.size() == 1 && devices.front()->caps().hostUnifiedMemory;
  if (request.usesSvm && !allUnified) {
    auto part = makeRef<SvmPart>(context.svm().find(request.hostPointer), request.hostPointer,
                                 request.bytes);
    return makeRef<Storage>(std::vector<Copy>{{devices.front(), std::move(part)}},
                            request.hostPointer);
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
    QUERN_TRY(fill(*copies.front().device, *copies.front().allocation, request.initial));
  return makeRef<Storage>(std::move(copies), request.hostPointer);
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

bool Storage::bring(size_t copy, Access access, ByteRange, AwaitsMemory& waiting) {
  size_t from = 0;
  {
    auto state = state_.lock();
    if (state->isValid[copy]) {
      if (access != Access::Read) {
        state->isValid.assign(copies_.size(), false);
        state->isValid[copy] = true;
      }
      return true;
    }
    state->waiting[copy].push_back(&waiting);
    if (state->waiting[copy].size() > 1)
      return false;
    while (!state->isValid[from])
      ++from;
  }
  move(from, copy);
  return false;
}

void Storage::move(size_t from, size_t to) {
  // Only devices with memory of their own know how to reach it.
  const Copy& mover = copies_[to].device->caps().hostUnifiedMemory ? copies_[from] : copies_[to];
  Result<Ref<device::Queue>> queue = mover.device->createQueue({});
  if (!queue.ok()) {
    moved(to, queue.status().code());
    return;
  }
  auto* command = new Move(*this, to,
                           {.source = {.allocation = copies_[from].allocation.get()},
                            .destination = {.allocation = copies_[to].allocation.get()},
                            .bytes = copies_[to].allocation->bytes()});
  (*queue)->submit(*command);
  (*queue)->flush();
}

void Storage::moved(size_t to, cl_int status) {
  std::vector<AwaitsMemory*> waiting;
  {
    auto state = state_.lock();
    state->isValid[to] = status == CL_COMPLETE;
    std::swap(waiting, state->waiting[to]);
  }
  for (AwaitsMemory* command : waiting)
    command->memoryArrived(status);
}

} // namespace quern::runtime
