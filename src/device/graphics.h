#pragma once

#include <cstdint>
#include <optional>

#include "base/ref.h"
#include "base/result.h"
#include "device/image.h"
#include "device/memory.h"

/// Objects of OpenGL that live on a device. Everything here is called, and its last reference
/// dropped, on one thread, where an OpenGL context that has the object is current.
namespace quern::device {

struct GraphicsRequest {
  uint32_t name = 0;   ///< of a buffer, texture or renderbuffer
  uint32_t target = 0; ///< of OpenGL; 0 for a buffer
  uint32_t level = 0;
  uint64_t bytes = 0; ///< of a buffer
  /// Of anything else: its elements, with the strides that they have in the device's memory.
  std::optional<ImageDescription> image;
};

/// Copies between an object of OpenGL and the device's memory.
class GraphicsObject : public RefCounted {
public:
  /// Both return when the copy has ended and OpenGL may use the object again. They fail with
  /// CL_OUT_OF_RESOURCES.
  virtual Status copyTo(const Place& place) = 0;
  virtual Status copyFrom(const Place& place) = 0;
};

} // namespace quern::device
