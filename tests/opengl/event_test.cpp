#include "opengl/sharing_fixture.h"

#include <EGL/egl.h>

namespace quern::test {
namespace {

class LinkedEventTest : public SharingTest {
protected:
  void SetUp() override {
    SharingTest::SetUp();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 400, nullptr, GL_DYNAMIC_DRAW);
    shared.reset(clCreateFromGLBuffer(context.get(), 0, buffer, &code));
    ASSERT_EQ(CL_SUCCESS, code);
  }
  EGLDisplay display() const { return eglGetCurrentDisplay(); }

  void check(cl_event event, cl_command_type type);

  GLuint buffer = 0;
  Memory shared;
};

/// What holds of every event that was made from a fence that will be signaled.
void LinkedEventTest::check(cl_event event, cl_command_type type) {
  ASSERT_EQ(CL_SUCCESS, code);
  EXPECT_EQ(type, info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE));
  EXPECT_EQ(nullptr, info<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE));
  EXPECT_EQ(context.get(), info<cl_context>(clGetEventInfo, event, CL_EVENT_CONTEXT));
  EXPECT_EQ(1u, info<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT));
  const cl_mem memory = shared.get();
  EXPECT_EQ(CL_INVALID_EVENT, clEnqueueMarkerWithWaitList(queue.get(), 1, &event, nullptr));
  EXPECT_EQ(CL_INVALID_EVENT, clSetUserEventStatus(event, CL_COMPLETE));
  EXPECT_EQ(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clEnqueueAcquireGLObjects(queue.get(), 1, &memory, 1, &event, nullptr));
  EXPECT_EQ(std::vector<int>(100, 42), contents<int>(memory));
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &event));
  EXPECT_EQ(CL_COMPLETE, info<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS));
  release(memory);
}

TEST_F(LinkedEventTest, fencesOfOpenGl) {
  const std::vector<int> values(100, 42);
  glBufferSubData(GL_ARRAY_BUFFER, 0, 400, values.data());
  const GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  const Event event(
      clCreateEventFromGLsyncKHR(context.get(), reinterpret_cast<cl_GLsync>(sync), &code));
  check(event.get(), CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR);
  glDeleteSync(sync);
}

TEST_F(LinkedEventTest, fencesOfEgl) {
  const std::vector<int> values(100, 42);
  glBufferSubData(GL_ARRAY_BUFFER, 0, 400, values.data());
  const EGLSync sync = eglCreateSync(display(), EGL_SYNC_FENCE, nullptr);
  ASSERT_NE(EGL_NO_SYNC, sync);
  glFlush();
  const Event event(clCreateEventFromEGLSyncKHR(context.get(), sync, display(), &code));
  check(event.get(), CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR);
  eglDestroySync(display(), sync);
}

TEST_F(LinkedEventTest, callbacks) {
  const GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  const Event event(
      clCreateEventFromGLsyncKHR(context.get(), reinterpret_cast<cl_GLsync>(sync), &code));
  const Event user = makeUserEvent();
  const auto complete = [](cl_event, cl_int status, void* other) {
    clSetUserEventStatus(static_cast<cl_event>(other), status);
  };
  EXPECT_EQ(CL_SUCCESS, clSetEventCallback(event.get(), CL_COMPLETE, complete, user.get()));
  const cl_event other = user.get();
  EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &other));
  glDeleteSync(sync);
}

TEST_F(LinkedEventTest, creationErrors) {
  int other = 0;
  EXPECT_EQ(nullptr,
            clCreateEventFromGLsyncKHR(context.get(), reinterpret_cast<cl_GLsync>(&other), &code));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
  EXPECT_EQ(nullptr, clCreateEventFromEGLSyncKHR(context.get(), &other, display(), &code));
  EXPECT_EQ(CL_INVALID_EGL_OBJECT_KHR, code);
  const GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  EXPECT_EQ(nullptr,
            clCreateEventFromGLsyncKHR(plain.get(), reinterpret_cast<cl_GLsync>(sync), &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, clCreateEventFromEGLSyncKHR(plain.get(), &other, display(), &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
}

} // namespace
} // namespace quern::test
