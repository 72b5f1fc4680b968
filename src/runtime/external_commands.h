#pragma once

#include <vector>

#include "runtime/command_queue.h"
#include "runtime/memory.h"

namespace quern::runtime {

/// Enqueues a command that hands `objects`, all of external memory, to the devices of OpenCL, or
/// one that gives them back. Where a device has copies, the contents are brought there or back.
Ref<Event> enqueueAcquire(CommandQueue& queue, const std::vector<MemoryObject*>& objects,
                          const WaitList& waitList);
Ref<Event> enqueueRelease(CommandQueue& queue, const std::vector<MemoryObject*>& objects,
                          const WaitList& waitList);

} // namespace quern::runtime
