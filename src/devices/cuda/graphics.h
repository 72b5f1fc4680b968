#pragma once

#include "device/graphics.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// Whether the OpenGL context that is current on the calling thread draws on `gpu`.
bool drawsCurrentOpenGl(const Gpu& gpu);

/// Null where the driver does not share the object: of another driver's OpenGL, or of a format or
/// kind that it has no copies for. The GPU is open and lives as long as the process.
Ref<device::GraphicsObject> openGraphics(const Gpu& gpu, const device::GraphicsRequest& request);

} // namespace quern::cuda
