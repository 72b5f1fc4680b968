#include "opengl/sharing_fixture.h"

namespace quern::test {
namespace {

class SharedRenderbufferTest : public SharingTest {
protected:
  void SetUp() override {
    SharingTest::SetUp();
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  }
  void makeStorage(GLenum internal) {
    glRenderbufferStorage(GL_RENDERBUFFER, internal, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, name);
    EXPECT_EQ(GLenum{GL_FRAMEBUFFER_COMPLETE}, glCheckFramebufferStatus(GL_FRAMEBUFFER));
  }
  /// Red in the row and column, blue elsewhere.
  void drawCross(GLint column, GLint row) {
    glEnable(GL_SCISSOR_TEST);
    const auto fill = [](GLint x, GLint y, GLsizei w, GLsizei h, float red) {
      glScissor(x, y, w, h);
      glClearColor(red, 0, 1 - red, 1);
      glClear(GL_COLOR_BUFFER_BIT);
    };
    fill(0, 0, width, height, 0);
    fill(column, 0, 1, height, 1);
    fill(0, row, width, 1, 1);
    glDisable(GL_SCISSOR_TEST);
  }
  Memory share(GLuint renderbuffer, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    return Memory(clCreateFromGLRenderbuffer(context.get(), flags, renderbuffer, &code));
  }

  static constexpr GLsizei width = 37, height = 23;
  GLuint name = 0, framebuffer = 0;
};

TEST_F(SharedRenderbufferTest, kernelsChangeWhatWasDrawn) {
  makeStorage(GL_RGBA8);
  drawCross(5, 11);
  const Memory image = share(name);
  ASSERT_EQ(CL_SUCCESS, code);
  const Program program =
      buildProgram("kernel void turn(read_write image2d_t image) {"
                   "  int2 at = (int2)(get_global_id(0) % 37, get_global_id(0) / 37);"
                   "  float4 color = read_imagef(image, at);"
                   "  write_imagef(image, at, (float4)(0, color.x, color.z, 1)); }",
                   "-cl-std=CL3.0");
  const Kernel kernel = makeKernel(program, "turn");
  setArguments(kernel, image.get());
  acquire(image.get());
  run(kernel, width * height);
  release(image.get());
  std::vector<unsigned char> pixels(width * height * 4);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  for (size_t i = 0; i < width * height; ++i) {
    const bool inCross = i % width == 5 || i / width == 11;
    const std::array<int, 4> expected = {0, inCross ? 255 : 0, inCross ? 0 : 255, 255};
    for (size_t channel = 0; channel < 4; ++channel)
      ASSERT_EQ(expected[channel], pixels[i * 4 + channel]) << i << " channel " << channel;
  }
}

TEST_F(SharedRenderbufferTest, answersQueries) {
  makeStorage(GL_RGBA32F);
  const Memory image = share(name, CL_MEM_READ_ONLY);
  ASSERT_EQ(CL_SUCCESS, code);
  cl_gl_object_type type = 0;
  cl_GLuint asked = 0;
  EXPECT_EQ(CL_SUCCESS, clGetGLObjectInfo(image.get(), &type, &asked));
  EXPECT_EQ(cl_gl_object_type{CL_GL_OBJECT_RENDERBUFFER}, type);
  EXPECT_EQ(name, asked);
  EXPECT_EQ(size_t{height}, info<size_t>(clGetImageInfo, image.get(), CL_IMAGE_HEIGHT));
  EXPECT_EQ(16u, info<size_t>(clGetImageInfo, image.get(), CL_IMAGE_ELEMENT_SIZE));
  EXPECT_EQ(CL_INVALID_GL_OBJECT,
            clGetGLTextureInfo(image.get(), CL_GL_TEXTURE_TARGET, 0, nullptr, nullptr));
}

TEST_F(SharedRenderbufferTest, creationErrors) {
  EXPECT_EQ(nullptr, share(name));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  EXPECT_EQ(nullptr, share(name + 100));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  makeStorage(GL_RGBA8);
  EXPECT_EQ(nullptr, clCreateFromGLRenderbuffer(plain.get(), 0, name, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, share(name, CL_MEM_ALLOC_HOST_PTR));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, width, height);
  EXPECT_EQ(nullptr, share(name));
  EXPECT_EQ(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, code);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, width, height);
  EXPECT_EQ(nullptr, share(name));
  EXPECT_EQ(CL_INVALID_OPERATION, code);
}

} // namespace
} // namespace quern::test
