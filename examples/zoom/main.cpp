// zoom: a mesh that grows by a hundredth with each frame, all frames computed in place on the
// device.
//
// Shows: the smallest possible kernel, launched again and again, so that the cost of a launch is
// what counts.
#include "gallery.h"

#include <cmath>

int main(int argc, char** argv) try {
  const gallery::CommandLine line(argc, argv, "A mesh that grows with each frame.",
                                  {{"size", "64,1024", "vertices along each side of the mesh"},
                                   {"frames", "100", "frames to compute"}});
  const cl::Device device = gallery::chooseDevice(line);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const size_t frames = line.number("frames");
  gallery::Report report(line, "zoom", device.getInfo<CL_DEVICE_NAME>());

  cl::Kernel kernel(gallery::buildProgram(context, device, "zoom.cl"), "zoom");
  for (const size_t side : line.numbers("size")) {
    std::vector<float> coordinates; // x, y, z of each vertex
    for (size_t y = 0; y < side; ++y)
      for (size_t x = 0; x < side; ++x)
        coordinates.insert(coordinates.end(),
                           {static_cast<float>(x) / side, static_cast<float>(y) / side, 1.0f});
    const size_t bytes = coordinates.size() * sizeof(float);
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
    kernel.setArg(0, buffer);

    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
      queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, bytes, coordinates.data());
      for (size_t frame = 0; frame < frames; ++frame)
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(coordinates.size()));
      queue.finish();
    });
    std::vector<float> zoomed(coordinates.size());
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, zoomed.data());

    // The factor is the float next to 1.01, and each frame rounds once.
    const double factor = std::pow(static_cast<double>(1.01f), static_cast<double>(frames));
    std::vector<double> expected(coordinates.size());
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = coordinates[i] * factor;
    report.add("", std::to_string(side) + "x" + std::to_string(side), seconds,
               gallery::rate(frames / seconds, "frame/s"),
               gallery::closeTo(zoomed, expected, 6e-8 * factor * static_cast<double>(frames)));
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
