#pragma once

#include "device/command.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// Enqueue copies and fills on `stream`. The GPU's context is current. Host memory that is not
/// pinned may be read or written before they return.
Error enqueue(const Gpu& gpu, StreamHandle stream, const device::Copy& copy);
Error enqueue(const Gpu& gpu, StreamHandle stream, const device::CopyRect& rect);
Error enqueue(const Gpu& gpu, StreamHandle stream, const device::Fill& fill);
Error enqueue(const Gpu& gpu, StreamHandle stream, const device::FillRect& fill);

} // namespace quern::cuda
