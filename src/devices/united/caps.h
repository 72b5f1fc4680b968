#pragma once

#include <span>

#include "base/ref.h"
#include "device/device.h"

namespace quern::united {

/// What all of `members` can do, without memory that they share with the host.
device::Caps makeCaps(std::span<const Ref<device::Device>> members);

} // namespace quern::united
