#include "opengl/renderbuffer.h"

#include "base/sentence.h"
#include "opengl/framebuffer.h"

namespace quern::opengl {

namespace {

/// OpenGL cannot write a renderbuffer from the host, but copies a texture there.
class Renderbuffer final : public Image {
public:
  Renderbuffer(const Name& name, const Shape& shape) : Image(name, shape) {}

  Status read(const Functions& functions, const HostElements& to) const override {
    functions.clearErrors();
    {
      const Framebuffer framebuffer(functions, GL_READ_FRAMEBUFFER);
      functions.framebufferRenderbuffer(GL_READ_FRAMEBUFFER, attachment(), GL_RENDERBUFFER,
                                        name().name);
      functions.readBuffer(attachedColor());
      setPackLayout(functions, to);
      functions.readPixels(0, 0, width(), height(), shape().format->format, shape().format->type,
                           to.first);
    }
    return checkErrors(functions, "the contents of an OpenGL renderbuffer cannot be read");
  }

  Status write(const Functions& functions, const HostElements& from) const override {
    functions.clearErrors();
    const GLuint texture = makeTexture(functions, from);
    {
      const Framebuffer source(functions, GL_READ_FRAMEBUFFER);
      functions.framebufferTexture2D(GL_READ_FRAMEBUFFER, attachment(), GL_TEXTURE_2D, texture, 0);
      functions.readBuffer(attachedColor());
      const Framebuffer destination(functions, GL_DRAW_FRAMEBUFFER);
      functions.framebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, attachment(), GL_RENDERBUFFER,
                                        name().name);
      const GLenum drawn = attachedColor();
      functions.drawBuffers(1, &drawn);
      functions.blitFramebuffer(
          0, 0, width(), height(), 0, 0, width(), height(),
          shape().format->isDepth() ? GL_DEPTH_BUFFER_BIT : GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    functions.deleteTextures(1, &texture);
    functions.finish();
    return checkErrors(functions, "the contents of an OpenGL renderbuffer cannot be written");
  }

  bool isPlain() const override { return !shape().format->isDepth(); }
  GLenum registeredTarget() const override { return GL_RENDERBUFFER; }

private:
  GLsizei width() const { return asSize(shape().size[0]); }
  GLsizei height() const { return asSize(shape().size[1]); }
  GLenum attachment() const {
    return shape().format->isDepth() ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0;
  }
  GLenum attachedColor() const { return shape().format->isDepth() ? GL_NONE : attachment(); }

  GLuint makeTexture(const Functions& functions, const HostElements& from) const {
    GLuint texture = 0;
    functions.genTextures(1, &texture);
    functions.bindTexture(GL_TEXTURE_2D, texture);
    functions.texParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    functions.texStorage2D(GL_TEXTURE_2D, 1, shape().format->internal, width(), height());
    setUnpackLayout(functions, from);
    functions.texSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width(), height(), shape().format->format,
                            shape().format->type, from.first);
    functions.bindTexture(GL_TEXTURE_2D, 0);
    return texture;
  }
};

Result<Ref<Image>> describe(const Functions& functions, GLuint name) {
  const auto ask = [&functions](GLenum parameter) {
    GLint value = 0;
    functions.getRenderbufferParameteriv(GL_RENDERBUFFER, parameter, &value);
    return value;
  };
  const GLint width = ask(GL_RENDERBUFFER_WIDTH), height = ask(GL_RENDERBUFFER_HEIGHT);
  if (width <= 0 || height <= 0)
    return Status::error(CL_INVALID_GL_OBJECT,
                         sentence("the OpenGL renderbuffer ", name, " has no elements"));
  if (ask(GL_RENDERBUFFER_SAMPLES) > 0)
    return Status::error(CL_INVALID_OPERATION,
                         sentence("the OpenGL renderbuffer ", name, " is multisampled"));
  // Base formats are stored with channels of 8 bits.
  const auto internal = static_cast<GLenum>(ask(GL_RENDERBUFFER_INTERNAL_FORMAT));
  Image::Shape shape = {.size = {static_cast<uint64_t>(width), static_cast<uint64_t>(height), 1}};
  QUERN_ASSIGN(shape.format, sharedFormat(withSizes(internal, ask(GL_RENDERBUFFER_RED_SIZE),
                                                    GL_UNSIGNED_NORMALIZED),
                                          "renderbuffer"));
  return Ref<Image>(
      makeRef<Renderbuffer>(Object::Name{.type = CL_GL_OBJECT_RENDERBUFFER, .name = name}, shape));
}

} // namespace

Result<Ref<Image>> findRenderbuffer(const Functions& functions, GLuint name) {
  if (!functions.isRenderbuffer(name))
    return Status::error(CL_INVALID_GL_OBJECT,
                         sentence(name, " is not the name of an OpenGL renderbuffer"));
  functions.bindRenderbuffer(GL_RENDERBUFFER, name);
  Result<Ref<Image>> image = describe(functions, name);
  functions.bindRenderbuffer(GL_RENDERBUFFER, 0);
  return image;
}

} // namespace quern::opengl
