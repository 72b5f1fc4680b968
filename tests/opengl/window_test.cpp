#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <X11/Xlib.h>

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

/// Clicks into the windows that the X server has by now. They come and go.
void click(Display& display) {
  Window root = DefaultRootWindow(&display), parent = 0, *windows = nullptr;
  unsigned count = 0;
  XQueryTree(&display, root, &root, &parent, &windows, &count);
  XWarpPointer(&display, None, root, 0, 0, 0, 0, 200, 200);
  for (unsigned i = 0; i < count; ++i) {
    XEvent event = {};
    event.xbutton = {.type = ButtonPress,
                     .window = windows[i],
                     .root = root,
                     .button = Button1,
                     .same_screen = True};
    XSendEvent(&display, windows[i], False, ButtonPressMask, &event);
  }
  if (windows)
    XFree(windows);
  XSync(&display, False);
}

TEST(GalleryWindowTest, dropsFallWhereTheMouseClicks) {
  startXServer();
  std::atomic<bool> hasEnded{false};
  std::thread mouse([&] {
    XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
    Display* display = XOpenDisplay(nullptr);
    while (display && !hasEnded) {
      click(*display);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (display)
      XCloseDisplay(display);
  });
  const std::string output =
      outputOf(RIPPLE_PROGRAM " --tour --repeat 1 --size 8 --mesh 16 --window 300");
  hasEnded = true;
  mouse.join();
  const size_t drawn = output.find("drawn by OpenGL, drops where clicked");
  ASSERT_NE(std::string::npos, drawn) << output;
  // The host's mesh has these drops, too.
  EXPECT_NE(std::string::npos, output.find("\tok\t", drawn)) << output;
}

} // namespace
} // namespace quern::test

#endif
