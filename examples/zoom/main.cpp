// zoom: a mesh that grows by a hundredth with each frame, all frames computed in place on the
// device.
//
// Shows: the smallest possible kernel, launched again and again, so that the cost of a launch is
// what counts; and a vertex buffer that OpenCL changes and OpenGL draws: --window 1000 shows the
// mesh, --pictures FOLDER keeps its frames.
#include "animation.h"
#include "gallery.h"

#include <cmath>

namespace {

/// x, y, z of each vertex.
std::vector<float> makeMesh(size_t side) {
  std::vector<float> coordinates;
  for (size_t y = 0; y < side; ++y)
    for (size_t x = 0; x < side; ++x)
      coordinates.insert(coordinates.end(),
                         {static_cast<float>(x) / side, static_cast<float>(y) / side, 1.0f});
  return coordinates;
}

gallery::Check check(const std::vector<float>& zoomed, const std::vector<float>& mesh,
                     size_t frames) {
  // The factor is the float next to 1.01, and each frame rounds once.
  const double factor = std::pow(static_cast<double>(1.01f), static_cast<double>(frames));
  std::vector<double> expected(mesh.size());
  for (size_t i = 0; i < expected.size(); ++i)
    expected[i] = mesh[i] * factor;
  return gallery::closeTo(zoomed, expected, 6e-8 * factor * static_cast<double>(frames));
}

std::string sizeText(size_t side) {
  return std::to_string(side) + "x" + std::to_string(side);
}

void compute(const gallery::CommandLine& line, const cl::Device& device, gallery::Report& report) {
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const size_t frames = line.number("frames");
  cl::Kernel kernel(gallery::buildProgram(context, device, "zoom.cl"), "zoom");
  for (const size_t side : line.numbers("size")) {
    const std::vector<float> mesh = makeMesh(side);
    const size_t bytes = mesh.size() * sizeof(float);
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
    kernel.setArg(0, buffer);
    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
      queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, bytes, mesh.data());
      for (size_t frame = 0; frame < frames; ++frame)
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(mesh.size()));
      queue.finish();
    });
    std::vector<float> zoomed(mesh.size());
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, zoomed.data());
    report.add("", sizeText(side), seconds, gallery::rate(frames / seconds, "frame/s"),
               check(zoomed, mesh, frames));
  }
}

/// A mesh in a vertex buffer that OpenGL draws after each frame.
void show(const gallery::CommandLine& line, const cl::Device& device, gallery::Report& report,
          std::unique_ptr<gallery::Canvas> canvas) {
  const size_t side = line.number("mesh");
  const std::vector<float> mesh = makeMesh(side);
  // From 0 to 2 in both directions.
  const gallery::View fromAbove = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, -1, -1, 0, 1};
  gallery::MeshView view(std::move(canvas), gallery::MeshView::Style::Lines, side, mesh, fromAbove);
  const cl::Context context = view.context(device);
  const cl::CommandQueue queue(context, device);
  cl::Kernel kernel(gallery::buildProgram(context, device, "zoom.cl"), "zoom");
  const cl::BufferGL buffer(context, CL_MEM_READ_WRITE, view.vertexBuffer());
  kernel.setArg(0, buffer);
  const gallery::Shown shown = gallery::animate(
      line, "zoom", view, queue, buffer, gallery::framesToShow(line, line.number("frames")),
      [&](size_t) { queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(mesh.size())); });
  report.add("drawn by OpenGL", sizeText(side), shown.seconds,
             gallery::rate(shown.frames / shown.seconds, "frame/s"),
             check(view.vertices(), mesh, shown.frames));
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "A mesh that grows with each frame.",
      gallery::withViewOptions({{"size", "64,1024", "vertices along each side of the mesh"},
                                {"frames", "100", "frames to compute"}}));
  const cl::Device device = gallery::chooseDevice(line);
  gallery::Report report(line, "zoom", device.getInfo<CL_DEVICE_NAME>());
  compute(line, device, report);
  gallery::showWhereThereIsOpenGl(line, device, report, show);
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
