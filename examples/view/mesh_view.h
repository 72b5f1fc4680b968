// A mesh that OpenCL computes and OpenGL draws, from one vertex buffer that both share: in a
// window, or without any window system.
#pragma once

#include "gallery.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gallery {

/// Where OpenGL draws, and the context that it draws with, which is current on the calling thread
/// from the construction on.
class Canvas {
public:
  virtual ~Canvas() = default;
  /// What names the OpenGL context for OpenCL: names, each with its value.
  virtual std::vector<cl_context_properties> properties() const = 0;
  virtual void* function(const char* name) const = 0;
  /// Shows what was drawn, and takes note of what the user did.
  virtual void show() = 0;
  virtual bool isClosed() const = 0;
  /// Where the mouse was clicked since the last call, from -1 to 1 to the right and up.
  virtual std::optional<std::array<float, 2>> click() = 0;
};

/// Throw std::runtime_error where there is no OpenGL, no window system, or the program was built
/// without what they need.
std::unique_ptr<Canvas> makeWindow(const std::string& title, int size);
std::unique_ptr<Canvas> makeOffScreenCanvas(int size);

/// How the mesh is seen: column-major, as OpenGL has matrices, from x, y, z to -1 ... 1.
using View = std::array<float, 16>;

/// A square mesh of `side` x `side` vertices of x, y, z.
class MeshView {
public:
  enum class Style { Lines, Surface };

  /// `vertices` are the first ones.
  MeshView(std::unique_ptr<Canvas> canvas, Style style, size_t side,
           const std::vector<float>& vertices, const View& view);
  ~MeshView();
  MeshView(const MeshView&) = delete;
  MeshView& operator=(const MeshView&) = delete;

  Canvas& canvas() const { return *canvas_; }
  /// A context of OpenCL that shares the OpenGL context's objects.
  cl::Context context(const cl::Device& device) const;
  /// OpenGL's name of the vertex buffer.
  cl_GLuint vertexBuffer() const;

  /// Draws the vertices as they are now and shows them.
  void draw();
  /// What OpenGL has in the vertex buffer now.
  std::vector<float> vertices() const;
  /// Red, green, blue and alpha of what was drawn last, the top row first.
  std::vector<uint8_t> pixels() const;
  /// Writes them as PNG.
  void writePicture(const std::string& fileName) const;

  static constexpr int size = 512; ///< of the picture, in pixels

private:
  struct Drawing;
  const std::unique_ptr<Canvas> canvas_;
  const unsigned primitive_; ///< of OpenGL
  const std::unique_ptr<Drawing> drawing_;
};

} // namespace gallery
