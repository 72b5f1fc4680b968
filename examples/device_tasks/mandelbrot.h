// The Mandelbrot set by squares, in three ways, and on the host.
#pragma once

#include "gallery.h"

#include <algorithm>
#include <cmath>

/// As in mandelbrot.cl.
struct View {
  cl_float left, top, step;
  cl_int limit;
  cl_uint columns;
};

/// Iterations of each point, and how many points were iterated to know them.
struct Exploration {
  std::vector<cl_int> picture;
  cl_uint iterated = 0;
};

class Mandelbrot {
public:
  /// A picture of side x side points, a power of two.
  Mandelbrot(const cl::Context& context, const cl::Device& device, size_t side)
      : queue_(context, device),
        program_(gallery::buildProgram(context, device, "mandelbrot.cl", "-cl-std=CL3.0")),
        side_(side),
        view_{-2.0f, -1.25f, 2.5f / static_cast<float>(side), 1000, static_cast<cl_uint>(side)},
        groups_(8 * device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()),
        picture_(context, CL_MEM_READ_WRITE, side * side * sizeof(cl_int)),
        viewOnDevice_(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(View), &view_),
        iterated_(context, CL_MEM_READ_WRITE, sizeof(cl_uint)) {
    if (device.getInfo<CL_DEVICE_PIPE_SUPPORT>())
      for (cl::Pipe& pipe : pipes_)
        pipe = cl::Pipe(context, sizeof(cl_uint4),
                        static_cast<cl_uint>(4 * side * side / (small * small)));
  }

  void everyPoint() {
    cl::KernelFunctor<cl::Buffer, cl::Buffer> kernel(program_, "every_point");
    kernel(cl::EnqueueArgs(queue_, cl::NDRange(side_, side_)), picture_, viewOnDevice_);
  }

  /// Size by size: the quarters of all squares of one are the squares of the next.
  void byTheHost() {
    queue_.enqueueFillBuffer(iterated_, cl_uint{0}, 0, sizeof(cl_uint));
    cl::KernelFunctor<cl::Pipe, cl_uint> first(program_, "first_square");
    first(cl::EnqueueArgs(queue_, cl::NDRange(1)), pipes_[0], static_cast<cl_uint>(side_));
    cl::KernelFunctor<cl::Pipe, cl::Pipe, cl::Buffer, cl::Buffer, cl::Buffer> explore(
        program_, "explore_squares");
    for (size_t size = side_; size >= small; size /= 2) {
      explore(cl::EnqueueArgs(queue_, cl::NDRange(groups_ * items), cl::NDRange(items)), pipes_[0],
              pipes_[1], picture_, viewOnDevice_, iterated_);
      std::swap(pipes_[0], pipes_[1]);
    }
  }

  /// Everything after the first square is enqueued by the kernel itself.
  void byTheDevice() {
    queue_.enqueueFillBuffer(iterated_, cl_uint{0}, 0, sizeof(cl_uint));
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint, cl::Buffer> explore(program_,
                                                                           "explore_from");
    explore(cl::EnqueueArgs(queue_, cl::NDRange(items), cl::NDRange(items)), picture_,
            viewOnDevice_, static_cast<cl_uint>(side_), iterated_);
  }

  Exploration read() {
    Exploration result = {std::vector<cl_int>(side_ * side_)};
    queue_.enqueueReadBuffer(picture_, CL_TRUE, 0, side_ * side_ * sizeof(cl_int),
                             result.picture.data());
    queue_.enqueueReadBuffer(iterated_, CL_TRUE, 0, sizeof(cl_uint), &result.iterated);
    return result;
  }

  /// What the host finds for every point.
  std::vector<cl_int> onTheHost() const {
    std::vector<cl_int> picture(side_ * side_);
    gallery::onAllCores(side_, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row)
        for (size_t column = 0; column < side_; ++column)
          picture[row * side_ + column] = iterations(column, row);
    });
    return picture;
  }

  /// What the squares show of a picture in which every point is known.
  Exploration bySquares(const std::vector<cl_int>& every) const {
    Exploration result = {std::vector<cl_int>(every.size())};
    explore(every, 0, 0, side_, result);
    return result;
  }

private:
  static constexpr size_t items = 64;
  static constexpr size_t small = 32; ///< as in mandelbrot.cl

  cl_int iterations(size_t column, size_t row) const {
    const float a = view_.left + view_.step * static_cast<float>(column);
    const float b = view_.top + view_.step * static_cast<float>(row);
    float x = a, y = b;
    cl_int count = 0;
    while (count < view_.limit && x * x + y * y <= 4.0f) {
      const float next = x * x - y * y + a;
      y = 2.0f * x * y + b;
      x = next;
      ++count;
    }
    return count;
  }

  void explore(const std::vector<cl_int>& every, size_t left, size_t top, size_t side,
               Exploration& result) const {
    const auto at = [&](size_t x, size_t y) { return (top + y) * side_ + left + x; };
    const cl_int first = every[at(0, 0)];
    bool isUniform = side > small;
    for (size_t i = 0; i < side && isUniform; ++i)
      isUniform = every[at(i, 0)] == first && every[at(i, side - 1)] == first &&
                  every[at(0, i)] == first && every[at(side - 1, i)] == first;
    result.iterated += static_cast<cl_uint>(side > small ? 4 * (side - 1) : side * side);
    if (!isUniform && side > small) {
      const size_t half = side / 2;
      for (const size_t y : {size_t{0}, half})
        for (const size_t x : {size_t{0}, half})
          explore(every, left + x, top + y, half, result);
      return;
    }
    for (size_t y = 0; y < side; ++y)
      for (size_t x = 0; x < side; ++x)
        result.picture[at(x, y)] = isUniform ? first : every[at(x, y)];
  }

  cl::CommandQueue queue_;
  cl::Program program_;
  size_t side_;
  View view_;
  size_t groups_;
  cl::Buffer picture_, viewOnDevice_, iterated_;
  cl::Pipe pipes_[2];
};
