#include "runtime/record_again.h"

#include "base/sentence.h"
#include "runtime/memory.h"

namespace quern::runtime {

namespace {

Status checkMemory(const Device& device, const MemoryObject& memory) {
  const bool isBuffer = memory.type() == CL_MEM_OBJECT_BUFFER;
  if (!isBuffer && !device.caps().images)
    return Status::error(CL_INVALID_OPERATION,
                         "a command uses an image, and the other device has none");
  const uint64_t alignment = device.caps().baseAddressAlignBits / 8;
  if (isBuffer && memory.origin() % alignment != 0)
    return Status::error(CL_MISALIGNED_SUB_BUFFER_OFFSET,
                         sentence("a sub-buffer starts at ", memory.origin(),
                                  ", which on the other device must be a multiple of ", alignment,
                                  " bytes"));
  return {};
}

/// Calls `use` for the places of a piece of work.
template <typename Use> void forEachPlace(device::Work& work, Use&& use) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.source; })
          use(one.source);
        if constexpr (requires { one.destination; })
          use(one.destination);
      },
      work);
}

/// The memory of `device` for what `command` has at `place` on its own.
device::Place placeOn(const Device& device, const RecordedCommand& command, device::Place place) {
  for (size_t i = 0; place.allocation && i < command.uses().size(); ++i)
    if (const CommandUse& use = command.uses()[i];
        use.storage && &use.storage->allocationOn(command.device()) == place.allocation) {
      place.allocation = &use.storage->allocationOn(device);
      break;
    }
  return place;
}

/// `again`, on another device, uses what its command `use`s.
Status useAgain(RecordedCommand& again, const CommandUse& use) {
  const Device& device = again.device();
  if (auto* const pointed = dynamic_cast<UnifiedAllocation*>(use.object.get())) {
    if (!pointed->isReachedBy(device))
      return Status::error(CL_INVALID_OPERATION,
                           "a command uses memory that it knows by a pointer, and that the other "
                           "device does not reach");
    again.use(Ref<UnifiedAllocation>(pointed), use.access, use.bytes);
    return {};
  }
  if (!use.storage) {
    again.use(use.object);
    return {};
  }
  auto& memory = static_cast<MemoryObject&>(*use.object);
  QUERN_TRY(checkMemory(device, memory));
  const uint64_t first = memory.extent().begin;
  again.use(Ref<MemoryObject>(&memory), use.access,
            {use.bytes.begin - first, use.bytes.end - first});
  return {};
}

} // namespace

Result<Recorded> recordAgain(const Device& device, const RecordedCommand& command) {
  auto again = makeRef<RecordedCommand>(device, command.type());
  for (size_t i = 0; i < command.uses().size(); ++i)
    QUERN_TRY(useAgain(*again, command.uses()[i]));
  const bool usesSvm =
      command.type() == CL_COMMAND_SVM_MEMCPY || command.type() == CL_COMMAND_SVM_MEMFILL;
  if (usesSvm && device.caps().svm == 0)
    return Status::error(CL_INVALID_OPERATION, "a command uses shared virtual memory, which the "
                                               "other device does not have");
  again->work = command.work;
  forEachPlace(again->work, [&](device::Place& place) { place = placeOn(device, command, place); });
  return Recorded(std::move(again));
}

} // namespace quern::runtime
