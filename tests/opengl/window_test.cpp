#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "opengl/x_server.h"

/// The gallery's programs that draw, in windows of an X server.
#ifdef ZOOM_PROGRAM

namespace quern::test {
namespace {

std::string outputOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 256> line = {};
  while (pipe && fgets(line.data(), line.size(), pipe.get()))
    output += line.data();
  return output;
}

void expectDrawn(const std::string& program) {
  startXServer();
  const std::string output = outputOf(program + " --tour --repeat 1 --size 8 --mesh 16 --window 5");
  const size_t drawn = output.find("drawn by OpenGL");
  ASSERT_NE(std::string::npos, drawn) << output;
  EXPECT_NE(std::string::npos, output.find("\tok\t", drawn)) << output;
}

TEST(GalleryWindowTest, zoom) {
  expectDrawn(ZOOM_PROGRAM);
}

TEST(GalleryWindowTest, ripple) {
  expectDrawn(RIPPLE_PROGRAM);
}

} // namespace
} // namespace quern::test

#endif
