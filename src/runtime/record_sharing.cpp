#include "runtime/record_sharing.h"

#include <algorithm>
#include <iterator>

#include "base/log.h"
#include "opengl/fence.h"
#include "runtime/graphics_object.h"
#include "runtime/image.h"

namespace quern::runtime {

namespace {

using Transfer = Status (GraphicsObject::*)(const Device&, MemoryObject&) const;

/// The status that a command ends with.
cl_int transferAll(const Device& device, const std::vector<Ref<MemoryObject>>& objects,
                   Transfer transfer) {
  for (const Ref<MemoryObject>& memory : objects) {
    const Status status = (*memory->graphics().*transfer)(device, *memory);
    if (!status.ok()) {
      log::error(status.sentence());
      return status.code();
    }
  }
  return CL_COMPLETE;
}

/// What kernels only read is in the other library as it was.
bool mayBeWritten(const Ref<MemoryObject>& memory) {
  const Image* const image = asImage(memory.get());
  return !(memory->flags() & CL_MEM_READ_ONLY) && !(image && image->isForReadingAlone());
}

/// Lets `function` run on the thread of the objects' share group.
void doThere(RecordedCommand& command, const std::vector<Ref<MemoryObject>>& objects,
             std::function<cl_int()> function) {
  const Ref<opengl::ShareGroup> group(&objects.front()->graphics()->group());
  command.hostWork =
      std::make_unique<HostWork>(std::move(function), [group](std::function<void()> work) {
        group->post([work = std::move(work)](const opengl::Functions&) { work(); });
      });
}

} // namespace

Recorded recordAcquire(const Device& device, cl_command_type type,
                       std::vector<Ref<MemoryObject>> objects, GLsync fence) {
  auto command = makeRef<RecordedCommand>(device, type);
  for (const Ref<MemoryObject>& memory : objects)
    command->use(memory, Access::Write);
  opengl::ShareGroup& group = objects.front()->graphics()->group();
  doThere(*command, objects, [&device, &group, objects, fence] {
    opengl::waitAndDelete(group.functions(), fence);
    return transferAll(device, objects, &GraphicsObject::acquire);
  });
  return command;
}

Recorded recordRelease(const Device& device, cl_command_type type,
                       std::vector<Ref<MemoryObject>> objects) {
  auto command = makeRef<RecordedCommand>(device, type);
  for (const Ref<MemoryObject>& memory : objects)
    command->use(memory, Access::Read);
  std::vector<Ref<MemoryObject>> written;
  std::ranges::copy_if(objects, std::back_inserter(written), mayBeWritten);
  doThere(*command, objects,
          [&device, written] { return transferAll(device, written, &GraphicsObject::release); });
  return command;
}

} // namespace quern::runtime
