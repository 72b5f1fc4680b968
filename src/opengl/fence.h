#pragma once

#include "opengl/share_group.h"

namespace quern::opengl {

/// A point in what the context that is current on the calling thread was told to do, which the
/// share group's thread can wait for. Null where the context is in no share group of ours, or none
/// is current; the context is finished then.
GLsync insertFence(const ShareGroup& group);

/// On the share group's thread: waits for `fence` and deletes it; does nothing for null.
void waitAndDelete(const Functions& functions, GLsync fence);

/// On the share group's thread: whether `sync` is signaled, or has been deleted. Waits for a moment
/// where it is not.
bool isSignaled(const Functions& functions, GLsync sync);
/// Likewise for a fence of EGL.
bool isSignaled(void* display, void* sync);

} // namespace quern::opengl
