// Windows around each element of an image, which reach beyond its edges: filters read images so. In
// the middle of an image the elements of a packet lie next to each other, at the edges they do not.
#include <cfloat>
#include <cmath>

#include "kernels/images/device_image.h"

namespace quern::tests {
namespace {

constexpr cl_image_format formats[] = {
    {CL_R, CL_UNORM_INT8},      {CL_RGBA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8},
    {CL_RG, CL_UNSIGNED_INT16}, {CL_R, CL_FLOAT},         {CL_RGBA, CL_HALF_FLOAT},
    {CL_RGBA, CL_SIGNED_INT8},
};

struct Window {
  int left, right, up, down;
};

/// A sum, and what rounding its terms and sums may come to.
struct Sum {
  Color value = {}, error = {};
};

/// Over a window of elements, in which each place counts differently.
Sum sumAround(const HostImage& host, const HostSampler& sampler, size_t x, size_t y,
              const Window& window) {
  const int terms = (window.left + window.right + 1) * (window.up + window.down + 1);
  Sum sum;
  for (int dy = -window.up; dy <= window.down; ++dy)
    for (int dx = -window.left; dx <= window.right; ++dx) {
      const Color color =
          host.sample(sampler, {static_cast<double>(x) + dx, static_cast<double>(y) + dy, 0});
      for (size_t c = 0; c < 4; ++c) {
        const double term = color[c] * (dx + 2 * dy + 7);
        sum.value[c] += term;
        sum.error[c] += std::abs(term) * (terms + 2) * FLT_EPSILON / 2;
      }
    }
  return sum;
}

void expectSums(const HostImage& host, const HostSampler& sampler, const Window& window,
                const std::vector<cl_float>& actual) {
  const auto [width, height, depth] = host.size();
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) {
      const Sum expected = sumAround(host, sampler, x, y, window);
      for (size_t c = 0; c < 4; ++c)
        ASSERT_NEAR(expected.value[c], actual[(y * width + x) * 4 + c], expected.error[c])
            << sampler.constant() << ", at (" << x << ", " << y << "), channel " << c;
    }
}

/// What changes from one kernel to the other: the sampler, and the loops' bounds.
std::string sourceFor(const cl_image_format& format, const HostSampler& sampler) {
  const std::string window = R"(
      for (int dy = -UP; dy <= DOWN; ++dy)
        for (int dx = -LEFT; dx <= RIGHT; ++dx)
          sum += convert_float4(READ(image, s, at + (int2)(dx, dy))) * (float)(dx + 2 * dy + 7);
      out[at.y * get_image_width(image) + at.x] = sum;
    }
)";
  const std::string start = "int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                            "float4 sum = 0;\n";
  const std::string defines = "#define READ read_image" + suffixOf(format) + "\n";
  const auto bounds = [](const char* left, const char* right, const char* up, const char* down) {
    return std::string("#undef LEFT\n#undef RIGHT\n#undef UP\n#undef DOWN\n#define LEFT ") + left +
           "\n#define RIGHT " + right + "\n#define UP " + up + "\n#define DOWN " + down + "\n";
  };
  return defines + bounds("2", "1", "1", "2") +
         "kernel void fixed(read_only image2d_t image, global float4* out) {\n" +
         "  const sampler_t s = " + sampler.constant() + ";\n" + start + window +
         bounds("left", "right", "up", "down") +
         "kernel void any(read_only image2d_t image, global float4* out, sampler_t s,\n"
         "                int left, int right, int up, int down) {\n" +
         start + window;
}

TEST(ImageNeighbours, areThoseWithinTheEdges) {
  for (const cl_image_format& format : formats)
    for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP}) {
      SCOPED_TRACE(describe(format));
      const HostSampler sampler = {false, mode, CL_FILTER_NEAREST};
      const DeviceSampler given(sampler);
      const Program program = build(sourceFor(format, sampler));
      for (const size_t width : {1, 7, 16, 100}) {
        HostImage host(CL_MEM_OBJECT_IMAGE2D, format, {width, 9, 1});
        host.randomize(static_cast<uint32_t>(width));
        const DeviceImage image(host);
        Buffer<cl_float> out(host.elements() * 4);
        run(program, "fixed", {{width, 9}}, image.handle(), out);
        expectSums(host, sampler, {2, 1, 1, 2}, out.read());
        const Window window = {3, 9, 1, 0};
        run(program, "any", {{width, 9}}, image.handle(), out, given.handle(), cl_int(window.left),
            cl_int(window.right), cl_int(window.up), cl_int(window.down));
        expectSums(host, sampler, window, out.read());
      }
    }
}

/// One kernel gets images of several formats, one after the other.
TEST(ImageNeighbours, ofOneKernelMayBeOfAnyFormat) {
  const HostSampler sampler = {false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST};
  const DeviceSampler given(sampler);
  const Program program = build(sourceFor({CL_R, CL_FLOAT}, sampler));
  for (int round = 0; round < 3; ++round)
    for (const cl_image_format& format : formats) {
      if (suffixOf(format) != "f")
        continue;
      SCOPED_TRACE(describe(format));
      HostImage host(CL_MEM_OBJECT_IMAGE2D, format, {60, 9, 1});
      host.randomize(static_cast<uint32_t>(round));
      const DeviceImage image(host);
      Buffer<cl_float> out(host.elements() * 4);
      run(program, "any", {{60, 9}}, image.handle(), out, given.handle(), cl_int(1), cl_int(2),
          cl_int(3), cl_int(0));
      expectSums(host, sampler, {1, 2, 3, 0}, out.read());
    }
}

} // namespace
} // namespace quern::tests
