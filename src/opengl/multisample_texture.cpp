#include "opengl/multisample_texture.h"

#include <string>

#include "opengl/framebuffer.h"

namespace quern::opengl {

namespace {

/// A triangle that covers all that is drawn into.
constexpr const char* vertexShader = R"(#version 150
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4 - 1, 0, 1);
}
)";

/// What types of GLSL begin with whose numbers are those of the format.
const char* prefixOf(const ImageFormat& format) {
  const bool isInteger = format.format == GL_RED_INTEGER || format.format == GL_RG_INTEGER ||
                         format.format == GL_RGBA_INTEGER;
  if (!isInteger)
    return "";
  return format.type == GL_BYTE || format.type == GL_SHORT || format.type == GL_INT ? "i" : "u";
}

/// The sample slice.y of each element of the layer slice.x.
std::string fragmentShader(const Image::Shape& shape) {
  const std::string prefix = prefixOf(*shape.format);
  const bool isArray = shape.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  return "#version 150\n"
         "uniform " +
         prefix + (isArray ? "sampler2DMSArray" : "sampler2DMS") +
         " elements;\n"
         "uniform ivec2 slice;\n"
         "out " +
         prefix +
         "vec4 element;\n"
         "void main() {\n"
         "  ivec2 at = ivec2(gl_FragCoord.xy);\n"
         "  element = texelFetch(elements, " +
         (isArray ? "ivec3(at, slice.x)" : "at") + ", slice.y);\n}\n";
}

/// OpenGL gives no samples to the host, but shaders read them: each slice is drawn to be read.
class MultisampleTexture final : public Image {
public:
  MultisampleTexture(const Name& name, const Shape& shape) : Image(name, shape) {}

  Status read(const Functions& functions, const HostElements& to) const override {
    functions.clearErrors();
    if (program_ == 0)
      program_ = makeProgram(functions);
    const GLuint drawn = makeDrawn(functions);
    GLuint vertices = 0;
    functions.genVertexArrays(1, &vertices);
    functions.bindVertexArray(vertices);
    {
      const Framebuffer framebuffer(functions, GL_FRAMEBUFFER);
      functions.framebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, drawn, 0);
      readSlices(functions, to);
    }
    functions.bindVertexArray(0);
    functions.deleteVertexArrays(1, &vertices);
    functions.deleteTextures(1, &drawn);
    return checkErrors(functions, "the samples of an OpenGL texture cannot be read");
  }

  /// Nothing but OpenGL writes samples.
  Status write(const Functions&, const HostElements&) const override { return {}; }

  bool isPlain() const override { return false; }

  void release(const Functions& functions) const override { functions.deleteProgram(program_); }

private:
  GLsizei width() const { return asSize(shape().size[0]); }
  GLsizei height() const { return asSize(shape().size[1]); }

  GLuint makeProgram(const Functions& functions) const {
    const GLuint program = functions.createProgram();
    const auto attach = [&](GLenum kind, const char* source) {
      const GLuint shader = functions.createShader(kind);
      functions.shaderSource(shader, 1, &source, nullptr);
      functions.compileShader(shader);
      functions.attachShader(program, shader);
      functions.deleteShader(shader); // when the program is
    };
    attach(GL_VERTEX_SHADER, vertexShader);
    attach(GL_FRAGMENT_SHADER, fragmentShader(shape()).c_str());
    functions.linkProgram(program);
    return program;
  }

  /// What slices are drawn into. Formats with samples can be drawn, but depths only by tests.
  GLuint makeDrawn(const Functions& functions) const {
    GLuint texture = 0;
    functions.genTextures(1, &texture);
    functions.bindTexture(GL_TEXTURE_2D, texture);
    functions.texStorage2D(GL_TEXTURE_2D, 1,
                           shape().format->isDepth() ? GL_R32F : shape().format->internal, width(),
                           height());
    functions.bindTexture(GL_TEXTURE_2D, 0);
    return texture;
  }

  void readSlices(const Functions& functions, const HostElements& to) const {
    const ImageFormat& format = *shape().format;
    functions.viewport(0, 0, width(), height());
    functions.enable(GL_FRAMEBUFFER_SRGB); // shaders read linear values
    functions.useProgram(program_);
    functions.bindTexture(name().target, name().name);
    const GLint slice = functions.getUniformLocation(program_, "slice");
    setPackLayout(functions, to);
    std::byte* elements = to.first;
    for (GLint layer = 0; layer < asSize(shape().size[2]); ++layer)
      for (GLint sample = 0; sample < asSize(shape().samples); ++sample) {
        functions.uniform2i(slice, layer, sample);
        functions.drawArrays(GL_TRIANGLES, 0, 3);
        functions.readPixels(0, 0, width(), height(), format.isDepth() ? GL_RED : format.format,
                             format.type, elements);
        elements += to.sliceStride;
      }
    functions.bindTexture(name().target, 0);
    functions.useProgram(0);
  }

  /// 0 until it is needed first. Used on the share group's thread alone.
  mutable GLuint program_ = 0;
};

} // namespace

bool isMultisampleTarget(GLenum target) {
  return target == GL_TEXTURE_2D_MULTISAMPLE || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
}

Ref<Image> makeMultisampleTexture(const Object::Name& name, const Image::Shape& shape) {
  return makeRef<MultisampleTexture>(name, shape);
}

} // namespace quern::opengl
