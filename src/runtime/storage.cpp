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

/// Whether it uses fine-grain shared virtual memory where the host has it.
bool reachesSvm(const device::Caps& caps) {
  return (caps.svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
}

/// One device for each memory that devices of the context work in, the host's first.
std::vector<Ref<device::Device>> memoriesOf(const Context& context) {
  std::vector<Ref<device::Device>> devices;
  const auto unified = std::ranges::find_if(context.devices(), usesHostMemory);
  if (unified != context.devices().end())
    devices.emplace_back(&(*unified)->backend());
  for (const Ref<Device>& device : context.devices()) {
    const auto shares = [&](const Ref<device::Device>& other) {
      return other->sharesMemoryWith(device->backend());
    };
    if (!usesHostMemory(device) && std::ranges::none_of(devices, shares))
      devices.emplace_back(&device->backend());
  }
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
  const bool allReachSvm = std::ranges::all_of(
      devices, [](const Ref<device::Device>& device) { return reachesSvm(device->caps()); });
  if (request.usesSvm && !allUnified && allReachSvm) {
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

Result<Ref<Storage>> Storage::createSvm(const Context& context, uint64_t bytes) {
  const auto hasOwnSvm = [](const Ref<Device>& device) { return device->caps().hasOwnSvm(); };
  const Device& owner = **std::ranges::find_if(context.devices(), hasOwnSvm);
  QUERN_ASSIGN(const Ref<device::AddressLease> place, owner.backend().takeAddresses(bytes));
  device::Device& host = context.hostAllocator().backend();
  QUERN_ASSIGN(Ref<device::Allocation> onHost,
               host.allocate({.bytes = bytes, .shared = true, .place = place}));
  std::vector<Replica> copies = {{Ref<device::Device>(&host), std::move(onHost)}};
  for (const Ref<device::Device>& device : memoriesOf(context)) {
    const device::Caps& caps = device->caps();
    if (caps.hostUnifiedMemory || reachesSvm(caps))
      continue;
    QUERN_ASSIGN(Ref<device::Allocation> allocation,
                 device->allocate({.bytes = bytes, .place = caps.hasOwnSvm() ? place : nullptr}));
    copies.push_back({device, std::move(allocation)});
  }
  return makeRef<Storage>(std::move(copies), Request{.bytes = bytes}, Contents::Undefined);
}

Result<Storage::Part> Storage::findOrCreate(Context& context, const Request& request) {
  if (request.usesSvm)
    if (const Ref<UnifiedAllocation> svm = context.unifiedMemory().find(request.hostPointer);
        svm && svm->storage())
      return Part{Ref<Storage>(svm->storage()), svm->offsetOf(request.hostPointer)};
  QUERN_ASSIGN(Ref<Storage> storage, create(context, request));
  return Part{std::move(storage)};
}

uint32_t Storage::copyAmongSeveral(const Device& device) const {
  if (device.caps().hostUnifiedMemory)
    return 0;
  // The first copy may be in the host's memory, although its device has one of its own.
  for (auto i = static_cast<uint32_t>(replicas_->size()); i-- > 0;)
    if (replicas_->copy(i).device->sharesMemoryWith(device.backend()))
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
