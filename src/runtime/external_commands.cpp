#include "runtime/external_commands.h"

#include <algorithm>

#include "base/log.h"
#include "runtime/external_memory.h"
#include "runtime/recorded_command.h"

namespace quern::runtime {

namespace {

constexpr cl_command_type acquires = CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;
constexpr cl_command_type releases = CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR;

/// No copy is in the host's memory: the queue's device must copy from there and back.
bool isCopied(const MemoryObject& memory) {
  return memory.external()->data() && !memory.storage()->hasHostCopy();
}

Recorded recordCopy(const Device& device, cl_command_type type, MemoryObject& memory) {
  auto command = makeRef<RecordedCommand>(device, type);
  const bool isAcquired = type == acquires;
  command->use(Ref<MemoryObject>(&memory), isAcquired ? Access::Write : Access::Read);
  const device::Place outside = {.host = memory.external()->data()};
  const device::Place inside = memory.placeOn(device, 0);
  command->work = device::Copy{.source = isAcquired ? outside : inside,
                               .destination = isAcquired ? inside : outside,
                               .bytes = memory.extent().bytes()};
  return command;
}

/// What the host does, when all commands before have ended: a device may read the host's memory
/// when it is given a copy, which must not be before others have written there. A device's copies
/// of what was acquired are out of date, and the copy in the host's memory of what is released must
/// not be.
Recorded recordHandOver(const Device& device, cl_command_type type,
                        const std::vector<MemoryObject*>& objects) {
  auto command = makeRef<RecordedCommand>(device, type);
  std::vector<Ref<MemoryObject>> told;
  const bool anyCopied =
      std::ranges::any_of(objects, [](const MemoryObject* memory) { return isCopied(*memory); });
  for (MemoryObject* memory : objects) {
    if (!isCopied(*memory))
      command->use(Ref<MemoryObject>(memory), type == acquires ? Access::Write : Access::Read);
    if (memory->external()->needsAccessCalls())
      told.emplace_back(memory);
  }
  if (told.empty() && !anyCopied)
    return command;
  command->hostWork = std::make_unique<HostWork>([type, told = std::move(told)]() -> cl_int {
    for (const Ref<MemoryObject>& memory : told) {
      const ExternalMemory& external = *memory->external();
      const Status status = type == acquires ? external.beginAccess() : external.endAccess();
      if (!status.ok()) {
        log::error(status.sentence());
        return status.code();
      }
    }
    return CL_COMPLETE;
  });
  return command;
}

/// A copy of each object that needs one, after the events `before`.
std::vector<Ref<Event>> enqueueCopies(CommandQueue& queue, cl_command_type type,
                                      const std::vector<MemoryObject*>& objects,
                                      const WaitList& before) {
  std::vector<Ref<Event>> copies;
  for (MemoryObject* memory : objects)
    if (isCopied(*memory))
      copies.push_back(queue.enqueue(recordCopy(queue.device(), type, *memory), before));
  return copies;
}

WaitList listOf(const std::vector<Ref<Event>>& events) {
  WaitList list;
  for (const Ref<Event>& event : events)
    list.push_back(event.get());
  return list;
}

} // namespace

Ref<Event> enqueueAcquire(CommandQueue& queue, const std::vector<MemoryObject*>& objects,
                          const WaitList& waitList) {
  Ref<Event> handOver = queue.enqueue(recordHandOver(queue.device(), acquires, objects), waitList);
  const std::vector<Ref<Event>> copies = enqueueCopies(queue, acquires, objects, {handOver.get()});
  if (copies.empty())
    return handOver;
  return queue.enqueue(makeRef<RecordedCommand>(queue.device(), acquires), listOf(copies));
}

Ref<Event> enqueueRelease(CommandQueue& queue, const std::vector<MemoryObject*>& objects,
                          const WaitList& waitList) {
  const std::vector<Ref<Event>> copies = enqueueCopies(queue, releases, objects, waitList);
  return queue.enqueue(recordHandOver(queue.device(), releases, objects),
                       copies.empty() ? waitList : listOf(copies));
}

} // namespace quern::runtime
