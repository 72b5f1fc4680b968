// image_filter: a picture turned, shrunk and smoothed, with every addressing and filter mode.
//
// Shows: images, samplers, normalized coordinates, and what is read beyond the edges. --picture
// FILE.png writes the results side by side: one column for each addressing mode, the nearest
// element above, linear filtering below.
#include "gallery.h"
#include "png.h"

#include <cmath>
#include <cstdlib>

namespace {

using Pixels = png::Bytes; ///< red, green, blue and alpha of each element

struct Mode {
  const char* name;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};

constexpr Mode modes[] = {
    {"edge, nearest", CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST},
    {"border, nearest", CL_ADDRESS_CLAMP, CL_FILTER_NEAREST},
    {"repeat, nearest", CL_ADDRESS_REPEAT, CL_FILTER_NEAREST},
    {"mirror, nearest", CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST},
    {"edge, linear", CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR},
    {"border, linear", CL_ADDRESS_CLAMP, CL_FILTER_LINEAR},
    {"repeat, linear", CL_ADDRESS_REPEAT, CL_FILTER_LINEAR},
    {"mirror, linear", CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR},
};
constexpr size_t columns = 4;

/// A wheel of colors with rings on a chequered ground.
Pixels makePicture(size_t side) {
  Pixels pixels(side * side * 4);
  gallery::onAllCores(side, [&](size_t begin, size_t end) {
    for (size_t y = begin; y < end; ++y)
      for (size_t x = 0; x < side; ++x) {
        const double u = 2.0 * (x + 0.5) / side - 1, v = 2.0 * (y + 0.5) / side - 1;
        const double radius = std::hypot(u, v), angle = std::atan2(v, u);
        const bool isDark = (x * 8 / side + y * 8 / side) % 2 != 0;
        uint8_t* pixel = &pixels[4 * (y * side + x)];
        for (int c = 0; c < 3; ++c) {
          const double wheel = 0.5 + 0.5 * std::cos(angle - c * 2.0943951) * std::cos(25 * radius);
          pixel[c] = static_cast<uint8_t>(255 * (radius < 0.9 ? wheel : isDark ? 0.25 : 0.8));
        }
        pixel[3] = 255;
      }
  });
  return pixels;
}

/// The place of one element along an axis for `index`, which may lie beyond the edges; -1 stands
/// for the border.
long wrap(long index, long side, cl_addressing_mode addressing) {
  const long turn = ((index % (2 * side)) + 2 * side) % (2 * side);
  switch (addressing) {
  case CL_ADDRESS_REPEAT:
    return turn % side;
  case CL_ADDRESS_MIRRORED_REPEAT:
    return turn < side ? turn : 2 * side - 1 - turn;
  case CL_ADDRESS_CLAMP:
    return index < 0 || index >= side ? -1 : index;
  default:
    return std::clamp<long>(index, 0, side - 1);
  }
}

/// The picture's color at a place given in elements, by the host.
std::array<double, 4> sample(const Pixels& pixels, long side, const Mode& mode, double x,
                             double y) {
  const auto at = [&](long column, long row) {
    std::array<double, 4> color = {};
    const long i = wrap(column, side, mode.addressing), j = wrap(row, side, mode.addressing);
    for (size_t c = 0; i >= 0 && j >= 0 && c < 4; ++c)
      color[c] = pixels[static_cast<size_t>(4 * (j * side + i)) + c];
    return color;
  };
  if (mode.filter == CL_FILTER_NEAREST)
    return at(std::lround(std::floor(x)), std::lround(std::floor(y)));
  const long i = std::lround(std::floor(x - 0.5)), j = std::lround(std::floor(y - 0.5));
  const double a = x - 0.5 - i, b = y - 0.5 - j;
  std::array<double, 4> color = {};
  for (int k = 0; k < 4; ++k) {
    const double weight = (k & 1 ? a : 1 - a) * (k & 2 ? b : 1 - b);
    const std::array<double, 4> part = at(i + (k & 1), j + (k >> 1));
    for (size_t c = 0; c < 4; ++c)
      color[c] += weight * part[c];
  }
  return color;
}

/// What the kernel computes for one element.
std::array<double, 4> filtered(const Pixels& pixels, long side, const Mode& mode, long column,
                               long row) {
  const double middle = side / 2.0, u = column - middle, v = row - middle;
  const double x = 1.5 * u - 0.5 * v + middle + 0.25, y = 1.5 * v + 0.5 * u + middle + 0.25;
  std::array<double, 4> sum = {};
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const std::array<double, 4> color = sample(pixels, side, mode, x + dx, y + dy);
      for (size_t c = 0; c < 4; ++c)
        sum[c] += (2 - std::abs(dx)) * (2 - std::abs(dy)) / 16.0 * color[c];
    }
  return sum;
}

/// Compares the rows that are multiples of `step`. A channel may be rounded to the next value.
gallery::Check compare(const Pixels& actual, const Pixels& picture, size_t side, const Mode& mode,
                       size_t step) {
  std::vector<double> worst((side + step - 1) / step);
  gallery::onAllCores(worst.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      for (size_t x = 0; x < side; ++x) {
        const std::array<double, 4> expected =
            filtered(picture, static_cast<long>(side), mode, static_cast<long>(x),
                     static_cast<long>(i * step));
        for (size_t c = 0; c < 4; ++c)
          worst[i] =
              std::max(worst[i], std::fabs(actual[4 * (i * step * side + x) + c] - expected[c]));
      }
  });
  const double error = *std::max_element(worst.begin(), worst.end());
  return {error <= 0.51, "error " + gallery::decimal(error, 2) + " of 255"};
}

/// Puts a result, reduced to `tile` elements a side, into the sheet of all results.
void place(Pixels& sheet, size_t tile, size_t number, const Pixels& result, size_t side) {
  const size_t left = number % columns * tile, top = number / columns * tile;
  for (size_t y = 0; y < tile; ++y)
    for (size_t x = 0; x < tile; ++x) {
      const uint8_t* from = &result[4 * (y * side / tile * side + x * side / tile)];
      std::copy_n(from, 4, &sheet[4 * ((top + y) * columns * tile + left + x)]);
    }
}

} // namespace

int main(int argc, char** argv) try {
  const gallery::CommandLine line(
      argc, argv, "A picture turned, shrunk and smoothed, with every addressing and filter mode.",
      {{"size", "4096", "elements along each side of the picture, a power of two", "256"},
       {"picture", "", "a file for the results, as PNG"}});
  const cl::Device device = gallery::chooseDevice(line);
  gallery::Report report(line, "image_filter", device.getInfo<CL_DEVICE_NAME>());
  if (!device.getInfo<CL_DEVICE_IMAGE_SUPPORT>()) {
    report.skip("", "the device has no images");
    return report.exitCode();
  }
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const size_t side = line.number("size");
  const size_t tile = std::min<size_t>(side, 384);
  Pixels picture = makePicture(side);
  Pixels sheet(tile * columns * tile * std::size(modes) / columns * 4);

  const cl::ImageFormat format(CL_RGBA, CL_UNORM_INT8);
  const cl::Image2D source(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, side, side, 0,
                           picture.data());
  const cl::Image2D target(context, CL_MEM_WRITE_ONLY, format, side, side);
  cl::Kernel kernel(gallery::buildProgram(context, device, "image_filter.cl"), "filter");
  kernel.setArg(0, source);
  kernel.setArg(2, target);

  for (size_t i = 0; i < std::size(modes); ++i) {
    const cl::Sampler sampler(context, CL_TRUE, modes[i].addressing, modes[i].filter);
    kernel.setArg(1, sampler);
    const double seconds = gallery::medianSeconds(line.number("repeat"), [&] {
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(side, side));
      queue.finish();
    });
    Pixels result(side * side * 4);
    queue.enqueueReadImage(target, CL_TRUE, {0, 0, 0}, {side, side, 1}, 0, 0, result.data());
    // The host needs much longer than the device: of large pictures it computes some rows.
    const size_t step = std::max<size_t>(side / 256, 1);
    report.add(modes[i].name, std::to_string(side) + "x" + std::to_string(side), seconds,
               gallery::rate(static_cast<double>(side * side) / seconds, "pixel/s"),
               compare(result, picture, side, modes[i], step));
    place(sheet, tile, i, result, side);
  }
  if (!line.text("picture").empty())
    png::write(line.text("picture"), sheet, static_cast<uint32_t>(tile * columns),
               static_cast<uint32_t>(tile * std::size(modes) / columns));
  return report.exitCode();
} catch (const std::exception& error) {
  return gallery::failure(error);
}
