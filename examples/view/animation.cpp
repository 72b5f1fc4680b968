#include "animation.h"

#include <chrono>
#include <filesystem>

namespace gallery {

std::vector<Option> withViewOptions(std::vector<Option> own) {
  own.push_back({"mesh", "256", "vertices along each side of the mesh that OpenGL draws", "64"});
  own.push_back({"window", "0", "frames to show in a window, which ends when it is closed"});
  own.push_back({"pictures", "", "a folder for every frame that OpenGL draws, as PNG"});
  return own;
}

void showWhereThereIsOpenGl(const CommandLine& line, const cl::Device& device, Report& report,
                            const std::function<void(const CommandLine&, const cl::Device&, Report&,
                                                     std::unique_ptr<Canvas>)>& show) {
  const std::string variant = "drawn by OpenGL";
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_khr_gl_sharing") == std::string::npos)
    return report.skip(variant, "the device shares nothing with OpenGL");
  std::unique_ptr<Canvas> canvas;
  try {
    canvas = line.number("window") > 0 ? makeWindow("Gallery", MeshView::size)
                                       : makeOffScreenCanvas(MeshView::size);
  } catch (const std::runtime_error& error) {
    return report.skip(variant, error.what());
  }
  show(line, device, report, std::move(canvas));
}

size_t framesToShow(const CommandLine& line, size_t frames) {
  return line.number("window") > 0 ? line.number("window") : frames;
}

Shown animate(const CommandLine& line, const std::string& name, MeshView& view,
              const cl::CommandQueue& queue, const cl::Memory& vertices, size_t frames,
              const std::function<void(size_t frame)>& compute) {
  const std::filesystem::path pictures = line.text("pictures");
  if (!pictures.empty())
    std::filesystem::create_directories(pictures);
  const std::vector<cl::Memory> shared = {vertices};
  const auto start = std::chrono::steady_clock::now();
  Shown shown;
  while (shown.frames < frames && !view.canvas().isClosed()) {
    ++shown.frames;
    queue.enqueueAcquireGLObjects(&shared);
    compute(shown.frames);
    queue.enqueueReleaseGLObjects(&shared);
    queue.finish();
    view.draw();
    if (!pictures.empty())
      view.writePicture((pictures / (name + "-" + std::to_string(shown.frames) + ".png")).string());
  }
  shown.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return shown;
}

} // namespace gallery
