#pragma once

#include <memory>

#include "base/result.h"
#include "device/memory.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// Memory of the GPU, or of the host and pinned where the request asks for memory that both share.
/// `gpu` is open. CL_MEM_OBJECT_ALLOCATION_FAILURE when there is not enough.
Result<Ref<device::Allocation>> allocate(const std::shared_ptr<Gpu>& gpu,
                                         const device::AllocationRequest& request);

/// The address that the driver knows `place` by.
Address addressOf(const device::Place& place);

} // namespace quern::cuda
