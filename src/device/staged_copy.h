#pragma once

#include <functional>

#include "device/device.h"

namespace quern::device {

/// Copies between memories of two devices of which neither can reach the other's, by way of the
/// host's: `reading`, a queue of the source's device, brings parts of the bytes to the host, and
/// `writing`, of the destination's device, takes them from there. Calls `done` once, with
/// CL_COMPLETE or the first negative code, from any thread and possibly before it returns. Whoever
/// calls it keeps both allocations until then.
void copyByWayOfHost(const Copy& copy, Ref<Queue> reading, Ref<Queue> writing,
                     std::function<void(cl_int status)> done);

} // namespace quern::device
