#include "api/graphics_commands.h"

#include <algorithm>

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

#include "api/handle.h"
#include "api/wait_list.h"
#include "opengl/fence.h"
#include "runtime/command_queue.h"
#include "runtime/record_sharing.h"

namespace quern::api {

namespace {

using runtime::CommandQueue;
using runtime::GraphicsObject;
using runtime::MemoryObject;
using Library = GraphicsObject::Library;

/// num_objects and mem_objects contradict each other.
Status checkList(cl_uint count, const cl_mem* objects) {
  if ((count == 0) != (objects == nullptr))
    return Status::error(
        CL_INVALID_VALUE,
        sentence("num_objects is ", count, " but mem_objects is ", objects ? "given" : "NULL"));
  return {};
}

Result<std::vector<Ref<MemoryObject>>> parseObjects(Library library, const CommandQueue& queue,
                                                    cl_uint count, const cl_mem* handles) {
  QUERN_ASSIGN(const std::vector<MemoryObject*> list, fromHandles<MemoryObject>(count, handles));
  // The context was not made from an OpenGL context.
  if (library == Library::OpenGL && !queue.context().shareGroup())
    return Status::error(CL_INVALID_CONTEXT,
                         "the context of the command-queue was not made from an OpenGL context");
  std::vector<Ref<MemoryObject>> objects;
  for (MemoryObject* memory : list) {
    if (&memory->context() != &queue.context())
      return Status::error(library == Library::OpenGL ? CL_INVALID_CONTEXT : CL_INVALID_MEM_OBJECT,
                           "a memory object belongs to another context than the command-queue");
    // The memory object was not made from an object of the library.
    if (!memory->graphics() || memory->graphics()->library() != library)
      return Status::error(library == Library::OpenGL ? CL_INVALID_GL_OBJECT
                                                      : CL_INVALID_EGL_OBJECT_KHR,
                           "a memory object was not made from an object of the graphics library");
    objects.emplace_back(memory);
  }
  return objects;
}

} // namespace

Result<Command> enqueueAcquire(Library library, cl_command_queue queueHandle, cl_uint count,
                               const cl_mem* handles, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_TRY(checkList(count, handles));
  if (count == 0)
    return Command();
  QUERN_ASSIGN(std::vector<Ref<MemoryObject>> objects,
               parseObjects(library, *queue, count, handles));
  QUERN_ASSIGN(const runtime::WaitList waitList,
               parseWaitList(queue->context(), wait.count, wait.events, LinkedEvents::Allowed));
  const GLsync fence = opengl::insertFence(objects.front()->graphics()->group());
  return queue->enqueue(runtime::recordAcquire(queue->device(),
                                               library == Library::OpenGL
                                                   ? CL_COMMAND_ACQUIRE_GL_OBJECTS
                                                   : CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR,
                                               std::move(objects), fence),
                        waitList);
}

Result<Command> enqueueRelease(Library library, cl_command_queue queueHandle, cl_uint count,
                               const cl_mem* handles, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_TRY(checkList(count, handles));
  if (count == 0)
    return Command();
  QUERN_ASSIGN(std::vector<Ref<MemoryObject>> objects,
               parseObjects(library, *queue, count, handles));
  QUERN_ASSIGN(
      const runtime::WaitList waitList,
      parseWaitList(queue->context(), wait.count, wait.events,
                    library == Library::Egl ? LinkedEvents::Allowed : LinkedEvents::Refused));
  const bool isCurrent = objects.front()->graphics()->group().isCurrent();
  Command command = queue->enqueue(runtime::recordRelease(queue->device(),
                                                          library == Library::OpenGL
                                                              ? CL_COMMAND_RELEASE_GL_OBJECTS
                                                              : CL_COMMAND_RELEASE_EGL_OBJECTS_KHR,
                                                          std::move(objects)),
                                   waitList);
  const bool needsProgram = std::ranges::any_of(waitList, [](const runtime::Event* event) {
    return event->isUserEvent() && !event->hasEnded();
  });
  if (isCurrent && !needsProgram)
    command->wait();
  return command;
}

} // namespace quern::api
