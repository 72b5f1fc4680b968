#include "runtime/memory.h"

#include <algorithm>
#include <cstring>
#include <ranges>

#include "runtime/callback_thread.h"
#include "runtime/process.h"

namespace quern::runtime {

namespace {

bool overlap(const MemoryObject::Mapping& a, const MemoryObject::Mapping& b) {
  for (size_t i = 0; i < a.origin.size(); ++i)
    if (a.origin[i] >= b.origin[i] + b.region[i] || b.origin[i] >= a.origin[i] + a.region[i])
      return false;
  return true;
}

} // namespace

MemoryObject::MemoryObject(Ref<Context> context, Creation creation)
    : Object(ObjectKind::Memory), context_(std::move(context)), creation_(std::move(creation)) {}

bool MemoryObject::hostMayRead() const {
  return !(flags() & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS));
}

bool MemoryObject::hostMayWrite() const {
  return !(flags() & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
}

bool MemoryObject::addMapping(const Mapping& mapping) {
  return mappings_.with([&mapping](std::vector<Mapping>& mappings) {
    const auto clashes = [&mapping](const Mapping& other) {
      return mapping.writes && other.writes && overlap(mapping, other);
    };
    if (std::ranges::any_of(mappings, clashes))
      return false;
    mappings.push_back(mapping);
    return true;
  });
}

bool MemoryObject::removeMapping(const void* pointer) {
  return mappings_.with([pointer](std::vector<Mapping>& mappings) {
    const auto found = std::ranges::find(mappings, pointer, &Mapping::begin);
    if (found == mappings.end())
      return false;
    *found = mappings.back();
    mappings.pop_back();
    return true;
  });
}

cl_uint MemoryObject::mapCount() const {
  return static_cast<cl_uint>(mappings_.lock()->size());
}

void MemoryObject::addDestructorCallback(DestructorFunction function, void* userData) {
  destructorCallbacks_.lock()->push_back({function, userData});
}

void MemoryObject::runDestructorCallbacks(Ref<RefCounted> keepUntilCalled) {
  auto callbacks = std::move(*destructorCallbacks_.lock());
  if (callbacks.empty())
    return;
  const auto handle = reinterpret_cast<cl_mem>(header());
  Process::current().callbacks().runOrPost(
      [callbacks = std::move(callbacks), keep = std::move(keepUntilCalled), handle] {
        for (const DestructorCallback& callback : callbacks | std::views::reverse)
          callback.function(handle, callback.userData);
      });
}

Result<Ref<Buffer>> Buffer::create(Context& context, Creation creation, const void* initial) {
  const device::AllocationRequest request = {.bytes = creation.bytes,
                                             .hostMemory = creation.hostPointer,
                                             .preferHostAccess =
                                                 (creation.flags & CL_MEM_ALLOC_HOST_PTR) != 0};
  QUERN_ASSIGN(Ref<device::Allocation> allocation, context.allocate(request));
  if (creation.flags & CL_MEM_COPY_HOST_PTR)
    std::memcpy(allocation->hostPointer(), initial, creation.bytes);
  return makeRef<Buffer>(Ref<Context>(&context), std::move(creation), std::move(allocation),
                         nullptr, uint64_t{0});
}

Ref<Buffer> Buffer::createSub(Buffer& parent, Creation creation, uint64_t origin) {
  return makeRef<Buffer>(Ref<Context>(&parent.context()), std::move(creation), parent.allocation_,
                         Ref<Buffer>(&parent), origin);
}

Buffer::Buffer(Ref<Context> context, Creation creation, Ref<device::Allocation> allocation,
               Ref<Buffer> parent, uint64_t origin)
    : MemoryObject(std::move(context), std::move(creation)), allocation_(std::move(allocation)),
      parent_(std::move(parent)), origin_(origin) {}

Buffer::~Buffer() {
  runDestructorCallbacks(allocation_);
}

} // namespace quern::runtime
