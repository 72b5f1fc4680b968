#pragma once

#include <vector>

#include "runtime/memory.h"
#include "runtime/recorded_command.h"

/// Records the commands that hand objects of a graphics library from it to OpenCL and back. The
/// memory objects were all made from such objects.
namespace quern::runtime {

/// `fence`, which may be null, is a point of the program's OpenGL context that it waits for
/// (opengl::insertFence); it belongs to the command, which runs only once.
Recorded recordAcquire(const Device& device, cl_command_type type,
                       std::vector<Ref<MemoryObject>> objects, GLsync fence);
Recorded recordRelease(const Device& device, cl_command_type type,
                       std::vector<Ref<MemoryObject>> objects);

} // namespace quern::runtime
