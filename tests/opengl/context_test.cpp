#include "opengl/sharing_fixture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>

#include <sched.h>
#include <unistd.h>

namespace quern::test {
namespace {

class SharedContextTest : public SharingTest, public ::testing::WithParamInterface<WindowSystem> {
protected:
  using Properties = std::vector<cl_context_properties>;
  WindowSystem windowSystem() const override { return GetParam(); }

  cl_int creation(const Properties& list) {
    const Context made(clCreateContext(list.data(), 1, &device, nullptr, nullptr, &code));
    EXPECT_EQ(code == CL_SUCCESS, made != nullptr);
    return code;
  }
  /// The properties of the shared context with others before them.
  Properties with(Properties others) const {
    const Properties own = properties();
    others.insert(others.end(), own.begin(), own.end());
    return others;
  }
  cl_context_properties valueOf(cl_context_properties name) const {
    const Properties own = properties();
    const auto found = std::ranges::find(own, name);
    return found == own.end() ? 0 : found[1];
  }
  /// A new OpenGL buffer of 400 bytes.
  Memory shareBuffer() {
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, 400, nullptr, GL_STATIC_DRAW);
    return Memory(clCreateFromGLBuffer(context.get(), CL_MEM_READ_WRITE, name, &code));
  }
  cl_context_properties displayName() const {
    return GetParam() == WindowSystem::Glx ? CL_GLX_DISPLAY_KHR : CL_EGL_DISPLAY_KHR;
  }
};

INSTANTIATE_TEST_SUITE_P(, SharedContextTest,
                         ::testing::Values(WindowSystem::Glx, WindowSystem::Egl),
                         [](const auto& info) {
                           return info.param == WindowSystem::Glx ? "Glx" : "Egl";
                         });

/// From now on the calling thread and those that run callbacks leave no time to the others.
void holdUpOthers() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    const pid_t thread = std::stoi(task.path().filename());
    sched_setaffinity(thread, sizeof(one), &one);
    std::string name;
    std::ifstream(task.path() / "comm") >> name;
    const sched_param priority = {};
    if (thread != gettid() && name != "quern-callback")
      sched_setscheduler(thread, SCHED_IDLE, &priority);
  }
}

/// Makes `told`, a promise, keep its word.
void tell(void* told) {
  static_cast<std::promise<void>*>(told)->set_value();
}

// The last that keeps the context is a command, not the program.
TEST_P(SharedContextTest, isGoneBeforeTheDisplayThatTheProgramCloses) {
  cpu_set_t all;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof(all), &all));
  std::promise<void> isCalled, isDestroyed;
  ASSERT_EQ(CL_SUCCESS,
            clSetContextDestructorCallback(
                context.get(), [](cl_context, void* told) { tell(told); }, &isDestroyed));
  {
    const Memory shared = shareBuffer();
    ASSERT_EQ(CL_SUCCESS, code);
    const cl_mem memory = shared.get();
    const Event user = makeUserEvent(), other = makeUserEvent();
    const cl_event before = user.get();
    ASSERT_EQ(CL_SUCCESS, clSetEventCallback(
                              other.get(), CL_COMPLETE,
                              [](cl_event, cl_int, void* told) { tell(told); }, &isCalled));
    ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(other.get(), CL_COMPLETE));
    isCalled.get_future().wait();
    acquire(memory);
    ASSERT_EQ(CL_SUCCESS, clEnqueueReleaseGLObjects(queue.get(), 1, &memory, 1, &before, nullptr));
    ASSERT_EQ(CL_SUCCESS, clFlush(queue.get()));
    TearDown();
    holdUpOthers();
    ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(before, CL_COMPLETE));
  }
  isDestroyed.get_future().wait();
  gl.reset();
  EXPECT_EQ(0, sched_setaffinity(0, sizeof(all), &all));
}

// What the program keeps beyond that has nothing in the share group any more.
TEST_P(SharedContextTest, mayBeKeptLongerThanTheDisplay) {
  {
    const Memory shared = shareBuffer();
    ASSERT_EQ(CL_SUCCESS, code);
    const cl_mem memory = shared.get();
    const Event user = makeUserEvent();
    const cl_event before = user.get();
    acquire(memory);
    cl_event released = nullptr;
    ASSERT_EQ(CL_SUCCESS,
              clEnqueueReleaseGLObjects(queue.get(), 1, &memory, 1, &before, &released));
    const Event end(released);
    gl.reset();
    ASSERT_EQ(CL_SUCCESS, clSetUserEventStatus(before, CL_COMPLETE));
    clWaitForEvents(1, &released);
    // EGL knows that the display is in use.
    EXPECT_EQ(GetParam() == WindowSystem::Glx ? CL_INVALID_GL_OBJECT : CL_COMPLETE,
              info<cl_int>(clGetEventInfo, released, CL_EVENT_COMMAND_EXECUTION_STATUS));
  }
  TearDown();
}

TEST_P(SharedContextTest, returnsTheProperties) {
  EXPECT_EQ(properties(), infoList<cl_context_properties>(clGetContextInfo, context.get(),
                                                          CL_CONTEXT_PROPERTIES));
  const Context ofType(
      clCreateContextFromType(properties().data(), CL_DEVICE_TYPE_ALL, nullptr, nullptr, &code));
  EXPECT_EQ(CL_SUCCESS, code);
}

TEST_P(SharedContextTest, defaultsNameNoContext) {
  EXPECT_EQ(CL_SUCCESS, creation({CL_GL_CONTEXT_KHR, 0, CL_GLX_DISPLAY_KHR, 0, CL_EGL_DISPLAY_KHR,
                                  0, CL_WGL_HDC_KHR, 0, CL_CGL_SHAREGROUP_KHR, 0, 0}));
}

TEST_P(SharedContextTest, creationErrors) {
  const cl_context_properties display = valueOf(displayName());
  const cl_context_properties own = valueOf(CL_GL_CONTEXT_KHR);
  EXPECT_EQ(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, creation({CL_GL_CONTEXT_KHR, own, 0}));
  EXPECT_EQ(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, creation({displayName(), display, 0}));
  // A handle that is none.
  EXPECT_EQ(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
            creation({displayName(), display, CL_GL_CONTEXT_KHR,
                      reinterpret_cast<cl_context_properties>(&display), 0}));
  for (const cl_context_properties foreign : {CL_WGL_HDC_KHR, CL_CGL_SHAREGROUP_KHR})
    EXPECT_EQ(CL_INVALID_OPERATION, creation(with({foreign, 1})));
  const cl_context_properties other =
      GetParam() == WindowSystem::Glx ? CL_EGL_DISPLAY_KHR : CL_GLX_DISPLAY_KHR;
  EXPECT_EQ(CL_INVALID_OPERATION, creation(with({other, 1})));
  EXPECT_EQ(CL_INVALID_PROPERTY, creation(with({CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE})));
  EXPECT_EQ(CL_INVALID_PROPERTY, creation(with({CL_GL_CONTEXT_KHR, own})));
}

TEST_P(SharedContextTest, saysWhichDevicesCanShare) {
  const auto ask = [this](cl_gl_context_info name) {
    size_t bytes = 0;
    EXPECT_EQ(CL_SUCCESS, clGetGLContextInfoKHR(properties().data(), name, 0, nullptr, &bytes));
    std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
    EXPECT_EQ(CL_SUCCESS,
              clGetGLContextInfoKHR(properties().data(), name, bytes, devices.data(), nullptr));
    return devices;
  };
  EXPECT_EQ(1, std::ranges::count(ask(CL_DEVICES_FOR_GL_CONTEXT_KHR), device));
  EXPECT_GE(1u, ask(CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR).size());
}

TEST_P(SharedContextTest, queryErrors) {
  const auto ask = [](const Properties& list, cl_gl_context_info name) {
    cl_device_id answer = nullptr;
    return clGetGLContextInfoKHR(list.data(), name, sizeof(answer), &answer, nullptr);
  };
  const cl_context_properties id = reinterpret_cast<cl_context_properties>(platform);
  EXPECT_EQ(CL_INVALID_VALUE, ask(properties(), 0xdead));
  EXPECT_EQ(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
            ask({CL_CONTEXT_PLATFORM, id, 0}, CL_DEVICES_FOR_GL_CONTEXT_KHR));
  EXPECT_EQ(CL_INVALID_VALUE,
            ask({CL_CONTEXT_PLATFORM, id, 0xdead, 1, 0}, CL_DEVICES_FOR_GL_CONTEXT_KHR));
  EXPECT_EQ(CL_INVALID_OPERATION, ask(with({CL_WGL_HDC_KHR, 1}), CL_DEVICES_FOR_GL_CONTEXT_KHR));
  cl_device_id answer = nullptr;
  EXPECT_EQ(CL_INVALID_VALUE,
            clGetGLContextInfoKHR(properties().data(), CL_DEVICES_FOR_GL_CONTEXT_KHR, 1, &answer,
                                  nullptr));
}

} // namespace
} // namespace quern::test
