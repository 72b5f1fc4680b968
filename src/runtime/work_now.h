#pragma once

#include "base/result.h"
#include "device/device.h"

namespace quern::runtime {

/// Lets `device` do `work` outside of the program's queues and blocks until it is done. Fails with
/// the code that the device ended it with.
Status doNow(device::Device& device, const device::Work& work);

} // namespace quern::runtime
