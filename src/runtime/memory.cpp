#include "runtime/memory.h"

#include <algorithm>
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

std::byte* MemoryObject::Creation::usedMemory() const {
  if (external)
    return external->data();
  return importedPointer ? importedPointer : hostPointer;
}

Ref<device::Allocation> MemoryObject::Creation::onDevice() const {
  return external ? external->onDevice() : nullptr;
}

MemoryObject::MemoryObject(Ref<Context> context, Creation creation, Ref<Storage> storage,
                           ByteRange extent)
    : Object(ObjectKind::Memory), context_(std::move(context)), creation_(std::move(creation)),
      storage_(std::move(storage)), extent_(extent) {}

Result<std::byte*> MemoryObject::hostAddress() const {
  QUERN_ASSIGN(std::byte * start, storage_->hostMemory());
  storage_->noteOtherWriters();
  return start + extent_.begin;
}

bool MemoryObject::isAt(const std::byte* host, uint64_t offset) const {
  return storage_->isUnified() && *storage_->hostMemory() + extent_.begin + offset == host;
}

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

std::optional<MemoryObject::Mapping> MemoryObject::removeMapping(const void* pointer) {
  return mappings_.with([pointer](std::vector<Mapping>& mappings) -> std::optional<Mapping> {
    const auto found = std::ranges::find(mappings, pointer, &Mapping::begin);
    if (found == mappings.end())
      return std::nullopt;
    const Mapping mapping = *found;
    *found = mappings.back();
    mappings.pop_back();
    return mapping;
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
  const bool isOfRuntime = !creation.usedMemory() && !creation.external && !creation.graphics;
  QUERN_ASSIGN(Storage::Part part,
               Storage::findOrCreate(context, {.bytes = creation.bytes,
                                               .hostPointer = creation.usedMemory(),
                                               .keep = creation.external,
                                               .onDevice = creation.onDevice(),
                                               .usesSvm = creation.usesSvm,
                                               .initial = initial,
                                               .isUnwritten = isOfRuntime && initial == nullptr}));
  const ByteRange all = {part.begin, part.begin + creation.bytes};
  auto buffer = makeRef<Buffer>(Ref<Context>(&context), std::move(creation),
                                std::move(part.storage), nullptr, all);
  if (buffer->hasKnownAddress())
    context.bufferAddresses().add(*buffer);
  return buffer;
}

Ref<Buffer> Buffer::createSub(Buffer& parent, Creation creation) {
  const uint64_t begin = parent.extent().begin + creation.origin;
  const ByteRange extent = {begin, begin + creation.bytes};
  return makeRef<Buffer>(Ref<Context>(&parent.context()), std::move(creation), parent.storage(),
                         Ref<Buffer>(&parent), extent);
}

Buffer::Buffer(Ref<Context> context, Creation creation, Ref<Storage> storage, Ref<Buffer> parent,
               ByteRange extent)
    : MemoryObject(std::move(context), std::move(creation), std::move(storage), extent),
      parent_(std::move(parent)) {}

Buffer::~Buffer() {
  if (hasKnownAddress() && !parent_)
    context().bufferAddresses().remove(*this);
  runDestructorCallbacks(storage());
}

device::Work Buffer::moveMapped(const Device& device, const Mapping& mapping,
                                Direction direction) const {
  if (storage()->hasHostCopy())
    return device::Nothing();
  const device::Place inBuffer = placeOn(device, mapping.origin[0]);
  const device::Place inHost = {.host = mapping.begin};
  const bool toHost = direction == Direction::ToHost;
  return device::Copy{.source = toHost ? inBuffer : inHost,
                      .destination = toHost ? inHost : inBuffer,
                      .bytes = mapping.region[0]};
}

} // namespace quern::runtime
