#include "opengl/egl_image.h"

#include <CL/cl_egl.h>

#include "opengl/texture.h"

namespace quern::opengl {

namespace {

/// The texture that shows an EGLImage.
class EglImage final : public Image {
public:
  explicit EglImage(Ref<Image> texture)
      : Image(texture->name(), texture->shape()), texture_(std::move(texture)) {}

  Status read(const Functions& functions, const HostElements& to) const override {
    return texture_->read(functions, to);
  }
  Status write(const Functions& functions, const HostElements& from) const override {
    return texture_->write(functions, from);
  }
  void release(const Functions& functions) const override {
    functions.deleteTextures(1, &name().name);
  }

private:
  const Ref<Image> texture_;
};

} // namespace

Result<Ref<Image>> findEglImage(const Functions& functions, void* image) {
  if (!functions.eglImageTargetTexture2D)
    return Status::error(CL_IMAGE_FORMAT_NOT_SUPPORTED, "OpenGL makes no textures of EGLImages");
  // A handle that is null; no call of EGL tells whether another one is an image.
  if (!image)
    return Status::error(CL_INVALID_EGL_OBJECT_KHR, "image is EGL_NO_IMAGE");
  GLuint name = 0;
  functions.genTextures(1, &name);
  functions.clearErrors();
  functions.bindTexture(GL_TEXTURE_2D, name);
  functions.eglImageTargetTexture2D(GL_TEXTURE_2D, image);
  const bool isImage = functions.getError() == GL_NO_ERROR;
  Result<Ref<Image>> texture =
      isImage ? findTexture(functions, GL_TEXTURE_2D, 0, name)
              : Status::error(CL_INVALID_EGL_OBJECT_KHR,
                              "image is not an EGLImage of which OpenGL makes a texture");
  if (texture.ok())
    return Ref<Image>(makeRef<EglImage>(std::move(*texture)));
  functions.deleteTextures(1, &name);
  if (!isImage)
    return texture;
  return Status::error(CL_IMAGE_FORMAT_NOT_SUPPORTED, texture.status().sentence());
}

} // namespace quern::opengl
