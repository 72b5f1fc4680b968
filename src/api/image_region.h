#pragma once

#include <array>

#include <CL/cl.h>

#include "base/result.h"
#include "runtime/command_queue.h"
#include "runtime/image.h"

/// Checks that the commands on images share.
namespace quern::api {

/// The image argument of a command in `queue`. CL_INVALID_MEM_OBJECT when it is not an image;
/// CL_INVALID_CONTEXT when it belongs to another context than the queue; then what the queue's
/// device cannot use: CL_INVALID_OPERATION, CL_INVALID_IMAGE_SIZE, CL_IMAGE_FORMAT_NOT_SUPPORTED.
Result<runtime::Image*> commandImage(const runtime::CommandQueue& queue, cl_mem handle);

/// A box of elements.
struct ImageRegion {
  std::array<uint64_t, 3> origin;
  std::array<uint64_t, 3> size;
};

/// CL_INVALID_VALUE when `origin` or `region` is NULL, an element of the region is zero, or the box
/// is not inside the image. In the dimensions that the image does not have the origin is 0 and the
/// region 1.
Result<ImageRegion> parseImageRegion(const runtime::Image& image, const size_t* origin,
                                     const size_t* region);

/// Pitches of the elements of a box in the host's memory, in bytes.
struct HostPitches {
  uint64_t row =
      0; ///< from one row to the next or, of a 1D image array, from one layer to the next
  uint64_t slice = 0; ///< from one slice or layer to the next
};

/// Pitches of `size` elements of `image`, 0 standing for no gap. CL_INVALID_VALUE when one is too
/// small or is given where the image has no slices.
Result<HostPitches> parseHostPitches(const runtime::Image& image,
                                     const std::array<uint64_t, 3>& size, size_t rowPitch,
                                     size_t slicePitch);

} // namespace quern::api
