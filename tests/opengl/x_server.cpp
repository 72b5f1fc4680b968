#include "opengl/x_server.h"

#include <array>
#include <stdexcept>
#include <stdlib.h>
#include <string>

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace quern::test {

namespace {

/// The server writes the number of its display, and a line end, when it is ready.
[[noreturn]] void becomeServer(int output) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const std::string descriptor = std::to_string(output);
  execlp("Xvfb", "Xvfb", "-displayfd", descriptor.c_str(), "-screen", "0", "640x480x24",
         "-nolisten", "tcp", nullptr);
  _exit(127);
}

std::string readLine(int input) {
  std::string line;
  char character = 0;
  while (read(input, &character, 1) == 1 && character != '\n')
    line += character;
  return line;
}

} // namespace

void startXServer() {
  static bool isStarted = false;
  if (isStarted)
    return;
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0)
    throw std::runtime_error("no pipe to the X server");
  if (fork() == 0) {
    close(ends[0]);
    becomeServer(ends[1]);
  }
  close(ends[1]);
  const std::string number = readLine(ends[0]);
  close(ends[0]);
  if (number.empty())
    throw std::runtime_error("Xvfb cannot be started");
  setenv("DISPLAY", (":" + number).c_str(), 1);
  isStarted = true;
}

} // namespace quern::test
