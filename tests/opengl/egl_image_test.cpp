#include "opengl/sharing_fixture.h"

#include <EGL/egl.h>

namespace quern::test {
namespace {

/// The OpenCL context need not be made from an OpenGL context.
class EglImageTest : public SharingTest, public ::testing::WithParamInterface<bool> {
protected:
  void SetUp() override {
    SharingTest::SetUp();
    if (!GetParam()) {
      context.swap(plain);
      queue = makeQueue();
    }
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    std::vector<uint32_t> texels(width * height);
    for (uint32_t i = 0; i < texels.size(); ++i)
      texels[i] = 0xff000000 | i;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glFinish();
    image = eglCreateImage(display(), eglGetCurrentContext(), EGL_GL_TEXTURE_2D,
                           reinterpret_cast<EGLClientBuffer>(uintptr_t{texture}), nullptr);
    ASSERT_NE(EGL_NO_IMAGE, image);
  }
  void TearDown() override {
    eglDestroyImage(display(), image);
    plain.reset();
    SharingTest::TearDown();
  }
  EGLDisplay display() const { return eglGetCurrentDisplay(); }
  Memory share(cl_mem_flags flags = CL_MEM_READ_WRITE) {
    return Memory(clCreateFromEGLImageKHR(context.get(), display(), image, flags, nullptr, &code));
  }

  static constexpr GLsizei width = 16, height = 8;
  GLuint texture = 0;
  EGLImage image = EGL_NO_IMAGE;
};

INSTANTIATE_TEST_SUITE_P(, EglImageTest, ::testing::Values(true, false), [](const auto& info) {
  return info.param ? "WithOpenGl" : "WithoutOpenGl";
});

TEST_P(EglImageTest, isReadAndWritten) {
  // NVIDIA's OpenGL does not write EGLImages.
  const bool isWritten =
      std::string(reinterpret_cast<const char*>(glGetString(GL_VENDOR))).find("NVIDIA") != 0;
  if (!isWritten) {
    EXPECT_EQ(nullptr, share());
    EXPECT_EQ(CL_INVALID_OPERATION, code);
  }
  const Memory shared = share(isWritten ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY);
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(cl_mem_object_type{CL_MEM_OBJECT_IMAGE2D},
            info<cl_mem_object_type>(clGetMemObjectInfo, shared.get(), CL_MEM_TYPE));
  const cl_mem memory = shared.get();
  cl_event event = nullptr;
  ASSERT_EQ(CL_SUCCESS, clEnqueueAcquireEGLObjectsKHR(queue.get(), 1, &memory, 0, nullptr, &event));
  EXPECT_EQ(cl_command_type{CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR},
            info<cl_command_type>(clGetEventInfo, Event(event).get(), CL_EVENT_COMMAND_TYPE));
  const size_t origin[3] = {}, region[3] = {width, height, 1};
  std::vector<uint32_t> texels(width * height);
  ASSERT_EQ(CL_SUCCESS, clEnqueueReadImage(queue.get(), memory, CL_TRUE, origin, region, 0, 0,
                                           texels.data(), 0, nullptr, nullptr));
  for (uint32_t i = 0; i < texels.size(); ++i)
    ASSERT_EQ(0xff000000 | i, texels[i]) << i;
  for (uint32_t& texel : texels)
    texel = ~texel;
  ASSERT_EQ(CL_SUCCESS, clEnqueueWriteImage(queue.get(), memory, CL_TRUE, origin, region, 0, 0,
                                            texels.data(), 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS,
            clEnqueueReleaseEGLObjectsKHR(queue.get(), 1, &memory, 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  std::vector<uint32_t> seen(texels.size());
  glBindTexture(GL_TEXTURE_2D, texture);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
  if (isWritten) {
    EXPECT_EQ(texels, seen);
  }
}

TEST_P(EglImageTest, creationErrors) {
  EXPECT_EQ(nullptr, clCreateFromEGLImageKHR(foreignHandle<cl_context>(Context()), display(), image,
                                             0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, clCreateFromEGLImageKHR(context.get(), &code, image, 0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr, share(CL_MEM_COPY_HOST_PTR));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  const cl_egl_image_properties_khr properties[] = {1, 1, 0};
  EXPECT_EQ(nullptr,
            clCreateFromEGLImageKHR(context.get(), display(), image, 0, properties, &code));
  EXPECT_EQ(CL_INVALID_VALUE, code);
  EXPECT_EQ(nullptr,
            clCreateFromEGLImageKHR(context.get(), display(), EGL_NO_IMAGE, 0, nullptr, &code));
  EXPECT_EQ(CL_INVALID_EGL_OBJECT_KHR, code);
}

TEST_P(EglImageTest, acquisitionErrors) {
  const Memory shared = share(), own = makeBuffer(4);
  for (const auto function : {clEnqueueAcquireEGLObjectsKHR, clEnqueueReleaseEGLObjectsKHR}) {
    const cl_mem memory = shared.get(), other = own.get();
    EXPECT_EQ(CL_SUCCESS, function(queue.get(), 0, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(CL_INVALID_VALUE, function(queue.get(), 1, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(CL_INVALID_EGL_OBJECT_KHR, function(queue.get(), 1, &other, 0, nullptr, nullptr));
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, function(queue.get(), 1, &memory, 1, nullptr, nullptr));
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
              function(foreignHandle<cl_command_queue>(context), 1, &memory, 0, nullptr, nullptr));
  }
}

} // namespace
} // namespace quern::test
