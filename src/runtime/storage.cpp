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
      : whole_(std::move(whole)), data_(data), bytes_(bytes) {}
  uint64_t address() const override { return reinterpret_cast<uint64_t>(data_); }
  std::byte* hostPointer() const override { return data_; }
  uint64_t bytes() const override { return bytes_; }

private:
  const Ref<device::Allocation> whole_;
  std::byte* const data_;
  const uint64_t bytes_;
};

bool usesHostMemory(const Ref<Device>& device) {
  return device->caps().hostUnifiedMemory;
}

} // namespace

Result<Ref<Storage>> Storage::create(Context& context, const Request& request) {
  const auto devices = context.devices();
  const Ref<device::Device> home(&devices.front()->backend());
  const bool allUnified = std::ranges::all_of(devices, usesHostMemory);
  if (!allUnified && devices.size() > 1)
    return Status::error(
        CL_MEM_OBJECT_ALLOCATION_FAILURE,
        sentence("the ", devices.size(), " devices of the context do not have one memory"));
  if (request.usesSvm && !allUnified)
    return makeRef<Storage>(
        home,
        Ref<device::Allocation>(makeRef<SvmPart>(context.svm().find(request.hostPointer),
                                                 request.hostPointer, request.bytes)),
        request.hostPointer);
  device::AllocationRequest wanted = {.bytes = request.bytes};
  if (allUnified)
    wanted.hostMemory = request.hostPointer;
  QUERN_ASSIGN(Ref<device::Allocation> allocation, home->allocate(wanted));
  if (request.initial && allUnified) {
    if (request.initial != allocation->hostPointer())
      std::memcpy(allocation->hostPointer(), request.initial, request.bytes);
  } else if (request.initial) {
    // A place is read or written; this one is only read.
    auto* from = static_cast<std::byte*>(const_cast<void*>(request.initial));
    QUERN_TRY(doNow(*home, device::Copy{.source = {.host = from},
                                        .destination = {.allocation = allocation.get()},
                                        .bytes = request.bytes}));
  }
  return makeRef<Storage>(home, std::move(allocation), request.hostPointer);
}

Result<std::byte*> Storage::hostMemory() {
  if (isUnified())
    return allocation_->hostPointer();
  if (hostPointer_)
    return hostPointer_;
  auto mapped = mapped_.lock();
  if (!*mapped) {
    QUERN_ASSIGN(*mapped, device_->allocate({.bytes = allocation_->bytes(), .shared = true}));
  }
  return (*mapped)->hostPointer();
}

} // namespace quern::runtime
