// ripple: rings of waves that spread from 16 drops on a water surface.
//
// Shows: constant memory, vectors of 3, exp and cos, and a result to look at: --picture FILE.ppm
// writes the last frame.
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

struct Rain {
  std::vector<cl_float2> centres;
  std::vector<float> start;
};

Rain makeRain() {
  const std::vector<float> places = gallery::randomFloats(2 * drops, 0, 1, 1);
  Rain rain{{}, gallery::randomFloats(drops, 0, 2, 2)};
  for (size_t c = 0; c < drops; ++c)
    rain.centres.push_back({{places[2 * c], places[2 * c + 1]}});
  return rain;
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

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "Rings of waves on a water surface.",
      {{"size", "64,512", "vertices along each side of the mesh", "64,128"},
       {"frames", "60", "frames to compute, 20 per second of the animation", "50"},
       {"picture", "", "a file for the last frame of the largest mesh, as PPM"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const size_t frames = line.number("frames");
  gallery::Report report(line, "ripple", device.getInfo<CL_DEVICE_NAME>());

  Rain rain = makeRain();
  const cl::Buffer centres(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                           drops * sizeof(cl_float2), rain.centres.data());
  const cl::Buffer start(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, drops * sizeof(float),
                         rain.start.data());
  cl::Kernel kernel(gallery::buildProgram(context, device, "ripple.cl"), "ripple");
  kernel.setArg(1, centres);
  kernel.setArg(2, start);
  kernel.setArg(3, static_cast<cl_uint>(drops));
  cl_uint index = 5;
  for (const float value : {amplitude, decay, speed, width, wave})
    kernel.setArg(index++, value);

  for (const size_t side : line.numbers("size")) {
    std::vector<float> vertices; // x, y, z of each vertex
    for (size_t y = 0; y < side; ++y)
      for (size_t x = 0; x < side; ++x)
        vertices.insert(vertices.end(),
                        {static_cast<float>(x) / side, static_cast<float>(y) / side, 0.0f});
    const size_t bytes = vertices.size() * sizeof(float);
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                            vertices.data());
    kernel.setArg(0, buffer);

    float time = 0;
    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
      for (size_t frame = 1; frame <= frames; ++frame) {
        time = static_cast<float>(frame) / 20;
        kernel.setArg(4, time);
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(side * side));
      }
      queue.finish();
    });
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, vertices.data());
    std::vector<float> heights(side * side);
    for (size_t i = 0; i < heights.size(); ++i)
      heights[i] = vertices[3 * i + 2];

    // wave * lag reaches 200 radians, of which float keeps five digits after the point.
    report.add(
        "", std::to_string(side) + "x" + std::to_string(side), seconds,
        gallery::rate(frames / seconds, "frame/s"),
        gallery::closeTo(heights, hostHeights(vertices, rain, time), 1e-4 * amplitude * drops));
    if (!line.text("picture").empty())
      writePicture(line.text("picture"), heights, side);
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
