#include "opengl/sharing_fixture.h"

#include <numeric>

namespace quern::test {
namespace {

class SharedBufferTest : public SharingTest, public ::testing::WithParamInterface<WindowSystem> {
protected:
  WindowSystem windowSystem() const override { return GetParam(); }

  GLuint makeGlBuffer(const std::vector<int>& values) {
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(values.size() * sizeof(int)),
                 values.data(), GL_DYNAMIC_DRAW);
    return name;
  }
  std::vector<int> glContents(GLuint name, size_t count) {
    std::vector<int> values(count);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(int)),
                       values.data());
    return values;
  }
  Memory share(GLuint name, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    return Memory(clCreateFromGLBuffer(context.get(), flags, name, &code));
  }
};

INSTANTIATE_TEST_SUITE_P(, SharedBufferTest,
                         ::testing::Values(WindowSystem::Glx, WindowSystem::Egl),
                         [](const auto& info) {
                           return info.param == WindowSystem::Glx ? "Glx" : "Egl";
                         });

std::vector<int> numbers(size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

TEST_P(SharedBufferTest, kernelsReadAndWriteWhatOpenGlDraws) {
  const size_t count = 10'000;
  const GLuint name = makeGlBuffer(numbers(count));
  const Memory shared = share(name);
  ASSERT_EQ(CL_SUCCESS, code);
  const Program program =
      buildProgram("kernel void triple(global int* values) { values[get_global_id(0)] *= 3; }");
  const Kernel kernel = makeKernel(program, "triple");
  setArguments(kernel, shared.get());
  for (int round = 0; round < 3; ++round) {
    acquire(shared.get());
    run(kernel, count);
    release(shared.get());
    // What OpenGL does now comes after that, without a word from the program.
    std::vector<int> values = glContents(name, count);
    const int factor = round == 0 ? 3 : 30;
    for (size_t i = 0; i < count; ++i)
      ASSERT_EQ(static_cast<int>(i + 1) * factor, values[i]) << i << " in round " << round;
    for (int& value : values)
      value = static_cast<int>(&value - values.data() + 1) * 10;
    glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(int)),
                    values.data());
  }
}

TEST_P(SharedBufferTest, answersQueries) {
  const GLuint name = makeGlBuffer(numbers(25));
  const Memory shared = share(name, CL_MEM_WRITE_ONLY);
  ASSERT_EQ(CL_SUCCESS, code);
  cl_gl_object_type type = 0;
  cl_GLuint asked = 0;
  EXPECT_EQ(CL_SUCCESS, clGetGLObjectInfo(shared.get(), &type, &asked));
  EXPECT_EQ(cl_gl_object_type{CL_GL_OBJECT_BUFFER}, type);
  EXPECT_EQ(name, asked);
  EXPECT_EQ(CL_SUCCESS, clGetGLObjectInfo(shared.get(), nullptr, nullptr));
  EXPECT_EQ(100u, info<size_t>(clGetMemObjectInfo, shared.get(), CL_MEM_SIZE));
  EXPECT_EQ(cl_mem_flags{CL_MEM_WRITE_ONLY},
            info<cl_mem_flags>(clGetMemObjectInfo, shared.get(), CL_MEM_FLAGS));
  EXPECT_EQ(cl_mem_object_type{CL_MEM_OBJECT_BUFFER},
            info<cl_mem_object_type>(clGetMemObjectInfo, shared.get(), CL_MEM_TYPE));
  EXPECT_EQ(CL_INVALID_GL_OBJECT,
            clGetGLTextureInfo(shared.get(), CL_GL_MIPMAP_LEVEL, 0, nullptr, nullptr));
  const Memory own = makeBuffer(4);
  EXPECT_EQ(CL_INVALID_GL_OBJECT, clGetGLObjectInfo(own.get(), &type, &asked));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            clGetGLObjectInfo(foreignHandle<cl_mem>(context), &type, &asked));
}

TEST_P(SharedBufferTest, creationErrors) {
  const GLuint name = makeGlBuffer(numbers(4));
  EXPECT_EQ(nullptr, clCreateFromGLBuffer(plain.get(), 0, name, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  EXPECT_EQ(nullptr, clCreateFromGLBuffer(foreignHandle<cl_context>(Context()), 0, name, &code));
  EXPECT_EQ(CL_INVALID_CONTEXT, code);
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
                                   CL_MEM_HOST_READ_ONLY, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}) {
    EXPECT_EQ(nullptr, share(name, flags));
    EXPECT_EQ(CL_INVALID_VALUE, code) << flags;
  }
  GLuint unused = 0;
  glGenBuffers(1, &unused);
  for (const GLuint wrong : {GLuint{0}, unused, name + 1000}) {
    EXPECT_EQ(nullptr, share(wrong));
    EXPECT_EQ(CL_INVALID_GL_OBJECT, code) << wrong;
  }
  // A buffer without a data store.
  glBindBuffer(GL_ARRAY_BUFFER, unused);
  EXPECT_EQ(nullptr, share(unused));
  EXPECT_EQ(CL_INVALID_GL_OBJECT, code);
}

TEST_P(SharedBufferTest, acquisitionErrors) {
  const Memory shared = share(makeGlBuffer(numbers(4)));
  const Memory own = makeBuffer(4);
  for (const auto function : {clEnqueueAcquireGLObjects, clEnqueueReleaseGLObjects}) {
    const auto call = [&](cl_uint count, cl_mem memory, cl_uint events = 0) {
      return function(queue.get(), count, memory ? &memory : nullptr, events, nullptr, nullptr);
    };
    EXPECT_EQ(CL_SUCCESS, call(0, nullptr));
    EXPECT_EQ(CL_INVALID_VALUE, call(1, nullptr));
    EXPECT_EQ(CL_INVALID_VALUE, call(0, shared.get()));
    EXPECT_EQ(CL_INVALID_MEM_OBJECT, call(1, foreignHandle<cl_mem>(context)));
    EXPECT_EQ(CL_INVALID_GL_OBJECT, call(1, own.get()));
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST, call(1, shared.get(), 1));
    const cl_mem memory = shared.get();
    EXPECT_EQ(CL_INVALID_COMMAND_QUEUE,
              function(foreignHandle<cl_command_queue>(context), 1, &memory, 0, nullptr, nullptr));
    const Queue other(clCreateCommandQueueWithProperties(plain.get(), device, nullptr, &code));
    EXPECT_EQ(CL_INVALID_CONTEXT, function(other.get(), 1, &memory, 0, nullptr, nullptr));
  }
}

TEST_P(SharedBufferTest, eventsSayWhatTheyBelongTo) {
  const Memory shared = share(makeGlBuffer(numbers(4)));
  const cl_mem memory = shared.get();
  const std::pair<decltype(&clEnqueueAcquireGLObjects), cl_command_type> functions[] = {
      {clEnqueueAcquireGLObjects, CL_COMMAND_ACQUIRE_GL_OBJECTS},
      {clEnqueueReleaseGLObjects, CL_COMMAND_RELEASE_GL_OBJECTS}};
  for (const auto& [function, type] : functions) {
    cl_event event = nullptr;
    ASSERT_EQ(CL_SUCCESS, function(queue.get(), 1, &memory, 0, nullptr, &event));
    const Event owned(event);
    EXPECT_EQ(type, info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE));
    EXPECT_EQ(CL_SUCCESS, clWaitForEvents(1, &event));
    EXPECT_EQ(CL_COMPLETE, statusOf(owned));
  }
}

TEST_P(SharedBufferTest, waitsForEventsThatTheProgramCompletes) {
  const GLuint name = makeGlBuffer(numbers(100));
  const Memory shared = share(name);
  const cl_mem memory = shared.get();
  const Event user = makeUserEvent();
  const cl_event before = user.get();
  acquire(memory);
  const int value = 7;
  EXPECT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), memory, &value, sizeof(value), 0, 400, 0,
                                            nullptr, nullptr));
  EXPECT_EQ(CL_SUCCESS, clEnqueueReleaseGLObjects(queue.get(), 1, &memory, 1, &before, nullptr));
  EXPECT_EQ(numbers(100), glContents(name, 100));
  EXPECT_EQ(CL_SUCCESS, clSetUserEventStatus(before, CL_COMPLETE));
  EXPECT_EQ(CL_SUCCESS, clFinish(queue.get()));
  EXPECT_EQ(std::vector<int>(100, 7), glContents(name, 100));
}

TEST_P(SharedBufferTest, whatKernelsOnlyReadStaysAsItIs) {
  const GLuint name = makeGlBuffer(numbers(100));
  const Memory shared = share(name, CL_MEM_READ_ONLY);
  acquire(shared.get());
  EXPECT_EQ(numbers(100), contents<int>(shared.get()));
  release(shared.get());
  EXPECT_EQ(numbers(100), glContents(name, 100));
}

TEST_P(SharedBufferTest, storageThatOnlyOpenGlMayWrite) {
  const std::vector<int> before = numbers(100);
  GLuint name = 0;
  glGenBuffers(1, &name);
  glBindBuffer(GL_ARRAY_BUFFER, name);
  glBufferStorage(GL_ARRAY_BUFFER, 400, before.data(), 0);
  const Memory shared = share(name);
  ASSERT_EQ(CL_SUCCESS, code);
  acquire(shared.get());
  EXPECT_EQ(before, contents<int>(shared.get()));
  const int value = -5;
  EXPECT_EQ(CL_SUCCESS, clEnqueueFillBuffer(queue.get(), shared.get(), &value, sizeof(value), 0,
                                            400, 0, nullptr, nullptr));
  release(shared.get());
  EXPECT_EQ(std::vector<int>(100, -5), glContents(name, 100));
}

} // namespace
} // namespace quern::test
