#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <CL/cl.h>

#include "base/ref.h"
#include "device/memory.h"

namespace quern::device {

/// What an image is, whatever holds its elements. Dimensions that the type does not have are 1.
struct ImageDescription {
  cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D; ///< one of CL_MEM_OBJECT_IMAGExxx
  cl_image_format format = {};
  /// What the program and kernels are told that the format is, where that is not how elements are
  /// stored: where there is a stencil, which no kernel sees.
  std::optional<cl_image_format> announced = std::nullopt;
  /// Elements in each direction; the layers of an array come last: (width, layers, 1) for
  /// CL_MEM_OBJECT_IMAGE1D_ARRAY, (width, height, layers) for CL_MEM_OBJECT_IMAGE2D_ARRAY.
  std::array<uint64_t, 3> size = {1, 1, 1};
  /// Bytes from an element to the next one in the second and third direction.
  uint64_t rowStride = 0, sliceStride = 0;
  /// That each element of a multisample image has; 0 for other images. Sample s of layer l is slice
  /// l * samples + s.
  uint32_t samples = 0;

  /// In memory.
  uint64_t slices() const { return samples ? size[2] * samples : size[2]; }
};

/// Elements in linear memory: the one at the origin is `offset` bytes into `allocation`.
struct ImageRequest {
  ImageDescription description;
  Ref<Allocation> allocation;
  uint64_t offset = 0;
};

/// An image as kernels of one device use it. Keeps the allocation; freed with the last reference,
/// by any thread.
class Image : public RefCounted {
public:
  /// What a kernel gets as the argument.
  uint64_t handle() const { return handle_; }

protected:
  explicit Image(uint64_t handle) : handle_(handle) {}

private:
  const uint64_t handle_;
};

} // namespace quern::device
