// An animation whose frames OpenCL computes in place in OpenGL's vertex buffer.
#pragma once

#include "mesh_view.h"

namespace gallery {

/// `own` and the options of programs that show an animation: --mesh, --window and --pictures.
std::vector<Option> withViewOptions(std::vector<Option> own);

/// Calls `show` with a window where --window asks for one, otherwise with a canvas off screen.
/// Where there is no OpenGL, or the device shares nothing with it, it is skipped.
void showWhereThereIsOpenGl(const CommandLine& line, const cl::Device& device, Report& report,
                            const std::function<void(const CommandLine&, const cl::Device&, Report&,
                                                     std::unique_ptr<Canvas>)>& show);

/// The frames to show: those of --window, or `frames` off screen.
size_t framesToShow(const CommandLine& line, size_t frames);

struct Shown {
  size_t frames = 0; ///< fewer than asked for where the window was closed
  double seconds = 0;
};

/// Calls `compute` with the number of each frame, from 1 to `frames`: it enqueues what changes the
/// vertices, which belong to OpenCL for so long. Then OpenGL draws them, and --pictures gets a file
/// called after `name`.
Shown animate(const CommandLine& line, const std::string& name, MeshView& view,
              const cl::CommandQueue& queue, const cl::Memory& vertices, size_t frames,
              const std::function<void(size_t frame)>& compute);

} // namespace gallery
