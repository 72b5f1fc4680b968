#include "mesh_view.h"

#include "png.h"

#include <GL/glcorearb.h>

#include <stdexcept>

namespace gallery {

namespace {

constexpr const char* vertexShader = R"(#version 150
in vec3 vertex;
out vec3 place;
uniform mat4 view;
void main() {
  place = vertex;
  gl_Position = view * vec4(vertex, 1);
})";

/// Blue in the valleys, white on the crests; surfaces are lit from the left and above.
constexpr const char* fragmentShader = R"(#version 150
in vec3 place;
out vec4 color;
uniform bool isLit;
void main() {
  float crest = clamp(0.5 + 4 * place.z, 0, 1);
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  float light = isLit ? 0.25 + 0.9 * abs(dot(normal, normalize(vec3(-0.6, 0.5, 0.7)))) : 1;
  color = vec4(mix(vec3(0.05, 0.2, 0.5), vec3(0.9, 0.97, 1), crest) * light, 1);
})";

/// From each vertex a line to the right and one up.
std::vector<uint32_t> makeLines(size_t side) {
  std::vector<uint32_t> lines;
  for (size_t y = 0; y < side; ++y)
    for (size_t x = 0; x < side; ++x) {
      const auto here = static_cast<uint32_t>(y * side + x);
      if (x + 1 < side)
        lines.insert(lines.end(), {here, here + 1});
      if (y + 1 < side)
        lines.insert(lines.end(), {here, static_cast<uint32_t>(here + side)});
    }
  return lines;
}

/// Two triangles for each square of the mesh, the far ones first: there is no depth buffer.
std::vector<uint32_t> makeTriangles(size_t side) {
  std::vector<uint32_t> triangles;
  for (size_t y = side - 1; y-- > 0;)
    for (size_t x = 0; x + 1 < side; ++x) {
      const auto here = static_cast<uint32_t>(y * side + x);
      const auto above = static_cast<uint32_t>(here + side);
      triangles.insert(triangles.end(), {here, here + 1, above, above, here + 1, above + 1});
    }
  return triangles;
}

} // namespace

/// OpenGL's side: its functions, which the canvas finds, and the names of its objects.
struct MeshView::Drawing {
  explicit Drawing(const Canvas& canvas) {
    const auto find = [&canvas](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(canvas.function(name));
      if (!function)
        throw std::runtime_error(std::string("OpenGL has no ") + name);
    };
#define GALLERY_FIND(name) find(name, #name)
    GALLERY_FIND(glGenVertexArrays);
    GALLERY_FIND(glBindVertexArray);
    GALLERY_FIND(glGenBuffers);
    GALLERY_FIND(glDeleteBuffers);
    GALLERY_FIND(glBindBuffer);
    GALLERY_FIND(glBufferData);
    GALLERY_FIND(glGetBufferSubData);
    GALLERY_FIND(glCreateShader);
    GALLERY_FIND(glShaderSource);
    GALLERY_FIND(glCompileShader);
    GALLERY_FIND(glCreateProgram);
    GALLERY_FIND(glAttachShader);
    GALLERY_FIND(glBindAttribLocation);
    GALLERY_FIND(glLinkProgram);
    GALLERY_FIND(glGetProgramiv);
    GALLERY_FIND(glUseProgram);
    GALLERY_FIND(glGetUniformLocation);
    GALLERY_FIND(glUniform1i);
    GALLERY_FIND(glUniformMatrix4fv);
    GALLERY_FIND(glEnableVertexAttribArray);
    GALLERY_FIND(glVertexAttribPointer);
    GALLERY_FIND(glClearColor);
    GALLERY_FIND(glClear);
    GALLERY_FIND(glDrawElements);
    GALLERY_FIND(glPixelStorei);
    GALLERY_FIND(glReadPixels);
#undef GALLERY_FIND
  }

  void makeProgram(const View& view, bool isLit) {
    const GLuint program = glCreateProgram();
    for (const auto& [kind, text] : {std::pair(GL_VERTEX_SHADER, vertexShader),
                                     std::pair(GL_FRAGMENT_SHADER, fragmentShader)}) {
      const GLuint shader = glCreateShader(static_cast<GLenum>(kind));
      glShaderSource(shader, 1, &text, nullptr);
      glCompileShader(shader);
      glAttachShader(program, shader);
    }
    glBindAttribLocation(program, 0, "vertex");
    glLinkProgram(program);
    GLint isLinked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &isLinked);
    if (!isLinked)
      throw std::runtime_error("OpenGL cannot build the shaders");
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view.data());
    glUniform1i(glGetUniformLocation(program, "isLit"), isLit);
  }

  void makeBuffers(const std::vector<uint32_t>& corners, const std::vector<float>& vertices) {
    GLuint array = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(2, buffers);
    indices = static_cast<GLsizei>(corners.size());
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                 static_cast<GLsizeiptr>(corners.size() * sizeof(uint32_t)), corners.data(),
                 GL_STATIC_DRAW);
    floats = vertices.size();
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(floats * sizeof(float)), vertices.data(),
                 GL_DYNAMIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
  }

  GLuint buffers[2] = {}; ///< vertices, and the corners' indices
  size_t floats = 0;
  GLsizei indices = 0;

  PFNGLGENVERTEXARRAYSPROC glGenVertexArrays;
  PFNGLBINDVERTEXARRAYPROC glBindVertexArray;
  PFNGLGENBUFFERSPROC glGenBuffers;
  PFNGLDELETEBUFFERSPROC glDeleteBuffers;
  PFNGLBINDBUFFERPROC glBindBuffer;
  PFNGLBUFFERDATAPROC glBufferData;
  PFNGLGETBUFFERSUBDATAPROC glGetBufferSubData;
  PFNGLCREATESHADERPROC glCreateShader;
  PFNGLSHADERSOURCEPROC glShaderSource;
  PFNGLCOMPILESHADERPROC glCompileShader;
  PFNGLCREATEPROGRAMPROC glCreateProgram;
  PFNGLATTACHSHADERPROC glAttachShader;
  PFNGLBINDATTRIBLOCATIONPROC glBindAttribLocation;
  PFNGLLINKPROGRAMPROC glLinkProgram;
  PFNGLGETPROGRAMIVPROC glGetProgramiv;
  PFNGLUSEPROGRAMPROC glUseProgram;
  PFNGLGETUNIFORMLOCATIONPROC glGetUniformLocation;
  PFNGLUNIFORM1IPROC glUniform1i;
  PFNGLUNIFORMMATRIX4FVPROC glUniformMatrix4fv;
  PFNGLENABLEVERTEXATTRIBARRAYPROC glEnableVertexAttribArray;
  PFNGLVERTEXATTRIBPOINTERPROC glVertexAttribPointer;
  PFNGLCLEARCOLORPROC glClearColor;
  PFNGLCLEARPROC glClear;
  PFNGLDRAWELEMENTSPROC glDrawElements;
  PFNGLPIXELSTOREIPROC glPixelStorei;
  PFNGLREADPIXELSPROC glReadPixels;
};

MeshView::MeshView(std::unique_ptr<Canvas> canvas, Style style, size_t side,
                   const std::vector<float>& vertices, const View& view)
    : canvas_(std::move(canvas)), primitive_(style == Style::Lines ? GL_LINES : GL_TRIANGLES),
      drawing_(std::make_unique<Drawing>(*canvas_)) {
  drawing_->makeProgram(view, style == Style::Surface);
  drawing_->makeBuffers(style == Style::Lines ? makeLines(side) : makeTriangles(side), vertices);
}

MeshView::~MeshView() {
  drawing_->glDeleteBuffers(2, drawing_->buffers);
}

cl::Context MeshView::context(const cl::Device& device) const {
  std::vector<cl_context_properties> properties = canvas_->properties();
  properties.insert(properties.end(),
                    {CL_CONTEXT_PLATFORM,
                     reinterpret_cast<cl_context_properties>(device.getInfo<CL_DEVICE_PLATFORM>()),
                     0});
  return cl::Context(device, properties.data());
}

cl_GLuint MeshView::vertexBuffer() const {
  return drawing_->buffers[0];
}

void MeshView::draw() {
  drawing_->glClearColor(0.01f, 0.02f, 0.06f, 1);
  drawing_->glClear(GL_COLOR_BUFFER_BIT);
  drawing_->glDrawElements(primitive_, drawing_->indices, GL_UNSIGNED_INT, nullptr);
  canvas_->show();
}

std::vector<float> MeshView::vertices() const {
  std::vector<float> values(drawing_->floats);
  drawing_->glGetBufferSubData(
      GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(values.size() * sizeof(float)), values.data());
  return values;
}

std::vector<uint8_t> MeshView::pixels() const {
  constexpr size_t rowBytes = size * 4;
  std::vector<uint8_t> upward(rowBytes * size);
  drawing_->glPixelStorei(GL_PACK_ALIGNMENT, 1);
  drawing_->glReadPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, upward.data());
  std::vector<uint8_t> rows;
  for (size_t y = size; y-- > 0;)
    rows.insert(rows.end(), upward.begin() + static_cast<ptrdiff_t>(y * rowBytes),
                upward.begin() + static_cast<ptrdiff_t>((y + 1) * rowBytes));
  return rows;
}

void MeshView::writePicture(const std::string& fileName) const {
  png::write(fileName, pixels(), size, size);
}

} // namespace gallery
