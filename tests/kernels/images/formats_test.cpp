// What each format's elements are to a kernel: read, written, and asked for.
#include <cmath>

#include "kernels/images/device_image.h"

namespace quern::tests {
namespace {

constexpr size_t lineLength = 512;

std::string vectorOf(const std::string& suffix) {
  return suffix == "f" ? "float4" : suffix == "i" ? "int4" : "uint4";
}

/// Kernels that read and write a line of elements, one for each suffix.
const Program& lineProgram() {
  static const Program program = [] {
    std::string source;
    for (const std::string suffix : {"f", "i", "ui"})
      source += "kernel void read_" + suffix + "(read_only image2d_t image, global " +
                vectorOf(suffix) + "* out) { int i = get_global_id(0); out[i] = read_image" +
                suffix + "(image, (int2)(i, 0)); }\n" + "kernel void write_" + suffix +
                "(write_only image2d_t image, global const " + vectorOf(suffix) +
                "* in) { int i = get_global_id(0); write_image" + suffix +
                "(image, (int2)(i, 0), in[i]); }\n";
    return build(source);
  }();
  return program;
}

/// Elements 0 to lineLength - 1 of a line of `format`, as a kernel reads them.
template <typename T>
std::vector<T> readByKernel(const HostImage& host, const std::string& suffix) {
  const DeviceImage image(host, CL_MEM_READ_ONLY);
  Buffer<T> out(lineLength * 4);
  run(lineProgram(), ("read_" + suffix).c_str(), {{lineLength}}, image.handle(), out);
  return out.read();
}

template <typename T> void expectRead(const HostImage& host, const std::string& suffix) {
  const std::vector<T> actual = readByKernel<T>(host, suffix);
  for (size_t i = 0; i < lineLength; ++i) {
    const Color expected = host.texel({i, 0, 0});
    for (size_t c = 0; c < 4; ++c)
      ASSERT_NEAR(expected[c], static_cast<double>(actual[i * 4 + c]),
                  suffix == "f" ? std::fabs(expected[c]) * 2e-7 : 0)
          << describe(host.format()) << ", element " << i << ", channel " << c;
  }
}

TEST(ImageFormats, everyFormatIsRead) {
  for (const cl_image_format& format : supportedFormats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D)) {
    if (format.image_channel_order == CL_DEPTH)
      continue; // read as a depth image below
    HostImage host(CL_MEM_OBJECT_IMAGE2D, format, {lineLength, 1, 1});
    host.randomize(format.image_channel_order * 31 + format.image_channel_data_type);
    const std::string suffix = suffixOf(format);
    if (suffix == "f")
      expectRead<cl_float>(host, suffix);
    else if (suffix == "i")
      expectRead<cl_int>(host, suffix);
    else
      expectRead<cl_uint>(host, suffix);
  }
}

/// How far a stored channel may be from the exact value, as a color.
double stepOf(const cl_image_format& format) {
  switch (format.image_channel_data_type) {
  case CL_SNORM_INT8:
    return 1 / 127.0;
  case CL_UNORM_INT8:
    return 1 / 255.0;
  case CL_SNORM_INT16:
    return 1 / 32767.0;
  case CL_UNORM_INT16:
    return 1 / 65535.0;
  case CL_UNORM_SHORT_565:
  case CL_UNORM_SHORT_555:
    return 1 / 31.0;
  case CL_UNORM_INT_101010:
  case CL_UNORM_INT_101010_2:
    return 1 / 1023.0;
  case CL_HALF_FLOAT:
    return 1 / 1024.0;
  default:
    return 0;
  }
}

bool isUnsignedNormalized(cl_channel_type type) {
  return type == CL_UNORM_INT8 || type == CL_UNORM_INT16 || isPackedType(type);
}

/// Writes `colors` with a kernel and returns the image.
template <typename T>
HostImage writeByKernel(const cl_image_format& format, const std::vector<T>& colors) {
  const std::string suffix = suffixOf(format);
  HostImage host(CL_MEM_OBJECT_IMAGE2D, format, {lineLength, 1, 1});
  const DeviceImage image(host, CL_MEM_WRITE_ONLY);
  const Buffer<T> in(colors);
  run(lineProgram(), ("write_" + suffix).c_str(), {{lineLength}}, image.handle(), in);
  image.read(host);
  return host;
}

/// Which channels of a color survive: a format without green reads it as 0 again.
std::array<bool, 4> storedChannels(cl_channel_order order) {
  switch (order) {
  case CL_R:
  case CL_INTENSITY:
  case CL_LUMINANCE:
    return {true, false, false, false};
  case CL_A:
    return {false, false, false, true};
  case CL_RG:
    return {true, true, false, false};
  case CL_RA:
    return {true, false, false, true};
  case CL_RGB:
    return {true, true, true, false};
  default:
    return {true, true, true, true};
  }
}

void expectFloatsWritten(const cl_image_format& format) {
  std::vector<cl_float> colors(lineLength * 4);
  for (size_t i = 0; i < colors.size(); ++i)
    colors[i] = static_cast<float>(std::sin(static_cast<double>(i) * 0.7) * 1.25);
  const HostImage host = writeByKernel(format, colors);
  const bool clamps =
      format.image_channel_data_type != CL_FLOAT && format.image_channel_data_type != CL_HALF_FLOAT;
  const double lowest = isUnsignedNormalized(format.image_channel_data_type) ? 0 : -1;
  const std::array<bool, 4> stored = storedChannels(format.image_channel_order);
  for (size_t i = 0; i < lineLength; ++i)
    for (size_t c = 0; c < 4; ++c) {
      if (!stored[c])
        continue;
      double expected = colors[i * 4 + c];
      if (clamps)
        expected = std::min(std::max(expected, lowest), 1.0);
      // Two bits of alpha.
      const double step = format.image_channel_data_type == CL_UNORM_INT_101010_2 && c == 3
                              ? 1 / 3.0
                              : stepOf(format);
      // Half a step, and the rounding of the color's product with the number of steps.
      ASSERT_NEAR(expected, host.texel({i, 0, 0})[c], step * 0.502)
          << describe(format) << ", element " << i << ", channel " << c;
    }
}

template <typename T> void expectIntegersWritten(const cl_image_format& format) {
  std::vector<T> colors(lineLength * 4);
  for (size_t i = 0; i < colors.size(); ++i)
    colors[i] = static_cast<T>(i * 2654435761u >> (i % 29));
  const HostImage host = writeByKernel(format, colors);
  double lowest = 0, highest = 0;
  switch (format.image_channel_data_type) {
  case CL_SIGNED_INT8:
    lowest = -128, highest = 127;
    break;
  case CL_SIGNED_INT16:
    lowest = -32768, highest = 32767;
    break;
  case CL_SIGNED_INT32:
    lowest = -0x1p31, highest = 0x1p31 - 1;
    break;
  case CL_UNSIGNED_INT8:
    highest = 255;
    break;
  case CL_UNSIGNED_INT16:
    highest = 65535;
    break;
  default:
    highest = 0x1p32 - 1;
  }
  const std::array<bool, 4> stored = storedChannels(format.image_channel_order);
  for (size_t i = 0; i < lineLength; ++i)
    for (size_t c = 0; c < 4; ++c) {
      if (!stored[c])
        continue;
      const double expected =
          std::min(std::max(static_cast<double>(colors[i * 4 + c]), lowest), highest);
      ASSERT_EQ(expected, host.texel({i, 0, 0})[c])
          << describe(format) << ", element " << i << ", channel " << c;
    }
}

TEST(ImageFormats, everyFormatIsWritten) {
  for (const cl_image_format& format : supportedFormats(CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D)) {
    if (format.image_channel_order == CL_DEPTH)
      continue;
    const std::string suffix = suffixOf(format);
    if (suffix == "f")
      expectFloatsWritten(format);
    else if (suffix == "i")
      expectIntegersWritten<cl_int>(format);
    else
      expectIntegersWritten<cl_uint>(format);
  }
}

TEST(ImageFormats, notANumberIsStoredAsZeroInNormalizedFormats) {
  for (const cl_channel_type type :
       {CL_UNORM_INT8, CL_SNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT16, CL_UNORM_INT_101010_2}) {
    const std::vector<cl_float> colors(lineLength * 4, std::nanf(""));
    const HostImage host = writeByKernel({CL_RGBA, type}, colors);
    EXPECT_EQ((Color{0, 0, 0, 0}), host.texel({5, 0, 0}));
  }
}

/// Whatever way a device takes to an element, its color is the same to the last bit.
TEST(ImageFormats, everyReadOfAnElementGivesTheSame) {
  Program program = build(R"(
    kernel void k(read_only image2d_t image, read_write image2d_t same, sampler_t s,
                  global float4* read) {
      int i = get_global_id(0), j = get_global_id(1), at = 4 * (j * get_global_size(0) + i);
      int2 place = (int2)(i, j);
      read[at] = read_imagef(image, place);
      read[at + 1] = read_imagef(image, s, place);
      read[at + 2] = read_imagef(image, s, convert_float2(place) + 0.5f);
      read[at + 3] = read_imagef(same, place);
    })",
                          "-cl-std=CL3.0");
  constexpr size_t width = 32, height = 8;
  const std::vector<cl_image_format> formats =
      supportedFormats(CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D);
  ASSERT_FALSE(formats.empty());
  for (const cl_image_format& format : formats) {
    if (suffixOf(format) != "f" || format.image_channel_order == CL_DEPTH)
      continue;
    HostImage host(CL_MEM_OBJECT_IMAGE2D, format, {width, height, 1});
    host.randomize(15);
    const DeviceImage image(host);
    const DeviceSampler sampler(HostSampler{});
    Buffer<cl_float> read(width * height * 16);
    run(program, "k", {{width, height}}, image.handle(), image.handle(), sampler.handle(), read);
    const std::vector<cl_float> values = read.read();
    for (size_t i = 0; i < values.size(); i += 16)
      for (size_t c = 0; c < 4; ++c) {
        EXPECT_EQ(values[i + c], values[i + 4 + c]) << describe(format);
        EXPECT_EQ(values[i + c], values[i + 8 + c]) << describe(format);
        EXPECT_EQ(values[i + c], values[i + 12 + c]) << describe(format);
      }
  }
}

TEST(ImageFormats, depthImagesAreReadAndWritten) {
  Program program = build(R"(
    kernel void k(read_only image2d_depth_t in, write_only image2d_depth_t out, sampler_t s,
                  global float* read) {
      int i = get_global_id(0);
      float depth = read_imagef(in, (int2)(i, 0));
      read[2 * i] = depth;
      read[2 * i + 1] = read_imagef(in, s, (float2)(i + 0.5f, 0.5f));
      write_imagef(out, (int2)(i, 0), depth);
    })",
                          "-cl-std=CL3.0");
  for (const cl_channel_type type : {CL_UNORM_INT16, CL_FLOAT}) {
    HostImage host(CL_MEM_OBJECT_IMAGE2D, {CL_DEPTH, type}, {lineLength, 1, 1});
    host.randomize(7);
    const DeviceImage in(host), out(HostImage(CL_MEM_OBJECT_IMAGE2D, host.format(), host.size()));
    const DeviceSampler sampler(HostSampler{});
    Buffer<cl_float> read(lineLength * 2);
    run(program, "k", {{lineLength}}, in.handle(), out.handle(), sampler.handle(), read);
    const std::vector<cl_float> values = read.read();
    for (size_t i = 0; i < lineLength; ++i) {
      EXPECT_NEAR(host.texel({i, 0, 0})[0], values[2 * i], 2e-7);
      EXPECT_EQ(values[2 * i], values[2 * i + 1]);
    }
    HostImage written = host;
    out.read(written);
    EXPECT_EQ(host.bytes(), written.bytes());
  }
}

struct Questions {
  cl_mem_object_type type;
  std::string code; ///< statements that store to out[2] and on
  std::vector<cl_int> answers;
};

TEST(ImageFormats, imagesAnswerQuestions) {
  const Questions all[] = {
      {CL_MEM_OBJECT_IMAGE1D, "", {}},
      {CL_MEM_OBJECT_IMAGE1D_ARRAY, "out[3] = get_image_array_size(image);", {5}},
      {CL_MEM_OBJECT_IMAGE2D,
       "out[3] = get_image_height(image); vstore2(get_image_dim(image), 2, out);",
       {5, 7, 5}},
      {CL_MEM_OBJECT_IMAGE2D_ARRAY,
       "out[3] = get_image_height(image); vstore2(get_image_dim(image), 2, out);"
       "out[6] = get_image_array_size(image);",
       {5, 7, 5, 3}},
      {CL_MEM_OBJECT_IMAGE3D,
       "out[3] = get_image_height(image); vstore4(get_image_dim(image), 1, out);"
       "out[8] = get_image_depth(image);",
       {5, 7, 5, 3, 0, 3}},
  };
  for (const Questions& questions : all) {
    for (const char* access : {"read_only", "write_only", "read_write"}) {
      Program program = build(std::string("kernel void k(") + access + " " +
                                  typeName(questions.type) + " image, global int* out) {" +
                                  "out[0] = get_image_width(image);"
                                  "out[1] = get_image_channel_order(image) == CLK_BGRA;"
                                  "out[2] = get_image_channel_data_type(image) == CLK_UNORM_INT8;" +
                                  questions.code + "}",
                              "-cl-std=CL3.0");
      const bool isArray = questions.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      const bool is1D = questions.type == CL_MEM_OBJECT_IMAGE1D || isArray;
      const bool is3D =
          questions.type == CL_MEM_OBJECT_IMAGE3D || questions.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      const HostImage host(questions.type, {CL_BGRA, CL_UNORM_INT8},
                           {7, is1D && !isArray ? 1u : 5u, is3D ? 3u : 1u});
      const DeviceImage image(host);
      Buffer<cl_int> out(16);
      run(program, "k", {{1}}, image.handle(), out);
      std::vector<cl_int> expected = {7, 1, 1};
      expected.insert(expected.end(), questions.answers.begin(), questions.answers.end());
      std::vector<cl_int> actual = out.read();
      actual.resize(expected.size());
      EXPECT_EQ(expected, actual) << typeName(questions.type) << " " << access;
    }
  }
}

} // namespace
} // namespace quern::tests
