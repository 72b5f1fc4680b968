// Reads with every sampler, constant and from the host, of every type of image.
#include <algorithm>
#include <cmath>

#include "kernels/images/device_image.h"

namespace quern::tests {
namespace {

constexpr size_t coordinates = 300;

struct TypeCase {
  cl_mem_object_type type;
  std::array<size_t, 3> size;
  const char* coord; ///< of a float4 `c`
};

constexpr TypeCase types[] = {
    {CL_MEM_OBJECT_IMAGE1D, {13, 1, 1}, "c.x"},  {CL_MEM_OBJECT_IMAGE1D_ARRAY, {13, 4, 1}, "c.xy"},
    {CL_MEM_OBJECT_IMAGE2D, {13, 6, 1}, "c.xy"}, {CL_MEM_OBJECT_IMAGE2D_ARRAY, {13, 6, 4}, "c"},
    {CL_MEM_OBJECT_IMAGE3D, {13, 6, 5}, "c"},    {CL_MEM_OBJECT_IMAGE2D, {32, 6, 1}, "c.xy"},
};

/// Every combination that the specification allows.
std::vector<HostSampler> allSamplers() {
  std::vector<HostSampler> list;
  for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
    for (const bool normalized : {false, true}) {
      for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP})
        list.push_back({normalized, mode, filter});
      if (normalized)
        for (const cl_addressing_mode mode : {CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
          list.push_back({normalized, mode, filter});
    }
  return list;
}

/// Places in and around the image. None is so near to the border between two elements that rounding
/// would decide: a multiple of 1/16 of an element, off by 1/32.
std::vector<cl_float> makeCoordinates(const TypeCase& image, const HostSampler& sampler) {
  std::vector<cl_float> list;
  uint32_t state = 1;
  const auto random = [&state] { return state = state * 1664525u + 1013904223u; };
  const unsigned dimensions = HostImage(image.type, {CL_R, CL_FLOAT}, {1, 1, 1}).dimensions();
  for (size_t i = 0; i < coordinates; ++i)
    for (unsigned c = 0; c < 4; ++c) {
      const bool isLayer = c >= dimensions;
      const double size = c < 3 ? static_cast<double>(image.size[c]) : 1;
      const auto steps = static_cast<uint32_t>(size * 16 * 4);
      const double place = (random() >> 8) % steps / 16.0 + 1 / 32.0 - 1.5 * size;
      list.push_back(static_cast<float>(sampler.normalized && !isLayer ? place / size : place));
    }
  return list;
}

void expectSampled(const HostImage& host, const HostSampler& sampler,
                   const std::vector<cl_float>& coords, const std::vector<cl_float>& actual) {
  const bool isLinear = sampler.filter == CL_FILTER_LINEAR;
  for (size_t i = 0; i < coordinates; ++i) {
    const Color expected =
        host.sample(sampler, {coords[i * 4], coords[i * 4 + 1], coords[i * 4 + 2]});
    for (size_t c = 0; c < 4; ++c)
      ASSERT_NEAR(expected[c], actual[i * 4 + c], isLinear ? 1e-4 : 0)
          << typeName(host.type()) << ", " << sampler.constant() << ", at (" << coords[i * 4]
          << ", " << coords[i * 4 + 1] << ", " << coords[i * 4 + 2] << "), channel " << c;
  }
}

TEST(ImageSampling, constantSamplers) {
  const std::vector<HostSampler> samplers = allSamplers();
  for (const TypeCase& image : types) {
    HostImage host(image.type, {CL_RGBA, CL_FLOAT}, image.size);
    host.randomize(11);
    const DeviceImage device(host);
    std::string source;
    for (size_t i = 0; i < samplers.size(); ++i) {
      const std::string number = std::to_string(i);
      source += "constant sampler_t s" + number + " = " + samplers[i].constant() + ";\n" +
                "kernel void k" + number + "(read_only " + typeName(image.type) +
                " image, global const float4* coord, global float4* out) {\n" +
                "  int i = get_global_id(0); float4 c = coord[i];\n" +
                "  out[i] = read_imagef(image, s" + number + ", " + image.coord + "); }\n";
    }
    const Program program = build(source);
    for (size_t i = 0; i < samplers.size(); ++i) {
      const std::vector<cl_float> coords = makeCoordinates(image, samplers[i]);
      const Buffer<cl_float> in(coords);
      Buffer<cl_float> out(coords.size());
      run(program, ("k" + std::to_string(i)).c_str(), {{coordinates}}, device.handle(), in, out);
      expectSampled(host, samplers[i], coords, out.read());
    }
  }
}

TEST(ImageSampling, samplersOfTheHost) {
  for (const TypeCase& image : types) {
    HostImage host(image.type, {CL_RG, CL_FLOAT}, image.size);
    host.randomize(12);
    const DeviceImage device(host);
    const Program program =
        build("float4 look(read_only " + typeName(image.type) +
              " image, sampler_t s, float4 c) {\n" + "  return read_imagef(image, s, " +
              image.coord + "); }\n" + "kernel void k(read_only " + typeName(image.type) +
              " image, sampler_t s, global const float4* coord, global float4* out) {\n" +
              "  int i = get_global_id(0); out[i] = look(image, s, coord[i]); }\n");
    for (const HostSampler& sampler : allSamplers()) {
      const DeviceSampler handle(sampler);
      const std::vector<cl_float> coords = makeCoordinates(image, sampler);
      const Buffer<cl_float> in(coords);
      Buffer<cl_float> out(coords.size());
      run(program, "k", {{coordinates}}, device.handle(), handle.handle(), in, out);
      expectSampled(host, sampler, coords, out.read());
    }
  }
}

/// How far colors may be from what the linear filter's formula gives: the hardware of GPUs, which
/// may filter unsigned elements of 8 bits, has weights of as many, which the conformance suite
/// allows.
double filterLimit(const cl_image_format& format) {
  const bool isGpu = Device::get().info<cl_device_type>(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU;
  return isGpu && format.image_channel_data_type == CL_UNORM_INT8 ? 1.0 / 128 : 1e-4;
}

/// Elements of every format, in rows of any length.
TEST(ImageSampling, everyFormat) {
  const std::string look =
      " image, sampler_t s, global const float4* coord, global float4* out) {\n"
      "  int i = get_global_id(0); out[i] = convert_float4(read_image";
  const Program program =
      build("kernel void kf(read_only image2d_t" + look + "f(image, s, coord[i].xy)); }\n" +
            "kernel void ki(read_only image2d_t" + look + "i(image, s, coord[i].xy)); }\n" +
            "kernel void kui(read_only image2d_t" + look + "ui(image, s, coord[i].xy)); }\n");
  for (const cl_image_format& format : supportedFormats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D)) {
    if (format.image_channel_order == CL_DEPTH)
      continue;
    for (const size_t width : {13, 32}) {
      const TypeCase image = {CL_MEM_OBJECT_IMAGE2D, {width, 6, 1}, "c.xy"};
      HostImage host(image.type, format, image.size);
      host.randomize(14);
      double largest = 1;
      for (size_t y = 0; y < 6; ++y)
        for (size_t x = 0; x < width; ++x)
          for (const double channel : host.texel({x, y, 0}))
            largest = std::max(largest, std::abs(channel));
      const DeviceImage device(host, CL_MEM_READ_ONLY);
      const std::string suffix = suffixOf(format);
      for (const HostSampler& sampler : allSamplers()) {
        const bool isLinear = sampler.filter == CL_FILTER_LINEAR;
        if (isLinear && suffix != "f")
          continue;
        const DeviceSampler handle(sampler);
        const std::vector<cl_float> coords = makeCoordinates(image, sampler);
        const Buffer<cl_float> in(coords);
        Buffer<cl_float> out(coords.size());
        run(program, ("k" + suffix).c_str(), {{coordinates}}, device.handle(), handle.handle(), in,
            out);
        const std::vector<cl_float> actual = out.read();
        for (size_t i = 0; i < coordinates; ++i) {
          const Color expected = host.sample(sampler, {coords[i * 4], coords[i * 4 + 1], 0});
          for (size_t c = 0; c < 4; ++c)
            ASSERT_NEAR(expected[c], actual[i * 4 + c],
                        (isLinear ? filterLimit(format) : 1e-6) * largest)
                << describe(format) << ", " << width << " wide, " << sampler.constant() << ", at ("
                << coords[i * 4] << ", " << coords[i * 4 + 1] << "), channel " << c;
        }
      }
    }
  }
}

/// Integer coordinates take the element itself, the border's color or that at the edge.
TEST(ImageSampling, integerCoordinates) {
  for (const TypeCase& image : types) {
    HostImage host(image.type, {CL_RGBA, CL_SIGNED_INT32}, image.size);
    host.randomize(13);
    const DeviceImage device(host);
    for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP}) {
      const HostSampler sampler = {false, mode, CL_FILTER_NEAREST};
      const Program program =
          build("kernel void k(read_only " + typeName(image.type) +
                " image, global const float4* coord, global int4* out) {\n" +
                "  const sampler_t s = " + sampler.constant() + ";\n" +
                "  int i = get_global_id(0); int4 c = convert_int4_rtn(coord[i]);\n" +
                "  out[2 * i] = read_imagei(image, s, " + image.coord + ");\n" +
                "  float4 f = convert_float4(c) + (float4)(0.5f);\n" +
                "  out[2 * i + 1] = read_imagei(image, s, " +
                (std::string(image.coord) == "c.x"    ? "f.x"
                 : std::string(image.coord) == "c.xy" ? "f.xy"
                                                      : "f") +
                "); }\n");
      const std::vector<cl_float> coords = makeCoordinates(image, sampler);
      const Buffer<cl_float> in(coords);
      Buffer<cl_int> out(coords.size() * 2);
      run(program, "k", {{coordinates}}, device.handle(), in, out);
      const std::vector<cl_int> actual = out.read();
      for (size_t i = 0; i < coordinates; ++i) {
        std::array<double, 3> place;
        for (size_t c = 0; c < 3; ++c)
          place[c] = std::floor(coords[i * 4 + c]);
        const Color expected = host.sample(sampler, place);
        for (size_t c = 0; c < 4; ++c)
          ASSERT_EQ(expected[c], actual[i * 8 + c]) << typeName(image.type) << ", place " << i;
        // Layers are rounded, so half a layer more may be another one.
        if (!host.isArray())
          for (size_t c = 0; c < 4; ++c)
            ASSERT_EQ(expected[c], actual[i * 8 + 4 + c]) << typeName(image.type);
      }
    }
  }
}

TEST(ImageSampling, coordinatesThatAreNoNumbersReadSomethingInside) {
  HostImage host(CL_MEM_OBJECT_IMAGE2D, {CL_R, CL_FLOAT}, {4, 4, 1});
  for (size_t i = 0; i < host.elements(); ++i)
    reinterpret_cast<float*>(host.bytes().data())[i] = 3;
  const DeviceImage device(host);
  const Program program = build(R"(
    kernel void k(read_only image2d_t image, sampler_t s, global const float2* coord,
                  global float* out) {
      int i = get_global_id(0);
      out[i] = read_imagef(image, s, coord[i]).x;
    })");
  const float inf = INFINITY, nan = NAN;
  const Buffer<cl_float> in(std::vector<cl_float>{inf, -inf, nan, nan, 1e30f, -1e30f, 0, nan});
  for (const HostSampler& sampler : allSamplers()) {
    if (sampler.addressing == CL_ADDRESS_CLAMP || sampler.filter == CL_FILTER_LINEAR)
      continue;
    const DeviceSampler handle(sampler);
    Buffer<cl_float> out(4);
    run(program, "k", {{4}}, device.handle(), handle.handle(), in, out);
    EXPECT_EQ((std::vector<cl_float>{3, 3, 3, 3}), out.read()) << sampler.constant();
  }
}

} // namespace
} // namespace quern::tests
