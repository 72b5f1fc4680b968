#pragma once

#include "base/mutex_protected.h"
#include "base/result.h"
#include "device/image.h"
#include "devices/cuda/memory_pool.h"

namespace quern::cuda {

/// Makes the images of one GPU: descriptions (abi::NvptxImage) in its memory of elements in linear
/// memory, which kernels read through textures where there are such. Thread-safe.
class Images {
public:
  /// `memory` of the GPU itself.
  explicit Images(MemoryPool& memory) : memory_(memory) {}

  /// The handle is the address of the description. The GPU is open. Fails with
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<Ref<device::Image>> create(const device::ImageRequest& request);

private:
  /// Where kernels find device::srgbTable; it is put there on first use.
  Result<Address> srgbTable();

  MemoryPool& memory_;
  MutexProtected<Address> srgbTable_{Address{0}};
};

} // namespace quern::cuda
