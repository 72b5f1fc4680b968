// ripple: rings of waves that spread from 16 drops on a water surface.
//
// Shows: constant memory, vectors of 3, exp and cos, and results to look at: --picture FILE.ppm
// writes the last frame as heights, --window 1000 shows the surface as OpenGL draws it from the
// very buffer that the kernel changes, where a click lets a drop fall, and --pictures FOLDER keeps
// these frames.
#include "animation.h"
#include "gallery.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace {

constexpr float amplitude = 0.1f;
constexpr float decay = 0.8f;  ///< per second
constexpr float speed = 0.5f;  ///< sides of the mesh per second
constexpr float width = 0.08f; ///< of the wave packet, in sides of the mesh
constexpr float wave = 100.0f; ///< radians per side of the mesh
constexpr size_t drops = 16;

/// Seconds of the animation.
float timeOf(size_t frame) {
  return static_cast<float>(frame) / 20;
}

struct Rain {
  std::vector<cl_float2> centres;
  std::vector<float> start;
  size_t oldest = 0; ///< which the next drop replaces
};

Rain makeRain() {
  const std::vector<float> places = gallery::randomFloats(2 * drops, 0, 1, 1);
  Rain rain{{}, gallery::randomFloats(drops, 0, 2, 2)};
  for (size_t c = 0; c < drops; ++c)
    rain.centres.push_back({{places[2 * c], places[2 * c + 1]}});
  return rain;
}

/// x, y, z of each vertex.
std::vector<float> makeMesh(size_t side) {
  std::vector<float> vertices;
  for (size_t y = 0; y < side; ++y)
    for (size_t x = 0; x < side; ++x)
      vertices.insert(vertices.end(),
                      {static_cast<float>(x) / side, static_cast<float>(y) / side, 0.0f});
  return vertices;
}

std::string sizeText(size_t side) {
  return std::to_string(side) + "x" + std::to_string(side);
}

/// The heights at one moment, in double precision.
std::vector<double> hostHeights(const std::vector<float>& vertices, const Rain& rain, double time) {
  std::vector<double> heights(vertices.size() / 3);
  gallery::onAllCores(heights.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      for (size_t c = 0; c < drops; ++c) {
        const double age = time - rain.start[c];
        if (age <= 0)
          continue;
        const double distance =
            std::hypot(static_cast<double>(vertices[3 * i]) - rain.centres[c].s[0],
                       static_cast<double>(vertices[3 * i + 1]) - rain.centres[c].s[1]);
        const double lag = distance - speed * age;
        const double packet = lag / width;
        heights[i] +=
            amplitude * std::exp(-decay * age) * std::exp(-packet * packet) * std::cos(wave * lag);
      }
  });
  return heights;
}

/// A grey picture in the portable format PPM: bright is high.
void writePicture(const std::string& fileName, const std::vector<float>& heights, size_t side) {
  std::ofstream file(fileName, std::ios::binary);
  file << "P6\n" << side << " " << side << "\n255\n";
  for (const float height : heights) {
    const char grey = static_cast<char>(std::clamp(128 + 127 * height / amplitude, 0.0f, 255.0f));
    file << grey << grey << grey;
  }
  if (!file)
    throw std::runtime_error("cannot write the picture " + fileName);
}

std::vector<float> heightsOf(const std::vector<float>& vertices) {
  std::vector<float> heights(vertices.size() / 3);
  for (size_t i = 0; i < heights.size(); ++i)
    heights[i] = vertices[3 * i + 2];
  return heights;
}

gallery::Check check(const std::vector<float>& vertices, const Rain& rain, float time) {
  // wave * lag reaches 200 radians, of which float keeps five digits after the point.
  return gallery::closeTo(heightsOf(vertices), hostHeights(vertices, rain, time),
                          1e-4 * amplitude * drops);
}

/// The kernel with the drops that it gets.
class Water {
public:
  Water(const cl::Context& context, const cl::Device& device)
      : queue_(context, device), rain_(makeRain()),
        centres_(context, CL_MEM_READ_ONLY, drops * sizeof(cl_float2)),
        start_(context, CL_MEM_READ_ONLY, drops * sizeof(float)),
        kernel_(gallery::buildProgram(context, device, "ripple.cl"), "ripple") {
    write();
    kernel_.setArg(1, centres_);
    kernel_.setArg(2, start_);
    kernel_.setArg(3, static_cast<cl_uint>(drops));
    cl_uint index = 5;
    for (const float value : {amplitude, decay, speed, width, wave})
      kernel_.setArg(index++, value);
  }

  const cl::CommandQueue& queue() const { return queue_; }
  const Rain& rain() const { return rain_; }

  /// Enqueues the heights at `time`.
  void compute(const cl::Memory& vertices, size_t count, float time) {
    kernel_.setArg(0, vertices);
    kernel_.setArg(4, time);
    queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(count));
  }

  void drop(float x, float y, float time) {
    rain_.centres[rain_.oldest] = {{x, y}};
    rain_.start[rain_.oldest] = time;
    rain_.oldest = (rain_.oldest + 1) % drops;
    write();
  }

private:
  void write() {
    queue_.enqueueWriteBuffer(centres_, CL_TRUE, 0, drops * sizeof(cl_float2),
                              rain_.centres.data());
    queue_.enqueueWriteBuffer(start_, CL_TRUE, 0, drops * sizeof(float), rain_.start.data());
  }

  const cl::CommandQueue queue_;
  Rain rain_;
  const cl::Buffer centres_, start_;
  cl::Kernel kernel_;
};

void compute(const gallery::CommandLine& line, const cl::Device& device, gallery::Report& report) {
  const cl::Context context(device);
  Water water(context, device);
  const size_t frames = line.number("frames");
  for (const size_t side : line.numbers("size")) {
    std::vector<float> vertices = makeMesh(side);
    const size_t bytes = vertices.size() * sizeof(float);
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                            vertices.data());
    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
      for (size_t frame = 1; frame <= frames; ++frame)
        water.compute(buffer, side * side, timeOf(frame));
      water.queue().finish();
    });
    water.queue().enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, vertices.data());
    report.add("", sizeText(side), seconds, gallery::rate(frames / seconds, "frame/s"),
               check(vertices, water.rain(), timeOf(frames)));
    if (!line.text("picture").empty())
      writePicture(line.text("picture"), heightsOf(vertices), side);
  }
}

/// The surface, in a vertex buffer that OpenGL draws after each frame. Where nobody can
/// click, a drop falls into the middle after half of the frames.
void show(const gallery::CommandLine& line, const cl::Device& device, gallery::Report& report,
          std::unique_ptr<gallery::Canvas> canvas) {
  const size_t side = line.number("mesh");
  const size_t frames = gallery::framesToShow(line, line.number("frames"));
  // From the front and above: what is far is higher up, and so is what rises.
  constexpr float flatness = 0.6f;
  const gallery::View view = {2, 0,    0, 0, 0,  2 * flatness, 0, 0, //
                              0, 0.8f, 0, 0, -1, -flatness,    0, 1};
  gallery::MeshView mesh(std::move(canvas), gallery::MeshView::Style::Surface, side, makeMesh(side),
                         view);
  const cl::Context context = mesh.context(device);
  Water water(context, device);
  const cl::BufferGL buffer(context, CL_MEM_READ_WRITE, mesh.vertexBuffer());
  size_t clicks = 0;
  const gallery::Shown shown =
      gallery::animate(line, "ripple", mesh, water.queue(), buffer, frames, [&](size_t frame) {
        if (const auto click = mesh.canvas().click()) {
          ++clicks;
          water.drop(((*click)[0] + 1) / 2, ((*click)[1] / flatness + 1) / 2, timeOf(frame));
        }
        if (line.number("window") == 0 && frame == frames / 2)
          water.drop(0.5f, 0.5f, timeOf(frame));
        water.compute(buffer, side * side, timeOf(frame));
      });
  const std::string variant = "drawn by OpenGL";
  report.add(clicks == 0 ? variant : variant + ", drops where clicked", sizeText(side),
             shown.seconds, gallery::rate(shown.frames / shown.seconds, "frame/s"),
             check(mesh.vertices(), water.rain(), timeOf(shown.frames)));
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Rings of waves on a water surface.",
      gallery::withViewOptions(
          {{"size", "64,512", "vertices along each side of the mesh", "64,128"},
           {"frames", "60", "frames to compute, 20 per second of the animation", "50"},
           {"picture", "", "a file for the last frame of the largest mesh, as PPM"}}));
  const cl::Device device = gallery::chooseDevice(line);
  gallery::Report report(line, "ripple", device.getInfo<CL_DEVICE_NAME>());
  compute(line, device, report);
  gallery::showWhereThereIsOpenGl(line, device, report, show);
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
