#pragma once

#include <vector>

#include "device/device.h"

namespace quern::remote {

/// device::Enumerate of this backend: the devices of the nodes that an MPI launcher has started
/// beside the program (quern-node). None where there are no nodes. Blocks until all have come.
std::vector<Ref<device::Device>> enumerate();

} // namespace quern::remote
