#pragma once

#include "base/result.h"
#include "device/memory.h"
#include "device/semaphore.h"
#include "devices/cuda/gpu.h"

/// Memory and semaphores that other interfaces of NVIDIA's driver, such as Vulkan, have exported as
/// file descriptors.
namespace quern::cuda {

/// Both fail with CL_INVALID_PROPERTY when the driver does not know `file`, which stays the
/// caller's. The GPU is open, and lives as long as the process.
Result<Ref<device::Allocation>> importMemory(const Gpu& gpu, int file, uint64_t bytes);
Result<Ref<device::Semaphore>> importSemaphore(const Gpu& gpu, int file);

/// Enqueues what `work` says.
Error enqueue(const Gpu& gpu, StreamHandle stream, const device::UseSemaphores& work);

} // namespace quern::cuda
