#include "opengl/sharing_fixture.h"

namespace quern::test {

void SharingTest::SetUp() {
  ProgramTest::SetUp();
  gl = windowSystem() == WindowSystem::Glx ? makeGlxProgram() : makeEglProgram();
  plain = std::move(context);
  context.reset(clCreateContext(properties().data(), 1, &device, nullptr, nullptr, &code));
  ASSERT_EQ(CL_SUCCESS, code);
  queue = makeQueue();
}

void SharingTest::TearDown() {
  // Before the OpenGL context.
  queue.reset();
  context.reset();
}

std::vector<cl_context_properties> SharingTest::properties() const {
  const std::vector<intptr_t> own = gl->properties();
  std::vector<cl_context_properties> list = {CL_CONTEXT_PLATFORM,
                                             reinterpret_cast<cl_context_properties>(platform)};
  list.insert(list.end(), own.begin(), own.end());
  list.push_back(0);
  return list;
}

} // namespace quern::test
