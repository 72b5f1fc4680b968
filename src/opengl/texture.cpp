#include "opengl/texture.h"

#include <algorithm>
#include <bit>

#include "base/sentence.h"
#include "opengl/buffer.h"
#include "opengl/multisample_texture.h"

namespace quern::opengl {

namespace {

/// Of contexts with the functions of before OpenGL 3.1 alone.
constexpr GLenum textureBorder = 0x1005;

struct Target {
  GLenum target;
  GLenum bound; ///< what the texture is bound to
  cl_gl_object_type objectType;
  cl_mem_object_type imageType;
  int dimensions;
  bool hasLevels;
};

// clang-format off
constexpr Target targets[] = {
    {GL_TEXTURE_1D, GL_TEXTURE_1D, CL_GL_OBJECT_TEXTURE1D, CL_MEM_OBJECT_IMAGE1D, 1, true},
    {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_1D_ARRAY, CL_GL_OBJECT_TEXTURE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, true},
    {GL_TEXTURE_BUFFER, GL_TEXTURE_BUFFER, CL_GL_OBJECT_TEXTURE_BUFFER, CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, false},
    {GL_TEXTURE_2D, GL_TEXTURE_2D, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, true},
    {GL_TEXTURE_RECTANGLE, GL_TEXTURE_RECTANGLE, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, false},
    {GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, true},
    {GL_TEXTURE_CUBE_MAP_POSITIVE_Y, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, true},
    {GL_TEXTURE_CUBE_MAP_POSITIVE_Z, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, true},
    {GL_TEXTURE_CUBE_MAP_NEGATIVE_X, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, true},
    {GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, true},
    {GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, true},
    {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_2D_ARRAY, CL_GL_OBJECT_TEXTURE2D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, true},
    {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_2D_MULTISAMPLE, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, 2, false},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_2D_MULTISAMPLE_ARRAY, CL_GL_OBJECT_TEXTURE2D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, false},
    {GL_TEXTURE_3D, GL_TEXTURE_3D, CL_GL_OBJECT_TEXTURE3D, CL_MEM_OBJECT_IMAGE3D, 3, true},
};
// clang-format on

const Target* findTarget(GLenum target) {
  const auto found = std::ranges::find(targets, target, &Target::target);
  return found == std::end(targets) ? nullptr : found;
}

/// A texture whose elements OpenGL places where it likes.
class Texture final : public Image {
public:
  Texture(const Name& name, const Shape& shape, const Target& target)
      : Image(name, shape), target_(target) {}

  Status read(const Functions& functions, const HostElements& to) const override {
    functions.clearErrors();
    setPackLayout(functions, to);
    functions.bindTexture(target_.bound, name().name);
    functions.getTexImage(target_.target, name().level, shape().format->format,
                          shape().format->type, to.first);
    functions.bindTexture(target_.bound, 0);
    return checkErrors(functions, "the contents of an OpenGL texture cannot be read");
  }

  Status write(const Functions& functions, const HostElements& from) const override {
    functions.clearErrors();
    functions.bindTexture(target_.bound, name().name);
    setUnpackLayout(functions, from);
    writeElements(functions, from.first);
    functions.bindTexture(target_.bound, 0);
    functions.finish();
    return checkErrors(functions, "the contents of an OpenGL texture cannot be written");
  }

  bool isPlain() const override { return !shape().format->isDepth(); }

private:
  void writeElements(const Functions& functions, const std::byte* elements) const {
    const auto [width, height, depth] = shape().size;
    const GLenum format = shape().format->format, type = shape().format->type;
    const GLint level = name().level;
    if (target_.dimensions == 1)
      functions.texSubImage1D(target_.target, level, 0, asSize(width), format, type, elements);
    else if (target_.dimensions == 2)
      functions.texSubImage2D(target_.target, level, 0, 0, asSize(width), asSize(height), format,
                              type, elements);
    else
      functions.texSubImage3D(target_.target, level, 0, 0, 0, asSize(width), asSize(height),
                              asSize(depth), format, type, elements);
  }

  const Target& target_;
};

/// A texture whose elements are those of a buffer.
class BufferTexture final : public Image {
public:
  BufferTexture(const Name& name, const Shape& shape, GLuint buffer, uint64_t offset)
      : Image(name, shape), buffer_(buffer), offset_(offset) {}

  Status read(const Functions& functions, const HostElements& to) const override {
    return readBytes(functions, buffer_, offset_, bytes(), to.first);
  }
  Status write(const Functions& functions, const HostElements& from) const override {
    return writeBytes(functions, buffer_, offset_, bytes(), from.first);
  }

  bool isPlain() const override { return false; }

private:
  uint64_t bytes() const { return shape().size[0] * shape().format->elementBytes; }

  const GLuint buffer_;
  const uint64_t offset_;
};

/// Asks for parameters of the texture that is bound.
struct Bound {
  const Functions& functions;
  const Target& target;

  GLint ofTexture(GLenum parameter) const {
    GLint value = 0;
    functions.getTexParameteriv(target.bound, parameter, &value);
    return value;
  }
  GLint ofLevel(GLint level, GLenum parameter) const {
    GLint value = 0;
    functions.getTexLevelParameteriv(target.target, level, parameter, &value);
    return value;
  }
};

Status invalidObject(std::string text) {
  return Status::error(CL_INVALID_GL_OBJECT, std::move(text));
}

/// The level is below the base level or above the last one that the size allows.
Status checkLevel(const Bound& bound, GLint level) {
  GLint first = 0, last = 0;
  if (bound.target.hasLevels) {
    first = bound.ofTexture(GL_TEXTURE_BASE_LEVEL);
    unsigned largest = 1;
    for (const GLenum size : {GL_TEXTURE_WIDTH, GL_TEXTURE_HEIGHT, GL_TEXTURE_DEPTH})
      largest = std::max(largest, static_cast<unsigned>(bound.ofLevel(first, size)));
    last = std::min(bound.ofTexture(GL_TEXTURE_MAX_LEVEL),
                    first + static_cast<GLint>(std::bit_width(largest)) - 1);
  }
  if (level < first || level > last)
    return Status::error(CL_INVALID_MIP_LEVEL, sentence("level ", level, " is not one of ", first,
                                                        " to ", last, " of the texture"));
  return {};
}

Result<Ref<Image>> describe(const Bound& bound, const Object::Name& name) {
  const GLint level = name.level;
  Image::Shape shape = {.type = bound.target.imageType};
  const std::array<GLenum, 3> sizes = {GL_TEXTURE_WIDTH, GL_TEXTURE_HEIGHT, GL_TEXTURE_DEPTH};
  for (int i = 0; i < bound.target.dimensions; ++i)
    shape.size[static_cast<size_t>(i)] =
        static_cast<uint64_t>(bound.ofLevel(level, sizes[static_cast<size_t>(i)]));
  // The level is not there.
  if (std::ranges::count(shape.size, 0u) != 0)
    return invalidObject(
        sentence("level ", level, " of the OpenGL texture ", name.name, " has no elements"));
  // The texture has a border.
  if (bound.ofLevel(level, textureBorder) > 0)
    return Status::error(CL_INVALID_OPERATION,
                         sentence("the OpenGL texture ", name.name, " has a border"));
  bound.functions.clearErrors();
  const auto internal = static_cast<GLenum>(bound.ofLevel(level, GL_TEXTURE_INTERNAL_FORMAT));
  QUERN_ASSIGN(
      shape.format,
      sharedFormat(withSizes(internal, bound.ofLevel(level, GL_TEXTURE_RED_SIZE),
                             static_cast<GLenum>(bound.ofLevel(level, GL_TEXTURE_RED_TYPE))),
                   "texture"));
  if (isMultisampleTarget(bound.target.target)) {
    shape.samples = static_cast<uint32_t>(std::max(1, bound.ofLevel(0, GL_TEXTURE_SAMPLES)));
    Object::Name named = name;
    named.samples = static_cast<GLsizei>(shape.samples);
    return makeMultisampleTexture(named, shape);
  }
  if (bound.target.target != GL_TEXTURE_BUFFER)
    return Ref<Image>(makeRef<Texture>(name, shape, bound.target));
  const auto buffer = static_cast<GLuint>(bound.ofLevel(0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING));
  const auto offset = static_cast<uint64_t>(bound.ofLevel(0, GL_TEXTURE_BUFFER_OFFSET));
  bound.functions.clearErrors();
  return Ref<Image>(makeRef<BufferTexture>(name, shape, buffer, offset));
}

} // namespace

bool isTextureTarget(GLenum target) {
  return findTarget(target) != nullptr;
}

cl_gl_object_type objectType(GLenum target) {
  return findTarget(target)->objectType;
}

Result<Ref<Image>> findTexture(const Functions& functions, GLenum target, GLint level,
                               GLuint name) {
  const Bound bound = {functions, *findTarget(target)};
  if (!functions.isTexture(name))
    return invalidObject(sentence(name, " is not the name of an OpenGL texture"));
  functions.clearErrors();
  functions.bindTexture(bound.target.bound, name);
  if (functions.getError() != GL_NO_ERROR)
    return invalidObject(
        sentence("the OpenGL texture ", name, " is not one of target ", bound.target.bound));
  Status status = checkLevel(bound, level);
  Result<Ref<Image>> image =
      status.ok()
          ? describe(
                bound,
                {.type = bound.target.objectType, .name = name, .target = target, .level = level})
          : Result<Ref<Image>>(std::move(status));
  functions.bindTexture(bound.target.bound, 0);
  return image;
}

} // namespace quern::opengl
