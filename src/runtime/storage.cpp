#include "runtime/storage.h"

#include <algorithm>
#include <cstring>

#include "base/sentence.h"
#include "runtime/work_now.h"

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

Storage::Storage(std::vector<Replica> copies, const Request& request, Contents contents)
    : replicas_(makeRef<device::Replicas>(std::move(copies), contents)),
      hostPointer_(request.hostPointer), kept_(request.keep) {}

Result<Ref<Storage>> Storage::create(Context& context, const Request& request) {
  const std::vector<Ref<device::Device>> devices = memoriesOf(context);
  if (request.onDevice)
    return makeRef<Storage>(std::vector<Replica>{{devices.front(), request.onDevice}}, request,
                            Contents::InFirstCopy);
  const bool allUnified = devices.size() == 1 && devices.front()->caps().hostUnifiedMemory;
  if (request.usesSvm && !allUnified) {
    auto part = makeRef<SvmPart>(context.unifiedMemory().find(request.hostPointer),
                                 request.hostPointer, request.bytes);
    return makeRef<Storage>(std::vector<Replica>{{devices.front(), std::move(part)}}, request,
                            Contents::InFirstCopy);
  }
  std::vector<Replica> copies;
  for (const Ref<device::Device>& device : devices) {
    const bool isHost = device->caps().hostUnifiedMemory;
    QUERN_ASSIGN(Ref<device::Allocation> allocation,
                 device->allocate({.bytes = request.bytes,
                                   .hostMemory = isHost ? request.hostPointer : nullptr,
                                   .isUnwritten = request.isUnwritten && devices.size() == 1}));
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
  if (isInOnePlace() || device.caps().hostUnifiedMemory)
    return 0;
  for (uint32_t i = 0; i < replicas_->size(); ++i)
    if (replicas_->copy(i).device.get() == &device.backend())
      return i;
  return 0;
}

void Storage::noteOtherWriters() {
  for (uint32_t i = 0; i < replicas_->size(); ++i)
    replicas_->copy(i).allocation->noteOtherWriters();
}

Result<std::byte*> Storage::hostMemory() {
  if (hasHostCopy())
    return replicas_->copy(0).allocation->hostPointer();
  if (hostPointer_)
    return hostPointer_;
  auto mapped = mapped_.lock();
  if (!*mapped) {
    const Replica& copy = replicas_->copy(0);
    QUERN_ASSIGN(*mapped,
                 copy.device->allocate({.bytes = copy.allocation->bytes(), .shared = true}));
  }
  return (*mapped)->hostPointer();
}

} // namespace quern::runtime
