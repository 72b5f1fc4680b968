#include "opengl/sharing_fixture.h"

#include <cmath>
#include <string>

namespace quern::test {
namespace {

/// How OpenGL has a format, and what OpenCL makes of it.
struct SampleFormat {
  const char* name;
  GLenum internal;
  cl_channel_order order;
  cl_channel_type channel;
  int channels;
  float tolerance;
};

// clang-format off
constexpr SampleFormat sampleFormats[] = {
    {"RGBA8", GL_RGBA8, CL_RGBA, CL_UNORM_INT8, 4, 1e-6f},
    {"SRGB8_ALPHA8", GL_SRGB8_ALPHA8, CL_sRGBA, CL_UNORM_INT8, 4, 1e-6f},
    {"RGBA16F", GL_RGBA16F, CL_RGBA, CL_HALF_FLOAT, 4, 5e-4f},
    {"RG16", GL_RG16, CL_RG, CL_UNORM_INT16, 2, 1e-6f},
    {"R32F", GL_R32F, CL_R, CL_FLOAT, 1, 1e-6f},
    {"RGBA8I", GL_RGBA8I, CL_RGBA, CL_SIGNED_INT8, 4, 0},
    {"RG16UI", GL_RG16UI, CL_RG, CL_UNSIGNED_INT16, 2, 0},
    {"R32UI", GL_R32UI, CL_R, CL_UNSIGNED_INT32, 1, 0},
    {"Depth16", GL_DEPTH_COMPONENT16, CL_DEPTH, CL_UNORM_INT16, 1, 1e-6f},
    {"Depth32F", GL_DEPTH_COMPONENT32F, CL_DEPTH, CL_FLOAT, 1, 1e-6f},
    {"Depth24Stencil8", GL_DEPTH24_STENCIL8, CL_DEPTH_STENCIL, CL_UNORM_INT24, 1, 1e-6f},
};
// clang-format on

bool isDepth(const SampleFormat& format) {
  return format.order == CL_DEPTH || format.order == CL_DEPTH_STENCIL;
}
bool isSigned(const SampleFormat& format) {
  return format.channel == CL_SIGNED_INT8;
}
bool isUnsigned(const SampleFormat& format) {
  return format.channel == CL_UNSIGNED_INT16 || format.channel == CL_UNSIGNED_INT32;
}

constexpr int width = 19, height = 7, layers = 3, samples = 4;

/// What is drawn: a number from 0 to 15 for each channel of each sample.
int drawn(int x, int y, int layer, int sample, int channel) {
  return (x * 3 + y * 5 + layer * 11 + sample * 7 + channel * 2) % 16;
}

/// The shader's side of `drawn`.
std::string drawingShader(const SampleFormat& format) {
  const std::string number = isSigned(format) ? "i" : isUnsigned(format) ? "u" : "";
  const std::string scale = number.empty() ? " / 15.0" : "";
  return "#version 150\n"
         "uniform ivec2 slice;\n" +
         (isDepth(format) ? std::string() : "out " + number + "vec4 color;\n") +
         "int drawn(int channel) {\n"
         "  ivec2 at = ivec2(gl_FragCoord.xy);\n"
         "  return (at.x * 3 + at.y * 5 + slice.x * 11 + slice.y * 7 + channel * 2) % 16;\n"
         "}\n"
         "void main() {\n" +
         (isDepth(format) ? "  gl_FragDepth = drawn(0) / 15.0;\n"
                          : "  color = " + number + "vec4(drawn(0), drawn(1), drawn(2), drawn(3))" +
                                scale + ";\n") +
         "}\n";
}

float expected(const SampleFormat& format, int x, int y, int layer, int sample, int channel) {
  const float number = static_cast<float>(drawn(x, y, layer, sample, channel));
  if (isSigned(format) || isUnsigned(format))
    return number;
  const float value = number / 15;
  if (format.order != CL_sRGBA || channel == 3)
    return value;
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

class MultisampleTest : public SharingTest {
protected:
  GLuint makeTexture(const SampleFormat& format, bool isArray) {
    const GLenum target = isArray ? GL_TEXTURE_2D_MULTISAMPLE_ARRAY : GL_TEXTURE_2D_MULTISAMPLE;
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(target, name);
    if (isArray)
      glTexImage3DMultisample(target, samples, format.internal, width, height, layers, GL_TRUE);
    else
      glTexImage2DMultisample(target, samples, format.internal, width, height, GL_TRUE);
    EXPECT_EQ(GLenum{GL_NO_ERROR}, glGetError());
    return name;
  }
  void draw(const SampleFormat& format, GLuint name, bool isArray);
  Memory share(GLenum target, GLuint name, cl_mem_flags flags = CL_MEM_READ_ONLY, GLint level = 0) {
    return Memory(clCreateFromGLTexture(context.get(), flags, target, level, name, &code));
  }
  void check(const SampleFormat& format, bool isArray);
  void checkQueries(const SampleFormat& format, cl_mem image, bool isArray);
  void checkKernel(const SampleFormat& format, cl_mem image, bool isArray);
  void expectCommandErrors(cl_mem image, cl_mem other);
};

GLuint link(const std::string& fragment) {
  const GLuint program = glCreateProgram();
  const auto attach = [program](GLenum kind, const char* source) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glDeleteShader(shader);
  };
  attach(GL_VERTEX_SHADER,
         "#version 150\n"
         "void main() {\n"
         "  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4 - 1, 0, 1);\n"
         "}\n");
  attach(GL_FRAGMENT_SHADER, fragment.c_str());
  glLinkProgram(program);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  EXPECT_EQ(GL_TRUE, linked) << fragment;
  return program;
}

/// Each sample by itself, through a mask.
void MultisampleTest::draw(const SampleFormat& format, GLuint name, bool isArray) {
  const GLuint program = link(drawingShader(format));
  GLuint framebuffer = 0, vertices = 0;
  glGenVertexArrays(1, &vertices);
  glBindVertexArray(vertices);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
  glUseProgram(program);
  glEnable(GL_SAMPLE_MASK);
  if (isDepth(format)) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glDrawBuffer(GL_NONE);
  }
  const GLenum point = format.order == CL_DEPTH           ? GL_DEPTH_ATTACHMENT
                       : format.order == CL_DEPTH_STENCIL ? GL_DEPTH_STENCIL_ATTACHMENT
                                                          : GL_COLOR_ATTACHMENT0;
  for (int layer = 0; layer < (isArray ? layers : 1); ++layer) {
    if (isArray)
      glFramebufferTextureLayer(GL_FRAMEBUFFER, point, name, 0, layer);
    else
      glFramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D_MULTISAMPLE, name, 0);
    EXPECT_EQ(GLenum{GL_FRAMEBUFFER_COMPLETE}, glCheckFramebufferStatus(GL_FRAMEBUFFER));
    for (int sample = 0; sample < samples; ++sample) {
      glUniform2i(glGetUniformLocation(program, "slice"), layer, sample);
      glSampleMaski(0, 1u << sample);
      glDrawArrays(GL_TRIANGLES, 0, 3);
    }
  }
  glDisable(GL_SAMPLE_MASK);
  glDisable(GL_DEPTH_TEST);
  glUseProgram(0);
  glDeleteProgram(program);
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteVertexArrays(1, &vertices);
  EXPECT_EQ(GLenum{GL_NO_ERROR}, glGetError());
}

void MultisampleTest::checkQueries(const SampleFormat& format, cl_mem image, bool isArray) {
  cl_gl_object_type type = 0;
  EXPECT_EQ(CL_SUCCESS, clGetGLObjectInfo(image, &type, nullptr));
  EXPECT_EQ(cl_gl_object_type(isArray ? CL_GL_OBJECT_TEXTURE2D_ARRAY : CL_GL_OBJECT_TEXTURE2D),
            type);
  EXPECT_EQ(cl_GLenum(isArray ? GL_TEXTURE_2D_MULTISAMPLE_ARRAY : GL_TEXTURE_2D_MULTISAMPLE),
            info<cl_GLenum>(clGetGLTextureInfo, image, CL_GL_TEXTURE_TARGET));
  EXPECT_EQ(samples, info<cl_GLint>(clGetGLTextureInfo, image, CL_GL_NUM_SAMPLES));
  EXPECT_EQ(cl_mem_object_type(isArray ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D),
            info<cl_mem_object_type>(clGetMemObjectInfo, image, CL_MEM_TYPE));
  EXPECT_EQ(cl_uint{samples}, info<cl_uint>(clGetImageInfo, image, CL_IMAGE_NUM_SAMPLES));
  EXPECT_EQ(isArray ? size_t{layers} : 0u,
            info<size_t>(clGetImageInfo, image, CL_IMAGE_ARRAY_SIZE));
  const auto told = info<cl_image_format>(clGetImageInfo, image, CL_IMAGE_FORMAT);
  EXPECT_EQ(format.order, told.image_channel_order);
  EXPECT_EQ(format.channel, told.image_channel_data_type);
}

/// A kernel reads every sample, and what it is told of the image.
void MultisampleTest::checkKernel(const SampleFormat& format, cl_mem image, bool isArray) {
  const std::string type = std::string(isArray ? "image2d_array_msaa" : "image2d_msaa") +
                           (isDepth(format) ? "_depth_t" : "_t");
  const std::string function = isSigned(format)     ? "read_imagei"
                               : isUnsigned(format) ? "read_imageui"
                                                    : "read_imagef";
  const std::string place = isArray ? "(int4)(at, i / (19 * 7), 0)" : "at";
  const std::string convert =
      isDepth(format) ? "(float4)(texel, 0, 0, 0)" : "convert_float4(texel)";
  const Program program =
      buildProgram("#ifndef cl_khr_gl_msaa_sharing\n"
                   "#error no macro\n"
                   "#endif\n"
                   "kernel void read(read_only " +
                   type +
                   " image, global float4* colors, global int* told) {\n"
                   "  int i = get_global_id(0), sample = get_global_id(1);\n"
                   "  int2 at = (int2)(i % 19, i / 19 % 7);\n"
                   "  " +
                   (isDepth(format)      ? "float"
                    : isSigned(format)   ? "int4"
                    : isUnsigned(format) ? "uint4"
                                         : "float4") +
                   " texel = " + function + "(image, " + place +
                   ", sample);\n"
                   "  colors[sample * get_global_size(0) + i] = " +
                   convert +
                   ";\n"
                   "  int2 dim = get_image_dim(image);\n"
                   "  told[0] = get_image_width(image); told[1] = get_image_height(image);\n"
                   "  told[2] = get_image_num_samples(image); told[3] = dim.x; told[4] = dim.y;\n"
                   "  told[5] = " +
                   (isArray ? "get_image_array_size(image)" : "3") +
                   ";\n"
                   "  told[6] = get_image_channel_order(image);\n"
                   "  told[7] = get_image_channel_data_type(image); }\n");
  const Kernel kernel = makeKernel(program, "read");
  const int slices = isArray ? layers : 1;
  const size_t count = size_t{width} * height * static_cast<size_t>(slices);
  const Memory colors = makeBuffer(count * samples * sizeof(cl_float4)), told = makeBuffer(32);
  setArguments(kernel, image, colors.get(), told.get());
  acquire(image);
  const size_t size[] = {count, samples};
  ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue.get(), kernel.get(), 2, nullptr, size, nullptr,
                                               0, nullptr, nullptr));
  release(image);
  EXPECT_EQ(
      (std::vector<cl_int>{width, height, samples, width, height, layers,
                           static_cast<cl_int>(format.order), static_cast<cl_int>(format.channel)}),
      contents<cl_int>(told.get()));
  const std::vector<float> values = contents<float>(colors.get());
  size_t at = 0;
  for (int sample = 0; sample < samples; ++sample)
    for (int layer = 0; layer < slices; ++layer)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x, at += 4)
          for (int channel = 0; channel < format.channels; ++channel)
            ASSERT_NEAR(expected(format, x, y, layer, sample, channel),
                        values[at + static_cast<size_t>(channel)], format.tolerance)
                << x << ", " << y << " of layer " << layer << ", sample " << sample << ", channel "
                << channel;
}

void MultisampleTest::check(const SampleFormat& format, bool isArray) {
  const GLuint name = makeTexture(format, isArray);
  draw(format, name, isArray);
  const Memory image =
      share(isArray ? GL_TEXTURE_2D_MULTISAMPLE_ARRAY : GL_TEXTURE_2D_MULTISAMPLE, name);
  ASSERT_EQ(CL_SUCCESS, code);
  checkQueries(format, image.get(), isArray);
  checkKernel(format, image.get(), isArray);
  glDeleteTextures(1, &name);
}

TEST_F(MultisampleTest, kernelsReadEverySample) {
  for (const SampleFormat& format : sampleFormats)
    for (const bool isArray : {false, true}) {
      SCOPED_TRACE(std::string(format.name) + (isArray ? " array" : ""));
      check(format, isArray);
    }
}

/// What is drawn between two acquisitions is seen, and a release leaves it as it is.
TEST_F(MultisampleTest, samplesAreReadAgain) {
  const SampleFormat& format = sampleFormats[0];
  const GLuint name = makeTexture(format, false);
  const Memory image = share(GL_TEXTURE_2D_MULTISAMPLE, name, CL_MEM_READ_WRITE);
  ASSERT_EQ(CL_SUCCESS, code);
  acquire(image.get());
  release(image.get());
  draw(format, name, false);
  checkKernel(format, image.get(), false);
  checkKernel(format, image.get(), false);
}

void MultisampleTest::expectCommandErrors(cl_mem image, cl_mem other) {
  const Memory buffer = makeBuffer(65536);
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  std::vector<unsigned char> host(65536);
  const cl_command_queue q = queue.get();
  EXPECT_EQ(CL_INVALID_OPERATION, clEnqueueReadImage(q, image, CL_TRUE, origin, region, 0, 0,
                                                     host.data(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION, clEnqueueWriteImage(q, image, CL_TRUE, origin, region, 0, 0,
                                                      host.data(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueCopyImage(q, image, other, origin, origin, region, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueCopyImage(q, other, image, origin, origin, region, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION, clEnqueueCopyImageToBuffer(q, image, buffer.get(), origin, region,
                                                             0, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION, clEnqueueCopyBufferToImage(q, buffer.get(), image, 0, origin,
                                                             region, 0, nullptr, nullptr));
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueFillImage(q, image, host.data(), origin, region, 0, nullptr, nullptr));
  size_t pitch = 0;
  EXPECT_EQ(nullptr, clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch,
                                       &pitch, 0, nullptr, nullptr, &code));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

TEST_F(MultisampleTest, commandsRefuseThem) {
  const GLuint name = makeTexture(sampleFormats[0], false);
  const Memory image = share(GL_TEXTURE_2D_MULTISAMPLE, name, CL_MEM_READ_WRITE);
  ASSERT_EQ(CL_SUCCESS, code);
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  const Memory other(
      clCreateImage(context.get(), CL_MEM_READ_WRITE, &format, &description, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  acquire(image.get());
  expectCommandErrors(image.get(), other.get());
  release(image.get());
}

TEST_F(MultisampleTest, argumentsFit) {
  const GLuint name = makeTexture(sampleFormats[0], false),
               array = makeTexture(sampleFormats[0], true);
  const Memory image = share(GL_TEXTURE_2D_MULTISAMPLE, name, CL_MEM_READ_WRITE);
  const Memory layered = share(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, array, CL_MEM_READ_WRITE);
  const Program program =
      buildProgram("kernel void flat(read_only image2d_t image) {}\n"
                   "kernel void sampled(read_only image2d_msaa_t image) {}\n"
                   "kernel void depth(read_only image2d_msaa_depth_t image) {}\n"
                   "kernel void written(write_only image2d_msaa_t image) {}\n");
  const auto set = [&](const char* function, const Memory& memory) {
    const Kernel kernel = makeKernel(program, function);
    const cl_mem handle = memory.get();
    return clSetKernelArg(kernel.get(), 0, sizeof(handle), &handle);
  };
  EXPECT_EQ(CL_SUCCESS, set("sampled", image));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set("sampled", layered));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set("flat", image));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT, set("depth", image));
  EXPECT_EQ(CL_INVALID_ARG_VALUE, set("written", image));
}

TEST_F(MultisampleTest, creationErrors) {
  const GLuint name = makeTexture(sampleFormats[0], false);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D_MULTISAMPLE, name, CL_MEM_READ_ONLY, 1));
  EXPECT_EQ(CL_INVALID_MIP_LEVEL, code);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D, name));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, name));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  GLuint empty = 0;
  glGenTextures(1, &empty);
  glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, empty);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D_MULTISAMPLE, empty));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  GLuint plainTexture = 0;
  glGenTextures(1, &plainTexture);
  glBindTexture(GL_TEXTURE_2D, plainTexture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  const Memory flat = share(GL_TEXTURE_2D, plainTexture);
  EXPECT_EQ(1, info<cl_GLint>(clGetGLTextureInfo, flat.get(), CL_GL_NUM_SAMPLES));
  EXPECT_EQ(0u, info<cl_uint>(clGetImageInfo, flat.get(), CL_IMAGE_NUM_SAMPLES));
}

} // namespace
} // namespace quern::test
