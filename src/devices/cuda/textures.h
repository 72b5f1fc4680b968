#pragma once

#include <array>

#include "abi/nvptx_image.h"
#include "device/image.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

/// The textures through which kernels read one image: of one or two dimensions, with elements that
/// textures know and rows that lie as they must. Has none for other images, and fewer where the
/// driver makes no more. The GPU is open while it lives; its elements must not be freed before.
class Textures {
public:
  Textures(const Gpu& gpu, const device::ImageRequest& request);
  ~Textures();
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;

  /// Fills in what follows `image.memory`.
  void describe(abi::NvptxImage& image) const;

private:
  enum Kind : size_t { Elements, ToEdge, ToBorder, Repeating, kindCount };

  void create(Kind kind, const TextureElements& elements, bool ofIntegers);

  const Gpu& gpu_;
  std::array<TextureHandle, kindCount> handles_ = {};
  uint32_t alpha_ = 0;
  bool isBlueFirst_ = false;
};

} // namespace quern::cuda
