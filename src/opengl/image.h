#pragma once

#include <array>

#include "opengl/image_format.h"
#include "opengl/object.h"

namespace quern::opengl {

/// An object of OpenGL that an image of OpenCL can share.
class Image : public Object {
public:
  struct Shape {
    cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
    const ImageFormat* format = nullptr;
    /// In elements, as device::ImageDescription has it.
    std::array<uint64_t, 3> size = {1, 1, 1};
    uint32_t samples = 0; ///< that each element of a multisample texture has; 0 for others
  };
  const Shape& shape() const { return shape_; }

protected:
  Image(const Name& name, const Shape& shape) : Object(name), shape_(shape) {}

  /// Tells OpenGL where the host has elements that it reads or writes next.
  void setHostLayout(const Functions& functions, const HostElements& host, GLenum rowLength,
                     GLenum imageHeight, GLenum alignment) const;
  void setPackLayout(const Functions& functions, const HostElements& to) const {
    setHostLayout(functions, to, GL_PACK_ROW_LENGTH, GL_PACK_IMAGE_HEIGHT, GL_PACK_ALIGNMENT);
  }
  void setUnpackLayout(const Functions& functions, const HostElements& from) const {
    setHostLayout(functions, from, GL_UNPACK_ROW_LENGTH, GL_UNPACK_IMAGE_HEIGHT,
                  GL_UNPACK_ALIGNMENT);
  }

private:
  const Shape shape_;
};

/// The format `internal` of what `what` names. CL_INVALID_IMAGE_FORMAT_DESCRIPTOR where no image
/// can have it.
Result<const ImageFormat*> sharedFormat(GLenum internal, const char* what);

/// The number as OpenGL wants sizes of images.
inline GLsizei asSize(uint64_t elements) {
  return static_cast<GLsizei>(elements);
}

} // namespace quern::opengl
