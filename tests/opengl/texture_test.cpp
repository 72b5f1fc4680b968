#include "opengl/sharing_fixture.h"

#include <cstring>
#include <random>

namespace quern::test {
namespace {

/// How OpenGL has a format, and what OpenCL makes of it.
struct Format {
  const char* name;
  GLenum internal, format, type;
  cl_channel_order order;
  cl_channel_type channel;
  size_t bytes; ///< of an element
};

// clang-format off
constexpr Format formats[] = {
    {"RGBA8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, CL_RGBA, CL_UNORM_INT8, 4},
    {"RGBA", GL_RGBA, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8_REV, CL_RGBA, CL_UNORM_INT8, 4},
    {"RGBA16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, CL_RGBA, CL_UNORM_INT16, 8},
    {"RGBA32F", GL_RGBA32F, GL_RGBA, GL_FLOAT, CL_RGBA, CL_FLOAT, 16},
    {"RGBA16F", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, CL_RGBA, CL_HALF_FLOAT, 8},
    {"RGBA8I", GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, CL_RGBA, CL_SIGNED_INT8, 4},
    {"RGBA32UI", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, CL_RGBA, CL_UNSIGNED_INT32, 16},
    {"RG16I", GL_RG16I, GL_RG_INTEGER, GL_SHORT, CL_RG, CL_SIGNED_INT16, 4},
    {"RG8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, CL_RG, CL_UNORM_INT8, 2},
    {"R32F", GL_R32F, GL_RED, GL_FLOAT, CL_R, CL_FLOAT, 4},
    {"R8UI", GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, CL_R, CL_UNSIGNED_INT8, 1},
    {"RGB565", GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, CL_RGB, CL_UNORM_SHORT_565, 2},
    {"Depth16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, CL_DEPTH, CL_UNORM_INT16, 2},
    {"Depth32F", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, CL_DEPTH, CL_FLOAT, 4},
};
// clang-format on

struct Kind {
  const char* name;
  GLenum target, bound;
  cl_gl_object_type object;
  cl_mem_object_type image;
  std::array<size_t, 3> size;
};

// clang-format off
constexpr Kind kinds[] = {
    {"1D", GL_TEXTURE_1D, GL_TEXTURE_1D, CL_GL_OBJECT_TEXTURE1D, CL_MEM_OBJECT_IMAGE1D, {67, 1, 1}},
    {"1DArray", GL_TEXTURE_1D_ARRAY, GL_TEXTURE_1D_ARRAY, CL_GL_OBJECT_TEXTURE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_ARRAY, {35, 5, 1}},
    {"2D", GL_TEXTURE_2D, GL_TEXTURE_2D, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, {33, 17, 1}},
    {"Rectangle", GL_TEXTURE_RECTANGLE, GL_TEXTURE_RECTANGLE, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, {19, 31, 1}},
    {"Face", GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, GL_TEXTURE_CUBE_MAP, CL_GL_OBJECT_TEXTURE2D, CL_MEM_OBJECT_IMAGE2D, {16, 16, 1}},
    {"2DArray", GL_TEXTURE_2D_ARRAY, GL_TEXTURE_2D_ARRAY, CL_GL_OBJECT_TEXTURE2D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY, {13, 9, 4}},
    {"3D", GL_TEXTURE_3D, GL_TEXTURE_3D, CL_GL_OBJECT_TEXTURE3D, CL_MEM_OBJECT_IMAGE3D, {11, 7, 5}},
};
// clang-format on

std::vector<unsigned char> randomBytes(const Format& format, size_t count) {
  std::mt19937 random(7);
  std::vector<unsigned char> bytes(count);
  for (unsigned char& byte : bytes)
    byte = static_cast<unsigned char>(random());
  if (format.type != GL_FLOAT && format.type != GL_HALF_FLOAT)
    return bytes;
  // Numbers from 0 to 1, which no conversion changes and a depth can be.
  for (size_t at = 0; at < count; at += format.type == GL_FLOAT ? 4 : 2)
    if (format.type == GL_FLOAT) {
      const float value = static_cast<float>(random() % 256) / 256;
      std::memcpy(&bytes[at], &value, sizeof(value));
    } else {
      const auto value = static_cast<uint16_t>(0x3800 + random() % 1024); // from 0.5 to 1
      std::memcpy(&bytes[at], &value, sizeof(value));
    }
  return bytes;
}

class SharedTextureTest : public SharingTest {
protected:
  /// All faces of a cube map get the elements; `level` is the only one that is there.
  GLuint makeTexture(const Kind& kind, const Format& format, const void* elements,
                     GLint level = 0) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(kind.bound, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    const auto internal = static_cast<GLint>(format.internal);
    const auto [width, height, depth] = kind.size;
    const auto w = static_cast<GLsizei>(width), h = static_cast<GLsizei>(height),
               d = static_cast<GLsizei>(depth);
    if (kind.image == CL_MEM_OBJECT_IMAGE1D)
      glTexImage1D(kind.target, level, internal, w, 0, format.format, format.type, elements);
    else if (depth > 1)
      glTexImage3D(kind.target, level, internal, w, h, d, 0, format.format, format.type, elements);
    else if (kind.bound == GL_TEXTURE_CUBE_MAP)
      for (GLenum face = 0; face < 6; ++face)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, internal, w, h, 0, format.format,
                     format.type, elements);
    else
      glTexImage2D(kind.target, level, internal, w, h, 0, format.format, format.type, elements);
    EXPECT_EQ(GLenum{GL_NO_ERROR}, glGetError());
    return name;
  }
  std::vector<unsigned char> elementsOf(const Kind& kind, const Format& format, GLuint name,
                                        GLenum target) {
    std::vector<unsigned char> elements(bytesOf(kind, format));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glBindTexture(kind.bound, name);
    glGetTexImage(target, 0, format.format, format.type, elements.data());
    return elements;
  }
  static size_t bytesOf(const Kind& kind, const Format& format) {
    return kind.size[0] * kind.size[1] * kind.size[2] * format.bytes;
  }
  Memory share(GLenum target, GLuint name, cl_mem_flags flags = CL_MEM_READ_WRITE,
               GLint level = 0) {
    return Memory(clCreateFromGLTexture(context.get(), flags, target, level, name, &code));
  }
  void check(const Kind& kind, const Format& format);
  void checkQueries(const Kind& kind, const Format& format, GLuint name, cl_mem image);
};

void SharedTextureTest::checkQueries(const Kind& kind, const Format& format, GLuint name,
                                     cl_mem image) {
  cl_gl_object_type type = 0;
  cl_GLuint asked = 0;
  EXPECT_EQ(CL_SUCCESS, clGetGLObjectInfo(image, &type, &asked));
  EXPECT_EQ(kind.object, type);
  EXPECT_EQ(name, asked);
  EXPECT_EQ(kind.target, info<cl_GLenum>(clGetGLTextureInfo, image, CL_GL_TEXTURE_TARGET));
  EXPECT_EQ(0, info<cl_GLint>(clGetGLTextureInfo, image, CL_GL_MIPMAP_LEVEL));
  EXPECT_EQ(kind.image, info<cl_mem_object_type>(clGetMemObjectInfo, image, CL_MEM_TYPE));
  EXPECT_EQ(kind.size[0], info<size_t>(clGetImageInfo, image, CL_IMAGE_WIDTH));
  const auto told = info<cl_image_format>(clGetImageInfo, image, CL_IMAGE_FORMAT);
  EXPECT_EQ(format.order, told.image_channel_order);
  EXPECT_EQ(format.channel, told.image_channel_data_type);
  EXPECT_EQ(format.bytes, info<size_t>(clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE));
}

/// What OpenGL has is read, and other elements come back to it, to no other face than the one.
void SharedTextureTest::check(const Kind& kind, const Format& format) {
  const std::vector<unsigned char> before = randomBytes(format, bytesOf(kind, format));
  const GLuint name = makeTexture(kind, format, before.data());
  const Memory image = share(kind.target, name);
  ASSERT_EQ(CL_SUCCESS, code);
  checkQueries(kind, format, name, image.get());
  acquire(image.get());
  const size_t origin[3] = {};
  std::vector<unsigned char> elements(before.size());
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueReadImage(queue.get(), image.get(), CL_TRUE, origin, kind.size.data(), 0, 0,
                               elements.data(), 0, nullptr, nullptr));
  EXPECT_EQ(before, elements);
  std::vector<unsigned char> after(before.size());
  for (size_t at = 0; at < after.size(); at += format.bytes)
    std::memcpy(&after[at], &before[before.size() - at - format.bytes], format.bytes);
  ASSERT_EQ(CL_SUCCESS,
            clEnqueueWriteImage(queue.get(), image.get(), CL_TRUE, origin, kind.size.data(), 0, 0,
                                after.data(), 0, nullptr, nullptr));
  release(image.get());
  EXPECT_EQ(after, elementsOf(kind, format, name, kind.target));
  if (kind.bound == GL_TEXTURE_CUBE_MAP) {
    EXPECT_EQ(before, elementsOf(kind, format, name, GL_TEXTURE_CUBE_MAP_POSITIVE_Z));
  }
  glDeleteTextures(1, &name);
}

TEST_F(SharedTextureTest, everyKindAndFormat) {
  for (const Kind& kind : kinds)
    for (const Format& format : formats) {
      const bool isDepth = format.order == CL_DEPTH;
      if (isDepth && kind.image != CL_MEM_OBJECT_IMAGE2D &&
          kind.image != CL_MEM_OBJECT_IMAGE2D_ARRAY)
        continue;
      SCOPED_TRACE(std::string(kind.name) + " of " + format.name);
      check(kind, format);
    }
}

TEST_F(SharedTextureTest, texturesOfBuffers) {
  const std::vector<unsigned char> before = randomBytes(formats[0], 4000);
  GLuint buffer = 0, name = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_TEXTURE_BUFFER, buffer);
  glBufferData(GL_TEXTURE_BUFFER, 4000, before.data(), GL_DYNAMIC_DRAW);
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_BUFFER, name);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8UI, buffer);
  const Memory image = share(GL_TEXTURE_BUFFER, name);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(1000u, info<size_t>(clGetImageInfo, image.get(), CL_IMAGE_WIDTH));
  const Program program = buildProgram("kernel void invert(read_write image1d_buffer_t image) {"
                                       "  int i = get_global_id(0);"
                                       "  write_imageui(image, i, 255 - read_imageui(image, i)); }",
                                       "-cl-std=CL3.0");
  const Kernel kernel = makeKernel(program, "invert");
  setArguments(kernel, image.get());
  acquire(image.get());
  run(kernel, 1000);
  release(image.get());
  std::vector<unsigned char> after(4000);
  glGetBufferSubData(GL_TEXTURE_BUFFER, 0, 4000, after.data());
  for (size_t i = 0; i < after.size(); ++i)
    ASSERT_EQ(255 - before[i], after[i]) << i;
}

TEST_F(SharedTextureTest, kernelsReadDepthAndLeaveTheStencil) {
  const Kind kind = {"2D", GL_TEXTURE_2D, GL_TEXTURE_2D, 0, CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}};
  const Format format = {"Depth24Stencil8",
                         GL_DEPTH24_STENCIL8,
                         GL_DEPTH_STENCIL,
                         GL_UNSIGNED_INT_24_8,
                         CL_DEPTH_STENCIL,
                         CL_UNORM_INT24,
                         4};
  std::vector<uint32_t> before(32);
  for (uint32_t i = 0; i < before.size(); ++i)
    before[i] = (i * 524288) << 8 | (100 + i);
  const GLuint name = makeTexture(kind, format, before.data());
  const Memory image = share(GL_TEXTURE_2D, name);
  ASSERT_EQ(CL_SUCCESS, code);
  const auto told = info<cl_image_format>(clGetImageInfo, image.get(), CL_IMAGE_FORMAT);
  EXPECT_EQ(cl_channel_order{CL_DEPTH_STENCIL}, told.image_channel_order);
  EXPECT_EQ(cl_channel_type{CL_UNORM_INT24}, told.image_channel_data_type);
  const Program program = buildProgram(
      "kernel void read(read_only image2d_depth_t image, global float* depths, global int2* told) {"
      "  int2 at = (int2)(get_global_id(0) % 8, get_global_id(0) / 8);"
      "  depths[get_global_id(0)] = read_imagef(image, at);"
      "  *told = (int2)(get_image_channel_order(image), get_image_channel_data_type(image)); }");
  const Kernel kernel = makeKernel(program, "read");
  const Memory depths = makeBuffer(128), names = makeBuffer(8);
  setArguments(kernel, image.get(), depths.get(), names.get());
  acquire(image.get());
  run(kernel, 32);
  release(image.get());
  const std::vector<float> values = contents<float>(depths.get());
  for (uint32_t i = 0; i < before.size(); ++i)
    ASSERT_FLOAT_EQ(static_cast<float>(before[i] >> 8) / 16777215, values[i]) << i;
  EXPECT_EQ((std::vector<cl_int>{CL_DEPTH_STENCIL, CL_UNORM_INT24}), contents<cl_int>(names.get()));
  std::vector<uint32_t> after(32);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, after.data());
  EXPECT_EQ(before, after);
  // It is only read, and by kernels alone.
  const Program writer = buildProgram("kernel void write(write_only image2d_depth_t image) {"
                                      "  write_imagef(image, (int2)(0), 1.0f); }");
  const Kernel write = makeKernel(writer, "write");
  const cl_mem memory = image.get();
  EXPECT_EQ(CL_INVALID_ARG_VALUE, clSetKernelArg(write.get(), 0, sizeof(memory), &memory));
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  EXPECT_EQ(CL_INVALID_OPERATION,
            clEnqueueReadImage(queue.get(), image.get(), CL_TRUE, origin, region, 0, 0,
                               after.data(), 0, nullptr, nullptr));
}

TEST_F(SharedTextureTest, levels) {
  const Kind small = {"2D", GL_TEXTURE_2D, GL_TEXTURE_2D, 0, CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}};
  const std::vector<unsigned char> elements = randomBytes(formats[0], 64 * 32 * 4);
  const GLuint name =
      makeTexture({"2D", GL_TEXTURE_2D, GL_TEXTURE_2D, 0, CL_MEM_OBJECT_IMAGE2D, {16, 8, 1}},
                  formats[0], elements.data());
  glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, elements.data());
  const Memory image = share(GL_TEXTURE_2D, name, CL_MEM_READ_ONLY, 1);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(small.size[0], info<size_t>(clGetImageInfo, image.get(), CL_IMAGE_WIDTH));
  EXPECT_EQ(1, info<cl_GLint>(clGetGLTextureInfo, image.get(), CL_GL_MIPMAP_LEVEL));
  for (const GLint wrong : {-1, 5}) {
    EXPECT_EQ(nullptr, share(GL_TEXTURE_2D, name, 0, wrong));
    EXPECT_EQ(CL_INVALID_MIP_LEVEL, code) << wrong;
  }
  // A level that could be there, but is not.
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D, name, 0, 2));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
}

TEST_F(SharedTextureTest, creationErrors) {
  const Kind& kind = kinds[2];
  const std::vector<unsigned char> elements = randomBytes(formats[0], bytesOf(kind, formats[0]));
  const GLuint name = makeTexture(kind, formats[0], elements.data());
  EXPECT_EQ(nullptr, clCreateFromGLTexture(plain.get(), 0, GL_TEXTURE_2D, 0, name, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D, name, CL_MEM_HOST_NO_ACCESS));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_CUBE_MAP, name));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_3D, name));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D, name + 100));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  GLuint empty = 0;
  glGenTextures(1, &empty);
  glBindTexture(GL_TEXTURE_2D, empty);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D, empty));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB10_A2, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  EXPECT_EQ(nullptr, share(GL_TEXTURE_2D, empty));
  EXPECT_EQ(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, code);
  // The functions of OpenCL 1.1, which take one kind each.
  const Memory flat(clCreateFromGLTexture2D(context.get(), 0, GL_TEXTURE_2D, 0, name, &code));
  EXPECT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(nullptr, clCreateFromGLTexture3D(context.get(), 0, GL_TEXTURE_2D, 0, name, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, clCreateFromGLTexture2D(context.get(), 0, GL_TEXTURE_3D, 0, name, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  expectQueryErrors(clGetGLTextureInfo, flat.get(), CL_GL_TEXTURE_TARGET);
}

} // namespace
} // namespace quern::test
