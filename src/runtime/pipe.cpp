#include "runtime/pipe.h"

#include <algorithm>
#include <cstring>

#include "abi/pipe.h"
#include "base/sentence.h"

namespace quern::runtime {

Result<Ref<Pipe>> Pipe::create(Context& context, Creation creation, cl_uint packetBytes,
                               cl_uint capacity) {
  const uint64_t offset = abi::pipePacketsOffset(capacity);
  creation.type = CL_MEM_OBJECT_PIPE;
  creation.bytes = offset + uint64_t{packetBytes} * capacity;
  const bool fits = std::ranges::any_of(context.devices(), [&](const Ref<Device>& device) {
    return creation.bytes <= device->caps().maxAllocBytes;
  });
  if (!fits || capacity > abi::maxPipeSlots)
    return Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                         sentence("a pipe of ", capacity, " packets of ", packetBytes,
                                  " bytes is larger than any device can have"));
  Bytes head(offset);
  const abi::Pipe fields = {.packetBytes = packetBytes,
                            .capacity = capacity,
                            .packetsOffset = offset,
                            .reading = {},
                            .writing = {},
                            .firstState = 0};
  std::memcpy(head.data(), &fields, offsetof(abi::Pipe, firstState));
  QUERN_ASSIGN(Ref<Storage> storage, Storage::create(context, {.bytes = creation.bytes,
                                                               .initial = head.data(),
                                                               .initialBytes = head.size()}));
  return makeRef<Pipe>(Ref<Context>(&context), creation, std::move(storage), packetBytes, capacity);
}

Pipe::Pipe(Ref<Context> context, const Creation& creation, Ref<Storage> storage,
           cl_uint packetBytes, cl_uint capacity)
    : MemoryObject(std::move(context), creation, std::move(storage), {0, creation.bytes}),
      packetBytes_(packetBytes), capacity_(capacity) {}

Pipe::~Pipe() {
  runDestructorCallbacks(storage());
}

} // namespace quern::runtime
