#pragma once

#include <array>
#include <vector>

#include "device/image.h"
#include "runtime/memory.h"

namespace quern::runtime {

/// An image. Its elements are in memory of its own, of the program (CL_MEM_USE_HOST_PTR), of a
/// buffer or of another image.
class Image final : public MemoryObject {
public:
  /// The strides of the description are the image's own.
  struct Shape {
    device::ImageDescription description;
    /// What CL_IMAGE_ROW_PITCH and CL_IMAGE_SLICE_PITCH return, in bytes.
    uint64_t rowPitch = 0, slicePitch = 0;
  };

  /// An image with memory of its own, where the rows of a 2D image may get other strides than the
  /// pitch of `shape`, or of the program. `initial` is the program's host_ptr, whose elements lie
  /// as `shape` says. Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE or CL_OUT_OF_HOST_MEMORY.
  static Result<Ref<Image>> create(Context& context, Creation creation, Shape shape,
                                   const void* initial);
  /// An image of the elements of `buffer`, which it keeps.
  static Result<Ref<Image>> createFrom(Buffer& buffer, Creation creation, const Shape& shape);
  /// Another view of the elements of `image`, which it keeps.
  static Result<Ref<Image>> createFrom(Image& image, Creation creation, const Shape& shape);

  const device::ImageDescription& description() const { return shape_.description; }
  /// As the program knows it; the description says how elements are stored.
  const cl_image_format& format() const {
    return description().announced ? *description().announced : description().format;
  }
  /// By kernels: one with a stencil or samples, which only another library can write.
  bool isForReadingAlone() const {
    return format().image_channel_order == CL_DEPTH_STENCIL || description().samples != 0;
  }
  uint64_t rowPitch() const { return shape_.rowPitch; }
  /// Of what clEnqueueMapImage returns.
  uint64_t mappedRowPitch() const;
  uint64_t slicePitch() const { return shape_.slicePitch; }
  /// From the first byte of the first element to the last byte of the last.
  static uint64_t spanOf(const Shape& shape);
  uint64_t elementBytes() const { return elementBytes_; }
  /// The buffer or image that it was made from, or null.
  MemoryObject* source() const { return source_.get(); }

  /// Bytes from the first element to the one at `origin`.
  uint64_t offsetOf(const std::array<uint64_t, 3>& origin) const;
  device::Work moveMapped(const Device& device, const Mapping& mapping,
                          Direction direction) const override;
  ByteRange bytesOf(const Mapping& mapping) const override;
  /// What a kernel on `device`, one of the context's, gets as the argument.
  uint64_t handleOn(const Device& device) const;

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);

  struct Elements {
    Ref<Storage> storage;
    uint64_t offset = 0;
    Ref<MemoryObject> source;
  };
  struct OnDevice {
    const Device* device;
    Ref<device::Image> image;
  };

  static Result<Ref<Image>> make(Context& context, Creation creation, const Shape& shape,
                                 Elements elements);
  Image(Ref<Context> context, Creation creation, const Shape& shape, Elements elements,
        std::vector<OnDevice> onDevices);
  ~Image() override;

  const Shape shape_;
  const uint64_t elementBytes_;
  const Ref<MemoryObject> source_;
  const std::vector<OnDevice> onDevices_;
};

/// The image behind `memory`, or null when that is none.
Image* asImage(MemoryObject* memory);

} // namespace quern::runtime
