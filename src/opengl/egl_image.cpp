#include "opengl/egl_image.h"

#include <string_view>

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

/// Some drivers write the EGLImage only through a texture whose storage it is for good; others have
/// only the older function.
bool makeTexture(const Functions& functions, void* image, GLuint& name) {
  for (const bool asStorage : {true, false}) {
    if (asStorage && !functions.eglImageTargetTexStorage)
      continue;
    functions.genTextures(1, &name);
    functions.clearErrors();
    functions.bindTexture(GL_TEXTURE_2D, name);
    if (asStorage)
      functions.eglImageTargetTexStorage(GL_TEXTURE_2D, image, nullptr);
    else
      functions.eglImageTargetTexture2D(GL_TEXTURE_2D, image);
    GLint width = 0;
    functions.getTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    if (functions.getError() == GL_NO_ERROR && width > 0)
      return true;
    if (asStorage)
      functions.deleteTextures(1, &name);
  }
  return false;
}

} // namespace

/// NVIDIA's OpenGL writes another texture than the one that the EGLImage was made from.
bool canWriteEglImages(const Functions& functions) {
  const auto* const vendor = reinterpret_cast<const char*>(functions.getString(GL_VENDOR));
  return !vendor || !std::string_view(vendor).starts_with("NVIDIA");
}

Result<Ref<Image>> findEglImage(const Functions& functions, void* image) {
  // A handle that is null; no call of EGL tells whether another one is an image.
  if (!image)
    return Status::error(CL_INVALID_EGL_OBJECT_KHR, "image is EGL_NO_IMAGE");
  if (!functions.eglImageTargetTexture2D)
    return Status::error(CL_IMAGE_FORMAT_NOT_SUPPORTED, "OpenGL makes no textures of EGLImages");
  GLuint name = 0;
  const bool isImage = makeTexture(functions, image, name);
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
